/**
 * Delivers mail that is suspected of crashing its worker, from a process that has nothing else in hand: when that
 * process ends, the mail is the cause. docs/decisions/0014 says why a worker does not do this itself.
 *
 * The process is kept for the next mail. When workers die one after the other, for whatever reason, hundreds of mails may
 * become suspects, and starting a process for each takes a second. But a process that has delivered others may die of
 * what those left behind: its death is no proof, and the mail gets a process that has delivered nothing.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Item, Lease } from '../dispatch/queue.ts'
import type { Delivered } from '../resources/emails/index.ts'
import type { FromCourier, ToCourier } from './courier-messages.ts'
import { Heartbeat } from '../process/heartbeat.ts'

const program = fileURLToPath(new URL('courier.ts', import.meta.url))

type Message = Pick<Item, 'id' | 'destination'>

/** A process that could not even begin says nothing about the mail, which is tried again after this time. */
const AGAIN_AFTER_MS = 30_000
/** A mail that may have left is sent once more after this time. */
const UNKNOWN_MS = 60_000
/** A process without work is kept for this time. */
const IDLE_MS = 5_000

export class Isolation {
  readonly #env: NodeJS.ProcessEnv
  /** Mails with which a process died that had delivered others before. */
  readonly #unclear = new Set<string>()
  #idle: Courier | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env
  }

  /** Undefined when the process died of this mail, or because the lease was lost. */
  async deliver(message: Message, lease: Lease): Promise<Delivered | undefined> {
    const courier = this.#courierFor(message)
    const end = await courier.deliver(message, lease)
    if (end.kind === 'outcome') {
      this.#unclear.delete(message.id)
      this.#keep(courier)
      return end.outcome
    }
    if (lease.signal.aborted) return undefined
    if (!courier.isFirstTask) {
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
    if (kept === undefined || kept.hasExited || this.#unclear.has(id)) return new Courier(this.#env)
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

const later = (afterMs: number): Delivered => ({ kind: 'returned', afterMs, recipient: undefined })

type End = { kind: 'outcome'; outcome: Delivered } | { kind: 'death'; hasBegun: boolean; mayHaveLeft: boolean }

interface Task {
  lease: Lease
  hasBegun: boolean
  mayHaveLeft: boolean
  settle(end: End): void
}

/** The process, as the worker sees it. */
class Courier {
  readonly #process: ChildProcess
  readonly #heartbeat: Heartbeat
  #task: Task | undefined
  #tasks = 0
  hasExited = false

  constructor(env: NodeJS.ProcessEnv) {
    this.#process = fork(program, [], { env, serialization: 'advanced' })
    // A mail that lets its process stand still is as bad as one that ends it.
    this.#heartbeat = new Heartbeat(this.#process.pid, () => this.end())
    this.#process.on('message', (message: FromCourier) => this.#receive(message))
    this.#process.on('exit', () => this.#exited())
    // It may not have been possible to start it.
    this.#process.on('error', () => this.#exited())
  }

  /** Whether it was given a single mail. */
  get isFirstTask(): boolean {
    return this.#tasks === 1
  }

  async deliver({ id, destination }: Message, lease: Lease): Promise<End> {
    const { promise, resolve: settle } = Promise.withResolvers<End>()
    const giveUp = (): void => this.end()
    this.#tasks++
    this.#task = { lease, hasBegun: false, mayHaveLeft: false, settle }
    lease.signal.addEventListener('abort', giveUp, { once: true })
    this.#send({ type: 'deliver', item: { id, destination } })
    if (this.hasExited) this.#exited()
    const end = await promise
    lease.signal.removeEventListener('abort', giveUp)
    this.#task = undefined
    return end
  }

  end(): void {
    this.#process.kill('SIGKILL')
  }

  #send(message: ToCourier): void {
    this.#process.send(message, () => {})
  }

  #receive(message: FromCourier): void {
    if (message.type === 'alive') return this.#heartbeat.heard(message)
    const task = this.#task
    if (task === undefined) return
    const { lease } = task
    switch (message.type) {
      case 'begun':
        task.hasBegun = true
        break
      case 'may I begin':
        void lease.confirm().then((permission) => this.#send({ type: 'permission', permission }))
        break
      case 'passing':
        task.mayHaveLeft = true
        void lease.recordMayLeave().then(() => this.#send({ type: 'noted' }))
        break
      case 'suspend':
        lease.destination.suspend(message.ms)
        break
      case 'restrict':
        lease.destination.restrict(message.limits, message.ms)
        break
      case 'outcome':
        task.settle({ kind: 'outcome', outcome: message.outcome })
    }
  }

  #exited(): void {
    this.hasExited = true
    this.#heartbeat.stop()
    const { hasBegun = false, mayHaveLeft = false } = this.#task ?? {}
    this.#task?.settle({ kind: 'death', hasBegun, mayHaveLeft })
  }
}
