import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Config } from '../config/schema.ts'
import { steadyClock, systemClock, type Clock } from '../core/clock.ts'
import { Tallies } from '../core/tallies.ts'
import type { MailDelivererOptions } from '../delivery/mail/deliver.ts'
import { QueueReporter } from '../delivery/mail/queue-reporter.ts'
import { ReplyTally } from '../delivery/mail/reply-tally.ts'
import { Dispatcher } from '../dispatch/dispatcher.ts'
import { isSendingOn } from '../dispatch/sending.ts'
import { JobRunner } from '../jobs/run.ts'
import { AutomationRunner } from '../resources/automations/index.ts'
import { enqueueMakingKeys } from '../resources/domains/index.ts'
import { Database } from '../storage/postgres.ts'
import { compose } from './compose.ts'
import { connections } from './connections.ts'
import { countAttempt } from './counted.ts'
import { deliveryEngine, type NetworkSettings } from './delivery.ts'
import { hostLooks } from './host-looks.ts'
import { Isolation } from './isolation.ts'
import { allJobs } from './jobs.ts'
import { journalIn } from './journal.ts'
import { smsWorkers } from './sms.ts'
import { loadSmsConnections } from './sms-connections.ts'
import { Vault } from './vault.ts'
import { webhookDeliverer } from './webhooks.ts'

const JOBS_AT_ONCE = 4
/** Mails in hand. After a crash at most so many can have been sent without our knowing it. */
const SLOTS = 500
/** Webhook deliveries in hand. */
const WEBHOOK_SLOTS = 2_000
const FIRST_KEYS_AFTER_MS = 3_000

/** What a worker finds in the world; tests give it another one. */
export interface Circumstances extends Partial<NetworkSettings> {
  clock?: Clock
  /** For pauses between attempts at a site; never set back. */
  steady?: Clock
}

/** The process that does what nobody waits for: it delivers mail, tells webhook endpoints and runs jobs. */
export async function startWorker(
  config: Config,
  databaseUrl: string,
  log: Logger,
  { clock = systemClock, steady, ...outside }: Circumstances = {},
): Promise<{ tallies: Tallies; stop(): Promise<void> }> {
  const db = new Database({ url: databaseUrl, name: 'worker', connections: connections.worker })
  const smsConnections = await loadSmsConnections(config)
  const services = compose(db, new Vault(config, db), config, clock, { log, smsConnections })
  const automations = new AutomationRunner({ executor: services.executor, log, random: Math.random })
  const processes = (): number => dispatcher.peers
  const isolation = new Isolation({ ...process.env, DATABASE_URL: databaseUrl })
  const alone: MailDelivererOptions['alone'] = (item, lease) => isolation.deliver(item, lease)
  const tallies = new Tallies()
  const attempted: MailDelivererOptions['attempted'] = (attempt) => countAttempt(tallies, attempt)
  const tally = new ReplyTally(clock)
  const engine = { config, clock, log, processes, outside, alone, attempted, tally }
  const { deliverer, routing } = deliveryEngine(services, engine)
  const { deliverer: webhooks, poster } = webhookDeliverer(services, {
    clock,
    log,
    processes: () => webhookDispatcher.peers,
    outside,
  })
  const common = { db, name: `${hostname()} ${process.pid}`, log, random: Math.random, doorbell: services.doorbell }
  const runner = new JobRunner({ ...common, jobs: allJobs(db, services), concurrency: JOBS_AT_ONCE })
  const timed = steady ? { clock: steady } : {}
  const webhookDispatcher = new Dispatcher({ ...common, ...timed, queue: webhooks.queue(), slots: WEBHOOK_SLOTS })
  const dispatcher = new Dispatcher({
    ...common,
    ...timed,
    ...journalIn(config.dataDir, services.deliveries.table, log),
    queue: deliverer.queue(),
    slots: SLOTS,
    // What became of a mail is what endpoints are told.
    observe: ({ kind }) => kind === 'recorded' && webhookDispatcher.lookSoon(),
  })
  const reporter = new QueueReporter({
    reports: services.queueReports,
    dispatcher,
    tally,
    connectionsAt: (site) => routing.connectionsAt(site),
    clock: steady ?? steadyClock,
    log,
  })
  const onRecorded = (): void => webhookDispatcher.lookSoon()
  const sms = smsWorkers(services, { clock, steady, log, outside, common: { ...common, ...timed }, onRecorded })
  const looks = hostLooks(db, services, log)
  // A worker that gets no connection ends here and says why; later, it waits for the database.
  await isSendingOn(db)
  runner.start()
  // Not in the first moments, which belong to those who wait for the start.
  if (config.dkimKeysAhead > 0) await db.transaction((tx) => enqueueMakingKeys(tx, FIRST_KEYS_AFTER_MS))
  services.doorbell.start()
  dispatcher.start()
  reporter.start()
  webhookDispatcher.start()
  automations.start()
  await sms.start()
  looks.start()
  return {
    tallies,
    stop: async () => {
      await reporter.stop()
      const parts = [looks, runner, automations, dispatcher, webhookDispatcher, sms]
      await Promise.all(parts.map((part) => part.stop()))
      isolation.stop()
      await Promise.all([routing.stop(), poster.stop(), services.parsers.stop(), services.renderers.stop()])
      await services.doorbell.stop()
      await db.close()
    },
  }
}
