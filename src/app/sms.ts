import { steadyClock, type Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { SmsDeliverer } from '../delivery/sms/deliver.ts'
import { Dispatcher, type DispatcherOptions } from '../dispatch/dispatcher.ts'
import { Poster } from '../net/post.ts'
import { SmsLookups } from '../resources/sms/index.ts'
import type { CarrierAdapter, CarrierSink } from '../sms/carrier.ts'
import type { Services } from './compose.ts'
import type { NetworkSettings } from './delivery.ts'
import { journalIn } from './journal.ts'
import { carrierOf, plainTextWarning } from './sms-connections.ts'

/** Parts in hand. After a crash so many can be of unknown outcome at most. */
const SLOTS = 500
const SIMULATION_SLOTS = 100
const ANSWER_WITHIN_MS = 30_000
const DRAIN_MS = 10_000

interface Deps {
  clock: Clock
  steady: Clock | undefined
  log: Log
  outside: Partial<NetworkSettings>
  common: Pick<DispatcherOptions<never>, 'db' | 'name' | 'log' | 'random' | 'doorbell'>
  /** Told when something happened that endpoints may want to know. */
  onRecorded: () => void
}

/** What submits SMS to carriers, and plays the simulator. Without the gate of the installation no carrier is dialled. */
export function smsWorkers(
  services: Services,
  { clock, steady = steadyClock, log, outside, common, onRecorded }: Deps,
) {
  const { sms, config, dns, egress } = services
  const { authorities } = outside
  const poster = new Poster({ dns, egress, timeoutMs: ANSWER_WITHIN_MS, ...(authorities ? { authorities } : {}) })
  const connections = config.smsLiveEnabled ? Object.entries(services.smsConnections) : []
  const around = { config, dns, egress, poster, clock, log, authorities }
  const carriers = new Map<string, CarrierAdapter>(
    connections.map(([name, settings]) => [name, carrierOf(name, settings, around)]),
  )
  const { outcomes, reports, phones } = sms
  const submitter = new SmsDeliverer({
    outcomes,
    reports,
    phones,
    carriers,
    timeScale: config.smsSimTimeScale,
    clock,
    steady,
    random: Math.random,
    processes: () => submitting.peers,
    log,
  })
  const lookups = new SmsLookups({ db: common.db, outcomes, reports, phones, carriers, log })
  const simulating = new Dispatcher({ ...common, queue: sms.simulations.queue(), slots: SIMULATION_SLOTS })
  const submitting = new Dispatcher({
    ...common,
    ...journalIn(config.dataDir, outcomes.table, log),
    queue: submitter.queue(),
    slots: SLOTS,
    observe: ({ kind }) => {
      if (kind !== 'recorded') return
      onRecorded()
      simulating.lookSoon()
    },
  })
  return {
    start: async (): Promise<void> => {
      for (const [name, settings] of connections) {
        const warning = plainTextWarning(name, settings)
        if (warning !== undefined)
          log.warn({ connection: name, advice: warning }, 'carrier connection is not encrypted')
      }
      for (const [name, carrier] of carriers) await carrier.start(sinkOf(services, name))
      submitting.start()
      lookups.start()
      simulating.start()
    },
    stop: async (): Promise<void> => {
      await Promise.all([submitting.stop(), simulating.stop(), lookups.stop()])
      await Promise.all([...carriers.values()].map((carrier) => carrier.stop(DRAIN_MS)))
      await poster.stop()
    },
  }
}

/** Where what a carrier says is kept. */
export const sinkOf = ({ sms }: Services, connection: string): CarrierSink => ({
  receipt: (receipt) => sms.reports.receipt(connection, receipt),
  inbound: (part) => sms.inbox.part(connection, part),
  answeredLate: (part, outcome) => sms.outcomes.answeredLate(connection, part.partId, outcome),
})
