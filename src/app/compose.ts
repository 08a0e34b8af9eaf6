import type { Config } from '../config/schema.ts'
import { steadyClock, type Clock } from '../core/clock.ts'
import type { Messages } from '../delivery/mail/message.ts'
import { RELAY_SITE } from '../delivery/mail/transports/relay.ts'
import { SIMULATOR_SITE, siteLimits } from '../delivery/mail/sites.ts'
import { Doorbell } from '../dispatch/doorbell.ts'
import { publisher } from '../events/publish.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { Audiences } from '../resources/audiences/index.ts'
import { AuditLog } from '../resources/audit/index.ts'
import {
  automationGate,
  Automations,
  Executor,
  resumeRuns,
  startJoined,
  startTagged,
  stopLeft,
  stopUntagged,
  stopUnwanted,
} from '../resources/automations/index.ts'
import { broadcastGate, Broadcasts, Recipients, Sending, Starting } from '../resources/broadcasts/index.ts'
import { clearAudience, Contacts, Exports, Imports, type ContactHooks } from '../resources/contacts/index.ts'
import {
  Accepter,
  Again,
  EmailFiles,
  Emails,
  Engagement,
  Mailings,
  Preferences,
  Preparer,
  releaseHeld,
  Retention,
  type CountEngaged,
} from '../resources/emails/index.ts'
import { Installation } from '../resources/installation/index.ts'
import { DomainReports } from '../resources/domain-reports/index.ts'
import { KeyIdentifier, Keys } from '../resources/keys/index.ts'
import { Live } from '../resources/live/index.ts'
import { Notices } from '../resources/notices/index.ts'
import { assemblePeople } from '../resources/people/index.ts'
import { Projects } from '../resources/projects/index.ts'
import {
  AllSending,
  lockPauses,
  paused,
  Picture,
  Queue,
  QueueReports,
  retryDestination,
} from '../resources/queue/index.ts'
import { OperatorMailbox, ReceivedEmails, ReceivedProcessor, ReceivingDomains } from '../resources/receiving/index.ts'
import { Addresses, Finder } from '../resources/search/index.ts'
import { SessionIdentifier, Sessions } from '../resources/sessions/index.ts'
import { assembleSms } from '../resources/sms/index.ts'
import { countAccepted, countEvents, countTried, Statistics } from '../resources/statistics/index.ts'
import { clearTag, Tags } from '../resources/tags/index.ts'
import { queuePublished, WebhookDeliveries, Webhooks } from '../resources/webhooks/index.ts'
import type { Database } from '../storage/postgres.ts'
import { silent, type Log } from '../core/log.ts'
import { deliveryServices } from './delivery-services.ts'
import { messagesOf } from './messages.ts'
import { ParserPool } from './threads/parser-pool.ts'
import { systemMailer } from './system-mail.ts'
import { installationFacts } from './installation-facts.ts'
import { SendingSwitch } from './sending-switch.ts'
import { traitsOf, type SmsConnections } from './sms-connections.ts'
import type { Vault } from './vault.ts'
import { version } from './version.ts'

interface Circumstances {
  log?: Log
  smsConnections?: SmsConnections
  /** For what takes its time; never set back. */
  steady?: Clock
  /** Does work again and again, until the function that it returns is called. */
  every?: (ms: number, work: () => void) => () => void
}

const everyInterval = (ms: number, work: () => void): (() => void) => {
  const timer = setInterval(work, ms)
  return () => clearInterval(timer)
}

/** Every service, built once, in the order in which they lean on each other. */
export function compose(
  db: Database,
  vault: Vault,
  config: Config,
  clock: Clock,
  { log = silent, smsConnections = {}, steady = steadyClock, every = everyInterval }: Circumstances = {},
) {
  const publish = publisher(queuePublished, countEvents)
  const sending = deliveryServices({
    db,
    vault,
    config,
    clock,
    log,
    publish,
    templateHooks: {
      usersOf: async (tx, project, template) => [
        ...(await broadcasts.usersOf(tx, project, { template })),
        ...(await automations.usersOf(tx, project, template)),
      ],
    },
    deliveryHooks: {
      gates: [broadcastGate, automationGate],
      paused,
      lockPauses: async (tx, ids) => void (await lockPauses(tx, ids)),
      progress: (tx, moves) => broadcasts.progress(tx, moves),
    },
  })
  const { dns, egress, domains, suppressions, templates, deliveries } = sending
  const doorbell = new Doorbell({ db, log, random: Math.random })
  const projects = new Projects(db, {
    created: (tx, project) => templates.seedIn(tx, project),
    resumed: async (tx, project) => {
      await enqueue(tx, releaseHeld, { project }, { key: project })
      await enqueue(tx, resumeRuns, {}, { key: 'resumed' })
      await broadcasts.projectResumed(tx, project)
    },
    archived: async (tx, project) => {
      await broadcasts.projectArchived(tx, project)
      await broadcasts.progress(tx, await emails.cancelAllIn(tx, project))
    },
  })
  const sessionLimits = { days: config.sessionDays, idleHours: config.sessionIdleHours }
  const sessions = new Sessions(db, sessionLimits)
  const sessionIdentifier = new SessionIdentifier(db, sessionLimits)
  const people = assemblePeople({
    db,
    projects,
    sessions,
    secrets: () => vault.secrets,
    publicUrl: config.publicUrl,
    setupSecret: config.setupSecret,
    mailer: systemMailer({ sender: config.systemSender, emails: () => emails, vault, log }),
    life: { revokeKeys: (tx, actor, workspace, person) => keys.revokeOfPersonIn(tx, actor, workspace, person) },
  })
  const keys = new Keys(db, projects, clock)
  const keyIdentifier = new KeyIdentifier(db, clock)
  const audiences = new Audiences(db, {
    usersOf: (tx, project, audience) => broadcasts.usersOf(tx, project, { audience }),
    deleted: (tx, project, audience) => enqueue(tx, clearAudience, { project, audience }),
  })
  const contactHooks: ContactHooks = {
    joined: startJoined,
    left: (tx, project, _, members, because) => stopLeft(tx, project, members, because),
    gone: (tx, project, emails) => tags.forgetPeople(tx, project, emails),
    tag: (tx, project, wishes) => tags.applyNamed(tx, project, wishes),
  }
  const contacts = new Contacts({ db, audiences, hooks: contactHooks, clock })
  const imports = new Imports({ db, audiences, hooks: contactHooks, clock })
  const exports = new Exports(db, audiences)
  const tags = new Tags(db, contacts, {
    tagged: startTagged,
    untagged: stopUntagged,
    deleted: (tx, project, tag) => enqueue(tx, clearTag, { project, tag }),
  })
  const sandbox = { sender: config.sandboxSender, simulatorDomain: config.simulatorDomain }
  const preparer = new Preparer({ db, domains, templates, blobs: vault.blobs, sandbox })
  const destinationOf = (domain: string): string | undefined => {
    if (domain === config.simulatorDomain) return SIMULATOR_SITE
    return config.smtpRelayUrl === undefined ? undefined : RELAY_SITE
  }
  const mailings = new Mailings({ domains, templates, sandbox, counted: countAccepted, destinationOf })
  const onQueued = (): void => doorbell.ring(deliveries.table)
  const accepter = new Accepter({
    db,
    projects,
    suppressions,
    publish,
    counted: countAccepted,
    destinationOf,
    onQueued,
  })
  const retention = new Retention(db, config.retainBodiesDays)
  const emails = new Emails({
    db,
    preparer,
    accepter,
    clock,
    steady,
    templates,
    publicUrl: config.publicUrl,
    destinationOf,
  })
  const again = new Again({ db, blobs: vault.blobs, preparer, accepter, emails, clock, onQueued })
  // Made when the first message is asked for: it needs the master key, and most processes never do.
  let messages: Messages | undefined
  const emailFiles = new EmailFiles({
    db,
    blobs: vault.blobs,
    compose: (due) => (messages ??= messagesOf(sending, config, log)).bytes(due),
  })
  const starting = new Starting({ audiences, templates, mailings, simulatorDomain: config.simulatorDomain })
  const broadcasts = new Broadcasts({
    db,
    audiences,
    templates,
    projects,
    emails,
    mailings,
    starting,
    clock,
    resumed: (tx) => enqueue(tx, releaseHeld, {}, { key: 'resumed' }),
  })
  const broadcastRecipients = new Recipients(db)
  const sendingBroadcasts = new Sending({ db, projects, mailings, starting, clock, onQueued })
  const automations = new Automations({ db, audiences, templates, tags, mailings, clock })
  const executor = new Executor({ db, mailings, tags, projects, onQueued, log })
  const webhookDeliveries = new WebhookDeliveries(db, () => vault.secrets, countTried)
  const onTold = (): void => doorbell.ring(webhookDeliveries.table)
  const webhooks = new Webhooks({
    db,
    secrets: () => vault.secrets,
    urls: { allowHttp: config.webhookAllowHttp, dns, egress },
    mostEndpoints: config.webhookEndpointsPerProject,
    clock,
    testRecipient: `test@${config.simulatorDomain}`,
    onQueued: onTold,
  })
  const counted: CountEngaged = (tx, ...what) => broadcasts.counted(tx, ...what)
  const engagement = new Engagement({
    db,
    log,
    counted,
    followed: (tx, followed) => broadcastRecipients.followed(tx, followed),
    publish,
    onTold,
  })
  const preferences = new Preferences({ db, contacts, clock, counted, publish, unwanted: stopUnwanted, onTold })
  const domainReports = new DomainReports({
    db,
    dns,
    clock,
    domains,
    smtpHostname: config.smtpHostname,
    ownAddresses: egress.own,
  })
  const receivingDomains = new ReceivingDomains({
    db,
    dns,
    smtpHostname: config.smtpHostname,
    managedDomain: config.managedReceivingDomain,
    mostDomains: config.domainsPerWorkspace,
    simulatorDomain: config.simulatorDomain,
    reports: domainReports,
  })
  const receivedEmails = new ReceivedEmails({ db, blobs: vault.blobs, days: config.retainReceivedDays })
  const parsers = new ParserPool({
    hostname: config.smtpHostname,
    dnsServers: config.dnsServers,
    isRelayed: config.smtpRelayUrl !== undefined,
    rspamdUrl: config.rspamdUrl,
    log,
  })
  const receivedProcessor = new ReceivedProcessor({
    db,
    publish,
    blobs: vault.blobs,
    deliveries,
    domainReports,
    parser: parsers,
    tokenKeys: () => vault.mailTokenKeys,
    log,
    onEvents: onTold,
  })
  const operatorMailbox = new OperatorMailbox(db, vault.blobs)
  const sms = assembleSms({
    db,
    secrets: () => vault.secrets,
    liveEnabled: config.smsLiveEnabled,
    connections: traitsOf(smsConnections),
    idempotencyHeader: config.smsIdempotencyHeader,
    timeScale: config.smsSimTimeScale,
    retainBodiesDays: config.retainBodiesDays,
    random: Math.random,
    log,
    publish,
    onQueued: () => doorbell.ring('sms_parts'),
    onTold,
    dropEvents: (tx, project) => webhooks.dropSms(tx, project),
  })
  const statistics = new Statistics({
    db,
    retainDays: config.retainStatisticsDays,
    waiting: (project) => deliveries.waiting(project),
    require: {
      domain: (project, id) => domains.read(project, id),
      template: (project, id) => templates.read(project, id),
      endpoint: (project, id) => webhooks.read(project, id),
    },
  })
  const auditLog = new AuditLog(db, projects)
  const finder = new Finder(db, projects)
  const addresses = new Addresses(db, suppressions)
  const live = new Live({ db, version, steady, every, log })
  const installation = new Installation(db, installationFacts(config), operatorMailbox)
  const notices = new Notices(db, installationFacts(config))
  const sendingSwitch = new SendingSwitch(db, {
    mails: deliveries.table,
    webhookDeliveries: webhookDeliveries.table,
    texts: sms.outcomes.table,
  })
  const picture = new Picture(db)
  const queue = new Queue({
    db,
    picture,
    usualLimit: (site) => siteLimits(site).connections,
    resumed: (tx, place) =>
      enqueue(tx, releaseHeld, place ?? {}, {
        key: place === undefined ? 'resumed' : `${place.project} ${place.destination}`,
      }),
    retryRest: (tx, project, destination) => enqueue(tx, retryDestination, { project, destination }),
    onQueued,
  })
  const allSending = new AllSending({ db, picture, control: sendingSwitch })
  const queueReports = new QueueReports(db)
  return {
    ...sending,
    config,
    queue,
    allSending,
    queueReports,
    doorbell,
    sendingSwitch,
    projects,
    sessions,
    sessionIdentifier,
    people,
    keys,
    keyIdentifier,
    audiences,
    contacts,
    imports,
    exports,
    tags,
    emails,
    again,
    emailFiles,
    mailings,
    engagement,
    preferences,
    retention,
    broadcasts,
    broadcastRecipients,
    sendingBroadcasts,
    automations,
    executor,
    webhookDeliveries,
    webhooks,
    domainReports,
    receivingDomains,
    receivedEmails,
    parsers,
    receivedProcessor,
    operatorMailbox,
    statistics,
    auditLog,
    finder,
    addresses,
    live,
    installation,
    notices,
    sms,
    smsConnections,
  }
}

export type Services = ReturnType<typeof compose>
