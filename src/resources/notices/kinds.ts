/**
 * Every kind of notice with its words: what is the matter, what to do about it, and where. A pure table; `store.ts` has
 * the question to the database that belongs to each.
 */
import type { Scope } from '../../core/scopes.ts'

export const severities = ['problem', 'warning', 'hint'] as const
export type Severity = (typeof severities)[number]

/** One thing that something is the matter with. */
export interface Found {
  /** As clients see it; null for what has none. */
  id: string | null
  name: string
  since: Date
  /** What is different about it from others of the kind, as the kind's words need it. */
  detail: string
  /** A number that the kind's words need. */
  number: number
}

/** The things of one kind: the one that it has been the matter with for the longest, and how many there are. */
interface Told extends Found {
  count: number
}

export interface NoticeKind {
  severity: Severity
  /** What the caller must be able to read: the same that the page behind the link requires. */
  scope: Scope
  /** It is about the installation, so a role or a key of a single project does not see it. */
  isOfInstallation?: true
  /** Only a signed-in person can read what it is about. */
  isForPersons?: true
  title(told: Told): string
  sentence(told: Told): string
  /** The page where something can be done about it. */
  link(project: string, told: Told): string
}

const several = (count: number, one: string, many: string): string => (count === 1 ? one : `${count} ${many}`)

const pageOf =
  (name: string) =>
  (project: string, { id, count }: Told): string =>
    `/p/${project}/${name}${count === 1 && id !== null ? `/${id}` : ''}`

const onInstallation = () => '/settings/installation'

const ofInstallation = { scope: 'stats:read', isOfInstallation: true, link: onInstallation } as const

export const noticeKinds = {
  sending_held: {
    severity: 'problem',
    scope: 'stats:read',
    title: () => 'Sending is held',
    sentence: ({ detail }) =>
      `Nothing leaves this installation: ${detail}. Owners and admins resume it on the page of the queue.`,
    link: (project) => `/p/${project}/queue`,
  },
  destination_unreachable: {
    severity: 'problem',
    scope: 'stats:read',
    title: ({ name, count }) => several(count, `${name} cannot be reached`, 'destinations cannot be reached'),
    sentence: ({ name }) =>
      `No mail server of ${name} answers, and mail of this project waits for it. It is tried again by itself; the page says where it was tried.`,
    link: pageOf('queue'),
  },
  destination_slowed: {
    severity: 'warning',
    scope: 'stats:read',
    title: ({ name, count }) => several(count, `Mail to ${name} is slowed`, 'destinations take mail slowly'),
    sentence: ({ name }) =>
      `${name} takes less than usual, or asked us to come back later, and mail of this project waits for it. The page says what it answered.`,
    link: pageOf('queue'),
  },
  destination_paused: {
    severity: 'warning',
    scope: 'stats:read',
    title: ({ name, count }) => several(count, `Mail to ${name} is paused`, 'destinations are paused'),
    sentence: ({ name, detail }) =>
      `Mail to ${name} waits until it is resumed${detail === '' ? '' : `. It was paused with the words: ${detail}`}.`,
    link: pageOf('queue'),
  },
  domain_record_lost: {
    severity: 'problem',
    scope: 'domains:read',
    title: ({ name, count }) => several(count, `${name} lost a DNS record`, 'domains lost a DNS record'),
    sentence: ({ name, detail }) =>
      detail === 'failed'
        ? `Mail from ${name} is refused until its records are back as they were.`
        : `Mail from ${name} still leaves for a day after the record was first missed. Put it back before that.`,
    link: pageOf('domains'),
  },
  domain_unverified: {
    severity: 'warning',
    scope: 'domains:read',
    title: ({ name, count }) => several(count, `${name} is not verified yet`, 'domains are not verified yet'),
    sentence: ({ name }) =>
      `${name} was added more than three days ago, and not all of its records are in the DNS. It cannot send.`,
    link: pageOf('domains'),
  },
  bounces_high: {
    severity: 'problem',
    scope: 'stats:read',
    title: ({ detail }) => `${detail} % of mail bounces`,
    sentence: ({ number }) =>
      `${number} of the last recipients do not exist. Above 2 % receivers begin to distrust a sender: look where these addresses come from.`,
    link: (project) => `/p/${project}/emails?status=bounced`,
  },
  complaints_high: {
    severity: 'problem',
    scope: 'stats:read',
    title: ({ detail }) => `${detail} % of mail is called spam`,
    sentence: ({ number }) =>
      `${number} of the last recipients, or their servers, called the mail spam. Above 0.1 % large providers begin to block a sender: write only to people who asked for it.`,
    link: (project) => `/p/${project}/emails?status=filteredspam`,
  },
  webhook_disabled: {
    severity: 'problem',
    scope: 'webhooks:write',
    title: ({ count }) => several(count, 'A webhook endpoint was disabled', 'webhook endpoints were disabled'),
    sentence: ({ name, detail }) => `${name} is told nothing any more: ${detail}`,
    link: pageOf('webhooks'),
  },
  webhook_failing: {
    severity: 'warning',
    scope: 'webhooks:write',
    title: ({ count }) => several(count, 'A webhook endpoint fails', 'webhook endpoints fail'),
    sentence: ({ name }) => `${name} has taken no event for ten minutes or longer. Events wait and are sent again.`,
    link: pageOf('webhooks'),
  },
  broadcast_returned: {
    severity: 'problem',
    scope: 'broadcasts:write',
    title: ({ name, count }) =>
      several(count, `The broadcast ${name} was not sent`, 'broadcasts were not sent when their time came'),
    sentence: ({ name, detail }) => `${name} is a draft again: ${detail}`,
    link: pageOf('broadcasts'),
  },
  automation_failing: {
    severity: 'problem',
    scope: 'automations:write',
    title: ({ name, count }) => several(count, `The automation ${name} fails`, 'automations fail'),
    sentence: ({ name, detail, number }) =>
      `In the last day ${several(number, 'one run', 'runs')} of ${name} failed at the step ${detail}.`,
    link: pageOf('automations'),
  },
  quota_nearly_used: {
    severity: 'warning',
    scope: 'projects:read',
    title: ({ detail, number }) => `${number} % of the emails of this ${detail} are used`,
    sentence: ({ detail }) =>
      `When the quota is used up, mail is refused until the next ${detail} begins (UTC). An admin can raise it.`,
    link: () => '/settings/projects',
  },
  key_expiring: {
    severity: 'warning',
    scope: 'api-keys:write',
    title: ({ name, count }) => several(count, `The API key ${name} expires soon`, 'API keys expire soon'),
    sentence: ({ name, detail }) =>
      `${name} expires on ${detail}. Make another one before that, and put it in its place.`,
    link: (project) => `/p/${project}/keys`,
  },
  role_down: {
    severity: 'problem',
    ...ofInstallation,
    title: ({ name, count }) => several(count, `${name} is down`, 'processes are down'),
    sentence: ({ detail }) =>
      `The process ${detail} does not run. It is started again by itself; the log says why it ends.`,
  },
  role_restarting: {
    severity: 'warning',
    ...ofInstallation,
    title: ({ name, count }) => several(count, `${name} restarts again and again`, 'processes restart again and again'),
    sentence: ({ detail, number }) =>
      `${detail} was started again ${number} times within an hour. The log says why it ends.`,
  },
  disk_low: {
    severity: 'problem',
    ...ofInstallation,
    title: ({ name, count }) => several(count, `The disk of ${name} is nearly full`, 'disks are nearly full'),
    sentence: ({ number }) =>
      `${number} % is free. A full disk stops the database, and with it everything: make room, or keep mail for fewer days.`,
  },
  database_busy: {
    severity: 'warning',
    ...ofInstallation,
    title: () => 'The database has few connections left',
    sentence: ({ detail }) =>
      `${detail} connections are in use. Raise max_connections, or take other programs away from it.`,
  },
  port_25_blocked: {
    severity: 'problem',
    ...ofInstallation,
    title: ({ name, count }) => several(count, `Mail does not get out of ${name}`, 'nodes get no mail out'),
    sentence: () =>
      'No mail server of others answers on port 25. Many providers block it until they are asked; a smarthost (SMTP_RELAY_URL) works without it.',
  },
  host_name_wrong: {
    severity: 'warning',
    ...ofInstallation,
    title: ({ name }) => `${name} and its addresses do not belong together`,
    sentence: ({ name, detail }) =>
      detail === ''
        ? `The DNS has no address for ${name}, the name that we greet other mail servers with. Set SMTP_HOSTNAME to a name that leads here.`
        : `The PTR record of ${detail} is not ${name}, or that name leads somewhere else. Many receivers refuse such mail: ask whoever gave you the address to set it.`,
  },
  certificate_ending: {
    severity: 'warning',
    ...ofInstallation,
    title: () => 'The certificate of the mail server ends soon',
    sentence: ({ name, detail }) =>
      `On ${name} it ends on ${detail}. Put a new one in the file of SMTP_TLS_CERT; it is read by itself.`,
  },
  public_url_insecure: {
    severity: 'hint',
    ...ofInstallation,
    title: () => 'PUBLIC_URL is not https',
    sentence: ({ name }) =>
      `Links in mail start with ${name}. One-click unsubscribe, passkeys and safe cookies need https: put a proxy with a certificate in front.`,
  },
  master_key_not_backed_up: {
    severity: 'hint',
    ...ofInstallation,
    title: () => 'Keep a copy of the master key',
    sentence: () =>
      'Without the file master.key in the data directory no backup of the database can be used. Copy it to a safe place and say so on the page of the installation.',
  },
  operator_mail: {
    severity: 'hint',
    scope: 'people:write',
    isOfInstallation: true,
    isForPersons: true,
    title: ({ count }) => several(count, 'A mail to postmaster', 'mails to postmaster'),
    sentence: ({ name, detail }) => `In the last week ${detail} wrote to ${name}. "posthouse mailbox" shows it.`,
    link: onInstallation,
  },
} as const satisfies Record<string, NoticeKind>

export type KindName = keyof typeof noticeKinds

export const kindNames = Object.keys(noticeKinds) as readonly KindName[]
