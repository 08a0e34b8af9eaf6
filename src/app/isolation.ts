/**
 * Delivers what is suspected of killing whoever sends it, in a process that has nothing else in its hands: when that one
 * dies, we know of what.
 *
 * The process is kept for the next message. When workers die one after the other, for whatever reason, hundreds may fall
 * under suspicion, most of them innocent, and a new process for each takes a second. But one that has carried others may
 * die of what those left behind: its death is no proof, and the message gets a process that has carried nothing.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Item, Lease } from '../dispatch/queue.ts'
import type { Delivered } from '../resources/emails/index.ts'
import type { FromCourier, ToCourier } from './courier-messages.ts'
import { Heartbeat } from '../process/heartbeat.ts'

const program = fileURLToPath(new URL('courier.ts', import.meta.url))

type Message = Pick<Item, 'id' | 'destination'>

/** When a process could not even begin, which says nothing about the message. */
const AGAIN_AFTER_MS = 30_000
/** Before a message that may have left is sent once more. */
const UNKNOWN_MS = 60_000
/** How long a process without work is kept. */
const IDLE_MS = 5_000

export class Isolation {
  readonly #env: NodeJS.ProcessEnv
  /** Messages with which a process died that had carried others. */
  readonly #unclear = new Set<string>()
  #idle: Courier | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env
  }

  /** Undefined when the process died of this message, or because the lease was lost. */
  async deliver(message: Message, lease: Lease): Promise<Delivered | undefined> {
    const courier = this.#courierFor(message)
    const end = await courier.carry(message, lease)
    if (end.kind === 'outcome') {
      this.#unclear.delete(message.id)
      this.#keep(courier)
      return end.outcome
    }
    if (lease.signal.aborted) return undefined
    if (!courier.isFresh) {
      this.#unclear.add(message.id)
      return end.mayHaveLeft ? later(UNKNOWN_MS) : this.deliver(message, lease)
    }
    if (!end.hasBegun) return later(AGAIN_AFTER_MS)
    this.#unclear.delete(message.id)
    return undefined
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#idle?.end()
    this.#idle = undefined
  }

  #courierFor({ id }: Message): Courier {
    const kept = this.#idle
    if (kept === undefined || kept.isOver || this.#unclear.has(id)) return new Courier(this.#env)
    clearTimeout(this.#timer)
    this.#idle = undefined
    return kept
  }

  #keep(courier: Courier): void {
    this.stop()
    this.#idle = courier
    this.#timer = setTimeout(() => this.stop(), IDLE_MS)
    this.#timer.unref()
  }
}

const later = (afterMs: number): Delivered => ({ kind: 'returned', afterMs, whom: undefined })

type End = { kind: 'outcome'; outcome: Delivered } | { kind: 'death'; hasBegun: boolean; mayHaveLeft: boolean }

interface Errand {
  lease: Lease
  hasBegun: boolean
  mayHaveLeft: boolean
  settle(end: End): void
}

/** The process as seen from here. */
class Courier {
  readonly #process: ChildProcess
  readonly #heartbeat: Heartbeat
  #errand: Errand | undefined
  #errands = 0
  isOver = false

  constructor(env: NodeJS.ProcessEnv) {
    this.#process = fork(program, [], { env, serialization: 'advanced' })
    // A message that lets its process stand still is as bad as one that ends it.
    this.#heartbeat = new Heartbeat(this.#process.pid, () => this.end())
    this.#process.on('message', (message: FromCourier) => this.#hear(message))
    this.#process.on('exit', () => this.#over())
    // It may not have been possible to start it.
    this.#process.on('error', () => this.#over())
  }

  /** It has carried nothing but the message that it was given last. */
  get isFresh(): boolean {
    return this.#errands === 1
  }

  async carry({ id, destination }: Message, lease: Lease): Promise<End> {
    const { promise, resolve: settle } = Promise.withResolvers<End>()
    const giveUp = (): void => this.end()
    this.#errands++
    this.#errand = { lease, hasBegun: false, mayHaveLeft: false, settle }
    lease.signal.addEventListener('abort', giveUp, { once: true })
    this.#say({ type: 'deliver', item: { id, destination } })
    if (this.isOver) this.#over()
    const end = await promise
    lease.signal.removeEventListener('abort', giveUp)
    this.#errand = undefined
    return end
  }

  end(): void {
    this.#process.kill('SIGKILL')
  }

  #say(message: ToCourier): void {
    this.#process.send(message, () => {})
  }

  #hear(message: FromCourier): void {
    if (message.type === 'alive') return this.#heartbeat.heard(message)
    const errand = this.#errand
    if (errand === undefined) return
    const { lease } = errand
    switch (message.type) {
      case 'begun':
        errand.hasBegun = true
        break
      case 'may I begin':
        void lease.confirm().then((permission) => this.#say({ type: 'permission', permission }))
        break
      case 'passing':
        errand.mayHaveLeft = true
        void lease.recordMayLeave().then(() => this.#say({ type: 'noted' }))
        break
      case 'suspend':
        lease.destination.suspend(message.ms)
        break
      case 'restrict':
        lease.destination.restrict(message.limits, message.ms)
        break
      case 'outcome':
        errand.settle({ kind: 'outcome', outcome: message.outcome })
    }
  }

  #over(): void {
    this.isOver = true
    this.#heartbeat.stop()
    const { hasBegun = false, mayHaveLeft = false } = this.#errand ?? {}
    this.#errand?.settle({ kind: 'death', hasBegun, mayHaveLeft })
  }
}
