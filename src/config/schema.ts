import type { Network } from '../net/networks.ts'
import {
  bool,
  choice,
  domain,
  emailAddress,
  fraction,
  hostAndPortList,
  integer,
  list,
  networks,
  secret,
  text,
  url,
  type Setting,
  type ShownSetting,
} from './types.ts'

export const roles = ['api', 'worker', 'inbound'] as const
export type Role = (typeof roles)[number]

/**
 * Everything an operator can set, once: the name of the variable, its form, its default and the sentence that
 * `docs/configuration.md` is made of. Only `app` and `cli` read configuration; every other module gets values.
 */
export const settings = {
  port: integer('PORT', { min: 1, max: 65_535, default: 3000 }, 'Port of the HTTP API.'),
  host: text('HOST', '127.0.0.1', 'Address the HTTP API listens on; `0.0.0.0` for all.'),
  publicUrl: url(
    'PUBLIC_URL',
    ['http:', 'https:'],
    'What links in mail start with; `http://localhost:$PORT` if unset. One-click unsubscribe needs https.',
  ),
  portal: choice(
    'PORTAL',
    ['on', 'off'],
    'on',
    'Whether the portal is served, and people can sign in; with `off` there is the API alone.',
  ),
  dataDir: text(
    'DATA_DIR',
    './data',
    'Where the embedded database, the generated master key and certificate, and what is just being sent are kept.',
  ),
  firstKeysFile: text(
    'FIRST_KEYS_FILE',
    undefined,
    'Where the first start writes the first two keys, instead of printing them: for those whose standard output is kept in a log. The file must not exist; only its owner can read it.',
  ),
  databaseUrl: url(
    'DATABASE_URL',
    ['postgres:', 'postgresql:'],
    'An existing PostgreSQL (15 or newer) instead of the embedded one. Several hosts may be listed (`host1,host2`) with `target_session_attrs=read-write`.',
  ),
  roles: list('ROLES', roles, 'Which processes this node runs.'),
  smtpHostname: domain(
    'SMTP_HOSTNAME',
    undefined,
    "The name we greet other mail servers with, and the MX target in the DNS records we ask for; the machine's name if unset.",
  ),
  smtpInboundPort: integer(
    'SMTP_INBOUND_PORT',
    { min: 0, max: 65_535, default: 2525 },
    'Port of the receiving mail server; 0 for any that is free. Mail for your domains comes to port 25: let it lead here.',
  ),
  smtpInboundHost: text(
    'SMTP_INBOUND_HOST',
    '127.0.0.1',
    'Address the receiving mail server listens on; `0.0.0.0` for all, `::` for IPv6 as well. Other servers reach it only then.',
  ),
  smtpTlsCert: text(
    'SMTP_TLS_CERT',
    undefined,
    'File with the certificate of the receiving mail server (PEM, with its chain); a self-signed one is made if unset. Read again when it changes.',
  ),
  smtpTlsKey: text('SMTP_TLS_KEY', undefined, 'File with the private key of that certificate (PEM).'),
  smtpProxies: networks(
    'SMTP_PROXIES',
    '',
    'Networks of load balancers in front of the receiving mail server. From there, and only from there, the PROXY protocol is spoken.',
  ),
  receivedBytesPerDay: integer(
    'RECEIVED_BYTES_PER_DAY',
    { min: 0, max: Number.MAX_SAFE_INTEGER, default: 1_073_741_824 },
    'Bytes of mail that a project may receive in a day (UTC); what comes on top is put off with `452`. 0 for no limit.',
  ),
  receivingFreeBytes: integer(
    'RECEIVING_FREE_BYTES',
    { min: 0, max: Number.MAX_SAFE_INTEGER, default: 1_073_741_824 },
    'With fewer free bytes on the disk of `DATA_DIR`, received mail is put off with `452`. Only with the embedded database; 0 for never.',
  ),
  rspamdUrl: url(
    'RSPAMD_URL',
    ['http:', 'https:'],
    'A rspamd that is asked for the spam score of received mail, e.g. `http://127.0.0.1:11333`.',
  ),
  smtpMxPort: integer('SMTP_MX_PORT', { min: 1, max: 65_535, default: 25 }, 'Port used on the MX hosts of recipients.'),
  smtpRelayUrl: url(
    'SMTP_RELAY_URL',
    ['smtp:', 'smtps:'],
    'A smarthost to deliver through (`smtps://user:secret@host:465`) instead of directly to the MX hosts.',
  ),
  dnsServers: hostAndPortList(
    'DNS_SERVERS',
    "Resolvers for every DNS question we ask, as `address` or `address:port` separated by commas; the system's if unset.",
  ),
  egressAllow: networks(
    'EGRESS_ALLOW',
    '',
    'Networks that the egress filter lets through although they are private, e.g. `127.0.0.0/8` for tests.',
  ),
  webhookAllowHttp: bool('WEBHOOK_ALLOW_HTTP', false, 'Whether webhook URLs may be plain http, for local development.'),
  webhookEndpointsPerProject: integer(
    'WEBHOOK_ENDPOINTS_PER_PROJECT',
    { min: 1, max: 10_000, default: 20 },
    'How many webhook endpoints a project may have. Every event is sent to each of them that wants it.',
  ),
  domainsPerWorkspace: integer(
    'DOMAINS_PER_WORKSPACE',
    { min: 1, max: 1_000_000, default: 1_000 },
    'How many sending and receiving domains the projects of a workspace may have together.',
  ),
  dkimKeysAhead: integer(
    'DKIM_KEYS_AHEAD',
    { min: 0, max: 1_000, default: 10 },
    'How many DKIM keys are made before somebody needs them, so that nobody who creates a domain waits for one.',
  ),
  sandboxSender: emailAddress(
    'SANDBOX_SENDER',
    'sandbox@sandbox.posthouse.test',
    'The sender that works without a domain, to the simulator only.',
  ),
  simulatorDomain: domain(
    'SIMULATOR_DOMAIN',
    'simulator.posthouse.test',
    'Recipients here produce outcomes without real mail.',
  ),
  managedReceivingDomain: domain(
    'MANAGED_RECEIVING_DOMAIN',
    'in.posthouse.test',
    'Managed receiving domains are made below this one.',
  ),
  rateLimitPerSecond: integer(
    'RATE_LIMIT_PER_SECOND',
    { min: 0, max: 1_000_000, default: 100 },
    'Requests per second and API key, over all nodes together; 0 switches the limit off.',
  ),
  rateLimitBurst: integer(
    'RATE_LIMIT_BURST',
    { min: 1, max: 1_000_000, default: 200 },
    'Requests that a key may make at once before the rate counts.',
  ),
  addressRateLimitPerSecond: integer(
    'ADDRESS_RATE_LIMIT_PER_SECOND',
    { min: 0, max: 1_000_000, default: 50 },
    'Requests per second and client address (IPv6: per /64) for what needs no key, on each node; links in mail have twenty times as much, health probes no limit; 0 switches the limit off.',
  ),
  httpProxies: networks(
    'HTTP_PROXIES',
    '',
    "Networks of the reverse proxies in front of the API. From there, and only from there, the client's address is taken from `X-Forwarded-For`.",
  ),
  setupSecret: secret(
    'SETUP_SECRET',
    20,
    'Typed at `/setup` instead of the link that the start prints, until the workspace has an owner: for operators who do not see what the start prints.',
  ),
  sessionDays: integer(
    'SESSION_DAYS',
    { min: 1, max: 365, default: 30 },
    'How many days people stay signed in at most; an admin can shorten it for the workspace.',
  ),
  sessionIdleHours: integer(
    'SESSION_IDLE_HOURS',
    { min: 1, max: 8_760, default: 72 },
    'After how many hours without a request people are signed out; an admin can shorten it for the workspace.',
  ),
  systemSender: emailAddress(
    'SYSTEM_SENDER',
    undefined,
    'The address at a verified domain that invitations and links to recover an account are sent from; without it they are only shown to whoever makes them.',
  ),
  retainBodiesDays: integer(
    'RETAIN_BODIES_DAYS',
    { min: 1, max: 3_650, default: 30 },
    'How many days the bodies and attachments of emails are kept.',
  ),
  retainEventsDays: integer(
    'RETAIN_EVENTS_DAYS',
    { min: 1, max: 3_650, default: 90 },
    'How many days it is remembered what happened to an email.',
  ),
  retainDialoguesDays: integer(
    'RETAIN_DIALOGUES_DAYS',
    { min: 1, max: 3_650, default: 30 },
    'How many days it is remembered what was said in SMTP when an email was not taken.',
  ),
  retainWebhookDeliveriesDays: integer(
    'RETAIN_WEBHOOK_DELIVERIES_DAYS',
    { min: 1, max: 3_650, default: 30 },
    'How many days it is remembered what became of webhook deliveries, and they can be replayed.',
  ),
  retainReceivedDays: integer(
    'RETAIN_RECEIVED_DAYS',
    { min: 1, max: 3_650, default: 30 },
    'How many days received mail is kept.',
  ),
  retainStatisticsDays: integer(
    'RETAIN_STATISTICS_DAYS',
    { min: 7, max: 3_650, default: 730 },
    'How many days counts of mail and webhooks are kept by hour; counts by day stay.',
  ),
  masterKey: secret(
    'MASTER_KEY',
    1,
    'Encrypts secrets at rest: 32 bytes as base64 or hex; several, separated by commas, while rotating (the first seals). Generated into `DATA_DIR` if unset.',
  ),
  smsLiveEnabled: bool('SMS_LIVE_ENABLED', false, 'Whether this installation may hand SMS to carriers at all.'),
  smsIdempotencyHeader: text(
    'SMS_IDEMPOTENCY_HEADER',
    'SMS-Idempotency-Key',
    'The header that every request to send an SMS must carry.',
  ),
  smsSimTimeScale: fraction(
    'SMS_SIM_TIME_SCALE',
    { min: 0, max: 1_000, default: 1 },
    'Multiplies every delay of the SMS simulator: 0.01 makes it a hundred times faster.',
  ),
  smsConnectionsFile: text(
    'SMS_CONNECTIONS_FILE',
    undefined,
    'A JSON file with the connections to SMS carriers, by name; see docs/sms.md.',
  ),
  startHeld: bool(
    'START_HELD',
    false,
    'Whether every start holds sending until `posthouse sending resume`: for backups whose restoring cannot be noticed, see docs/operations.md.',
  ),
  metricsAllow: networks(
    'METRICS_ALLOW',
    undefined,
    'Networks that may read `/metrics`; if unset `127.0.0.0/8,::1/128`, or none where `PUBLIC_URL` leads to a proxy: its requests may come from loopback too.',
  ),
  metricsToken: secret(
    'METRICS_TOKEN',
    1,
    'With it as a bearer token `/metrics` is read from anywhere, through proxies too.',
  ),
  logLevel: choice(
    'LOG_LEVEL',
    ['debug', 'info', 'warn', 'error', 'silent'],
    'info',
    'The least severe log line that is written (JSON lines on standard error).',
  ),
  s3Endpoint: url(
    'S3_ENDPOINT',
    ['http:', 'https:'],
    'An S3-compatible store for raw mail and attachments instead of the database; the other `S3_` variables are then needed too.',
  ),
  s3Bucket: text('S3_BUCKET', undefined, 'Bucket in that store.'),
  s3Region: text('S3_REGION', 'us-east-1', 'Region of that store.'),
  s3AccessKeyId: secret('S3_ACCESS_KEY_ID', 1, 'Access key of that store.'),
  s3SecretAccessKey: secret('S3_SECRET_ACCESS_KEY', 1, 'Secret of that access key.'),
} satisfies Record<string, Setting<unknown>>

type Values = { [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never }

/** The settings as the modules get them, with the defaults that depend on others filled in. */
export interface Config extends Values {
  publicUrl: string
  smtpHostname: string
  metricsAllow: readonly Network[]
  /** All of them as people may see them. */
  shown: readonly ShownSetting[]
}
