import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Role } from '../config/schema.ts'
import { backoffMs, type Backoff } from '../core/backoff.ts'
import { SetupError } from '../core/errors.ts'
import type { FromRole, ToRole } from './role-messages.ts'

/** The first restart is immediate; a process that keeps dying is given more and more time. */
const RESTARTS: Backoff = { first: 250, most: 15_000, spread: 0.2 }
const STEADY_AFTER_MS = 10_000
/** A process whose event loop has stood still for this long will not come back by itself. */
const SILENT_TOO_LONG_MS = 120_000

const program = fileURLToPath(new URL('role.ts', import.meta.url))

export interface RoleEvents {
  ready(role: RoleProcess, child: ChildProcess): void
  /** It gets no more connections: it is leaving, or it is gone. */
  away(role: RoleProcess, child: ChildProcess): void
  died(role: RoleProcess, how: string): void
}

/** Keeps one process of a role running until it is told to stop. */
export class RoleProcess {
  readonly role: Role
  restarts = 0
  up = false
  readonly #env: NodeJS.ProcessEnv
  readonly #events: RoleEvents
  #child: ChildProcess | undefined
  #stopping = false
  #failures = 0
  #restart: NodeJS.Timeout | undefined
  #exited: Promise<void> = Promise.resolve()

  constructor(role: Role, env: NodeJS.ProcessEnv, events: RoleEvents) {
    this.role = role
    this.#env = env
    this.#events = events
  }

  /** Resolves when the process is ready; rejects when its first start fails. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => this.#launch(resolve, reject))
  }

  say(message: ToRole): void {
    if (this.#child?.connected) this.#child.send(message, () => {})
  }

  /** Asks the process to finish what it has begun, and waits; what is not done after `graceMs` is cut off. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#restart)
    this.say({ type: 'stop' })
    const cutOff = setTimeout(() => this.kill(), graceMs)
    await this.#exited
    clearTimeout(cutOff)
  }

  kill(): void {
    this.#child?.kill('SIGKILL')
  }

  #launch(ready: () => void = () => {}, failed: (error: Error) => void = () => {}): void {
    const started = Date.now()
    const child = fork(program, [this.role], { env: this.#env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.#child = child
    let lastWord = Date.now()
    const watch = setInterval(() => Date.now() - lastWord > SILENT_TOO_LONG_MS && child.kill('SIGKILL'), 5_000)
    child.on('message', (message: FromRole) => {
      lastWord = Date.now()
      if (message.type === 'fatal') failed(new SetupError(`The ${this.role} process cannot start: ${message.message}`))
      if (message.type === 'leaving') {
        this.#events.away(this, child)
        child.send({ type: 'stop' } satisfies ToRole)
      }
      if (message.type === 'ready') {
        this.up = true
        this.#events.ready(this, child)
        ready()
      }
    })
    this.#exited = new Promise((exited) => {
      child.once('exit', (code, signal) => {
        clearInterval(watch)
        this.up = false
        exited()
        this.#events.away(this, child)
        failed(new SetupError(`The ${this.role} process ended before it was ready (${signal ?? `exit code ${code}`}).`))
        if (!this.#stopping) this.#comeBack(started, signal ?? `exit code ${code}`)
      })
    })
  }

  #comeBack(started: number, how: string): void {
    this.#failures = Date.now() - started > STEADY_AFTER_MS ? 0 : this.#failures + 1
    this.restarts++
    const wait = this.#failures <= 1 ? 0 : backoffMs(this.#failures - 2, RESTARTS, Math.random)
    this.#events.died(this, how)
    this.#restart = setTimeout(() => this.#launch(), wait)
  }
}
