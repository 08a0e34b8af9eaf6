import { fork, type ChildProcess } from 'node:child_process'
import type { Role } from '../config/schema.ts'
import { backoffMs, type Backoff } from '../core/backoff.ts'
import { SetupError } from '../core/errors.ts'
import type { Counts } from '../core/tallies.ts'
import { Heartbeat, type Beat } from './heartbeat.ts'
import type { FromRole, ToRole } from './role-messages.ts'
import { roleProgram, type RoleUser } from './role-user.ts'
import { debuggerOptions, stackOf, StandardError } from './stack-of.ts'

/** The first restart is immediate; a process that keeps dying is given more and more time. */
const RESTARTS: Backoff = { first: 250, most: 15_000, spread: 0.2 }
const STEADY_AFTER_MS = 3_000
/** On a busy machine a database that has only just started may not answer in time. */
const FIRST_STARTS = 3
/** How long a process may take to finish what it has begun. */
const GRACE_MS = 25_000
/** How long the standard error of a process that has ended is read. */
const LAST_WORDS_WITHIN_MS = 1_000
/** A signal to the whole process group reaches a role and us in any order; ours says that all of us are meant. */
const GROUP_SIGNAL_MS = 100

/**
 * Little room for what lives briefly: V8 grows it by tens of megabytes in every process and gives nothing back. Only the
 * worker is worth more, which has hundreds of mails in hand. What the operator says to Node counts more than this.
 */
const execArgvOf = (role: Role): string[] => [
  `--max-semi-space-size=${role === 'worker' ? 24 : 8}`,
  ...debuggerOptions,
  ...process.execArgv,
]

/** Where a role writes its log: straight to our standard error. Its own one comes to us (see `stack-of.ts`). */
const LOG_FD = 4

export interface RoleEvents {
  ready(role: RoleProcess, child: ChildProcess): void
  /** It has the connection with this number. */
  taken(role: RoleProcess, id: number): void
  /** What it has counted since it started, for the metrics. */
  counted(role: RoleProcess, counts: Counts): void
  /** It wants no more connections, but still works on those it has. */
  leaving(role: RoleProcess, child: ChildProcess): void
  /** It is gone, and everything it said was heard. */
  gone(role: RoleProcess, child: ChildProcess): void
  /** Its event loop stands still; it is about to be ended. */
  hung(role: RoleProcess, what: { pid: number | undefined; silentMs: number; stack: string | undefined }): void
  restarting(role: RoleProcess, why: string): void
}

interface Life {
  up: boolean
  /** Its own word on why it cannot go on. */
  fatal: string | undefined
  /** The database was away when it started. */
  isOutage: boolean
  ended: Promise<void>
}

/** What to tell whoever waits for the very first start. */
interface FirstStart {
  ready(): void
  failed(error: Error): void
}

/**
 * Keeps one process of a role running until it is told to stop. A process that was asked to leave works on until its
 * successor is ready, and then finishes what it has begun beside it, so for a moment there may be two.
 */
export class RoleProcess {
  readonly role: Role
  restarts = 0
  readonly #launchAs: RoleUser
  readonly #events: RoleEvents
  /** Those that have not ended. */
  readonly #children = new Map<ChildProcess, Life>()
  /** The one that is to stay. */
  #child: ChildProcess | undefined
  /** Those that leave when it is ready. */
  #outgoing: ChildProcess[] = []
  #wanted = true
  #failures = 0
  #restart: NodeJS.Timeout | undefined

  constructor(role: Role, launchAs: RoleUser, events: RoleEvents) {
    this.role = role
    this.#launchAs = launchAs
    this.#events = events
  }

  get up(): boolean {
    return [...this.#children.values()].some(({ up }) => up)
  }

  /** Resolves when the process is ready; rejects when its first start fails. */
  start(): Promise<void> {
    return new Promise((ready, failed) => this.#launch({ ready, failed }))
  }

  say(message: ToRole): void {
    if (this.#child) tell(this.#child, message)
  }

  /** A process that ends from now on is not started again. */
  disableRestarts(): void {
    this.#wanted = false
    clearTimeout(this.#restart)
  }

  /** Asks the process to finish what it has begun, and waits; what is not done in time is cut off. */
  async stop(): Promise<void> {
    this.disableRestarts()
    for (const [child, { up }] of this.#children) {
      if (up) retire(child)
      else child.kill('SIGKILL') // It has taken nothing in yet.
    }
    await Promise.all([...this.#children.values()].map(({ ended }) => ended))
  }

  kill(): void {
    this.disableRestarts()
    for (const child of this.#children.keys()) child.kill('SIGKILL')
  }

  #launch(first?: FirstStart): void {
    const started = Date.now()
    const child = fork(roleProgram, [this.role, String(LOG_FD)], {
      ...this.#launchAs.user,
      env: this.#launchAs.env,
      execArgv: execArgvOf(this.role),
      stdio: ['ignore', 'inherit', 'pipe', 'ipc', process.stderr.fd],
    })
    const standardError = new StandardError(child, (line) => process.stderr.write(`${line}\n`))
    const heartbeat = new Heartbeat(child.pid, (silentMs) => void this.#end(child, life, silentMs, standardError))
    const ended = endOf(child).then((how) => {
      heartbeat.stop()
      const why = life.fatal ?? how
      this.#children.delete(child)
      this.#events.gone(this, child)
      if (first && !life.up && life.isOutage && this.#wanted && ++this.#failures < FIRST_STARTS)
        return this.#launch(first)
      if (first && !life.up) this.#wanted = false
      first?.failed(new SetupError(`The ${this.role} process ended before it was ready (${why}).`))
      if (child === this.#child && this.#wanted) this.#comeBack(started, why)
    })
    const life: Life = { up: false, fatal: undefined, isOutage: false, ended }
    this.#child = child
    this.#children.set(child, life)
    child.on('message', (message: FromRole) => {
      if (message.type === 'alive') heartbeat.heard(message)
      else this.#hear(child, life, message, first)
    })
  }

  /** What it had in hand is taken up by its successor, as after any other death. */
  async #end(child: ChildProcess, life: Life, silentMs: number, standardError: StandardError): Promise<void> {
    const { pid } = child
    life.fatal = `its event loop stood still for ${Math.round(silentMs / 1_000)} s`
    const stack = await stackOf(child, standardError)
    this.#events.hung(this, { pid, silentMs, stack })
    child.kill('SIGKILL')
  }

  #hear(child: ChildProcess, life: Life, message: Exclude<FromRole, Beat>, first: FirstStart | undefined): void {
    switch (message.type) {
      case 'ready':
        life.up = true
        this.#events.ready(this, child)
        this.#release()
        first?.ready()
        return
      case 'fatal':
        life.fatal = message.message
        life.isOutage = message.isOutage
        return
      case 'taken':
        this.#events.taken(this, message.id)
        return
      case 'counts':
        this.#events.counted(this, message.counts)
        return
      case 'leaving':
        setTimeout(() => this.#replace(child), GROUP_SIGNAL_MS)
    }
  }

  #replace(child: ChildProcess): void {
    // While the node stops, the order in which its processes leave is not theirs to choose.
    if (!this.#wanted || child !== this.#child) return
    this.#outgoing.push(child)
    this.restarts++
    this.#events.restarting(this, 'asked to leave')
    this.#launch()
  }

  #release(): void {
    for (const child of this.#outgoing.splice(0)) {
      this.#events.leaving(this, child)
      retire(child)
    }
  }

  #comeBack(started: number, why: string): void {
    this.#failures = Date.now() - started > STEADY_AFTER_MS ? 0 : this.#failures + 1
    this.restarts++
    const wait = this.#failures <= 1 ? 0 : backoffMs(this.#failures - 2, RESTARTS, Math.random)
    this.#events.restarting(this, why)
    this.#restart = setTimeout(() => this.#launch(), wait)
  }
}

function tell(child: ChildProcess, message: ToRole): void {
  // A process that is no longer there to listen is noticed by its end, not here.
  if (child.connected) child.send(message, () => {})
}

function retire(child: ChildProcess): void {
  tell(child, { type: 'stop' })
  const cutOff = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
  child.once('exit', () => clearTimeout(cutOff))
}

/**
 * Says how a process ended, once it has and everything that it said was read: `close` comes after both, whereas
 * `disconnect` may stay away when a process dies in the middle of a message. One that the system would not even start
 * ends with the system's reason. A process that the dead one had started holds the same standard error and may live on,
 * so what the dead one wrote is read for a moment only.
 */
const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.on('error', (error) => child.pid === undefined && resolve(error.message))
    child.once('exit', () => {
      const enough = setTimeout(() => child.stderr?.destroy(), LAST_WORDS_WITHIN_MS)
      child.once('close', () => clearTimeout(enough))
    })
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
