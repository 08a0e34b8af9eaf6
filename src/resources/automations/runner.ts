import { backoffMs, type Backoff } from '../../core/backoff.ts'
import type { Log } from '../../core/log.ts'
import { Wakeup } from '../../dispatch/wakeup.ts'
import { AT_ONCE, type Executor } from './executor.ts'

/** How late a step may be when there is nothing else to do. */
const LOOK_MS = 250
const retry: Backoff = { first: 100, most: 5_000, spread: 0.2 }

/** Looks for runs that are due, as long as the process runs. */
export class AutomationRunner {
  readonly #options: { executor: Executor; log: Log; random: () => number }
  readonly #wakeup = new Wakeup()
  #stopping = false
  #loop: Promise<void> = Promise.resolve()

  constructor(options: { executor: Executor; log: Log; random: () => number }) {
    this.#options = options
  }

  start(): void {
    this.#loop = this.#lookUntilStopped()
  }

  /** Lets what has begun come to its end. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#wakeup.ring()
    await this.#loop
  }

  /** Everything that is due now. */
  async runOnce(): Promise<void> {
    while ((await this.#options.executor.advanceDue()) === AT_ONCE);
  }

  async #lookUntilStopped(): Promise<void> {
    const { executor, log, random } = this.#options
    let failures = 0
    while (!this.#stopping) {
      let pause = LOOK_MS
      try {
        if ((await executor.advanceDue()) === AT_ONCE) pause = 0
        failures = 0
      } catch (error) {
        if (failures === 0) log.warn({ err: error }, 'automation pass failed, retrying')
        pause = backoffMs(failures++, retry, random)
      }
      await this.#wakeup.wait(pause)
    }
  }
}
