export interface Limits {
  /**
   * One step is counted for every value read, filter called, round of a loop, and for every 64 characters. A step is at
   * most about a microsecond of work, whatever the template and its values are; a test checks every filter.
   */
  readonly steps: number
  /** Characters of the result, and of any text made on the way to it. */
  readonly output: number
}

export const defaultLimits: Limits = { steps: 100_000, output: 2 * 1024 * 1024 }

/** The template wants more than it may have. Caught by `render`, which makes a value of it. */
export class Runaway extends Error {
  override readonly name = 'Runaway'
  readonly limit: keyof Limits

  constructor(limit: keyof Limits, message: string) {
    super(message)
    this.limit = limit
  }
}

/**
 * Counts work instead of time: the same template and the same values end in the same way on a busy machine and on an
 * idle one. Everything that takes time must be counted, so code that walks over a text or a list pays by its length.
 */
export class Budget {
  readonly #limits: Limits
  #left: number

  constructor(limits: Limits) {
    this.#limits = limits
    this.#left = limits.steps
  }

  get left(): number {
    return this.#left
  }

  spend(steps: number): void {
    this.#left -= steps
    // Written so that NaN, from infinity minus infinity, is refused as well.
    if (!(this.#left >= 0)) throw new Runaway('steps', `the template takes more than ${this.#limits.steps} steps`)
  }

  /** Pays for looking at a text of this length. */
  handle(length: number): void {
    this.spend(1 + Math.floor(length / 64))
  }

  /** Refuses a text that has become, or is about to become, longer than the result may be. */
  admit(length: number): void {
    if (length > this.#limits.output) {
      throw new Runaway('output', `the template makes more than ${this.#limits.output} characters`)
    }
  }
}
