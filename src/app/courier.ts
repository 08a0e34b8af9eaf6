/**
 * A process for one message at a time: a message that two workers crashed with is sent from here, so that a third crash
 * harms no other message. The worker that started us holds the row; we ask it over the channel before the message leaves,
 * and report the outcome to it.
 */
import { loadConfig } from '../config/load.ts'
import { systemClock } from '../core/clock.ts'
import { armFailpoints } from '../core/failpoint.ts'
import type { Destination, Lease } from '../dispatch/queue.ts'
import { Database } from '../storage/postgres.ts'
import type { FromCourier, ToCourier } from './courier-messages.ts'
import { deliveryEngine } from './delivery.ts'
import { deliveryServices } from './delivery-services.ts'
import { nobodyPaused } from '../resources/queue/index.ts'
import { startBeating } from '../process/heartbeat.ts'
import { createLogger } from '../process/logger.ts'
import { Vault } from './vault.ts'

armFailpoints(process.env['POSTHOUSE_FAILPOINTS'] ?? '')
const config = loadConfig(process.env)
const log = createLogger('courier', config.logLevel)
const db = new Database({ url: config.databaseUrl ?? '', name: 'courier', connections: 2 })
const services = deliveryServices({
  db,
  vault: new Vault(config, db),
  config,
  clock: systemClock,
  log,
  // The worker asks whether a message may leave, and records what became of it.
  publish: notHere,
  templateHooks: { usersOf: notHere },
  deliveryHooks: { gates: [], paused: nobodyPaused, lockPauses: notHere, progress: notHere },
})
const { deliverer } = deliveryEngine(services, { config, clock: systemClock, log, processes: () => 1, outside: {} })

const { handle, failed } = deliverer.queue()

let answer: (permission: Awaited<ReturnType<Lease['confirm']>>) => void = () => {}
let noted: () => void = () => {}
const destination: Destination = {
  suspend: (ms) => send({ type: 'suspend', ms }),
  restrict: (limits, ms) => send({ type: 'restrict', limits, ms }),
  slowDown: () => {},
  succeeded: () => {},
  failed: () => {},
  charge: () => {},
  note: () => {},
  inTurn: (work) => work(),
}
const lease: Lease = {
  holds: () => process.connected,
  confirm: () =>
    new Promise((resolve) => {
      answer = resolve
      send({ type: 'may I begin' })
    }),
  recordMayLeave: () =>
    new Promise((resolve) => {
      noted = resolve
      send({ type: 'passing' })
    }),
  // The worker holds the lease and records the outcome.
  lock: async () => false,
  destination,
  destinationNamed: () => destination,
  signal: new AbortController().signal,
}

startBeating(send)
process.on('message', (message: ToCourier) => {
  if (message.type === 'permission') answer(message.permission)
  if (message.type === 'noted') noted()
  if (message.type === 'deliver') void deliver(message.item)
})
process.on('disconnect', () => process.exit())

async function deliver(item: (ToCourier & { type: 'deliver' })['item']): Promise<void> {
  send({ type: 'begun' })
  const whole = { ...item, lane: 0, crashes: 0 }
  // What it cannot read, it gives back: a database that is away is no fault of the message.
  const outcome = await handle(whole, lease).catch((error: unknown) => failed(whole, error))
  send({ type: 'outcome', outcome })
}

function notHere(): never {
  throw new Error('a courier delivers and does nothing else')
}

function send(message: FromCourier): void {
  process.send?.(message)
}
