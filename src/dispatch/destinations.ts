/**
 * The destinations of a queue, as far as anything is known of them. Nothing of this is stored: after a restart all
 * start afresh, and a destination of which nothing is under way, owed or forbidden is forgotten.
 */
import type { Clock } from '../core/clock.ts'
import { DestinationState } from './destination.ts'
import type { DestinationReport, Limits } from './queue.ts'

export class Destinations {
  readonly #limits: (destination: string) => Limits
  readonly #clock: Clock
  readonly #states = new Map<string, DestinationState>()

  constructor(limits: (destination: string) => Limits, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
  }

  /** How many rows may start now. */
  room(name: string): number {
    return (this.#states.get(name) ?? this.#fresh(name)).room
  }

  /** When there may be room again, by the clock; infinity while only the end of a row can make any. */
  opensAt(name: string): number {
    return (this.#states.get(name) ?? this.#fresh(name)).opensAt
  }

  named(name: string): DestinationState {
    let state = this.#states.get(name)
    if (state === undefined) {
      state = this.#fresh(name)
      this.#states.set(name, state)
    }
    return state
  }

  /** The names of those that are full or suspended. */
  blocked(): string[] {
    return [...this.#states].filter(([, { room }]) => room === 0).map(([name]) => name)
  }

  /** Keeps memory bounded by what is going on, however many destinations there were. */
  forgetIdle(): void {
    for (const [name, { isIdle }] of this.#states) if (isIdle) this.#states.delete(name)
  }

  /** What is known of at most so many that are not idle, those in trouble first. */
  reports(most: number): DestinationReport[] {
    const all = [...this.#states].filter(([, { isIdle }]) => !isIdle).map(([name, state]) => state.report(name))
    const rank = ({ troubledForMs }: DestinationReport): number => (troubledForMs === undefined ? 1 : 0)
    return all.length <= most ? all : all.toSorted((a, b) => rank(a) - rank(b)).slice(0, most)
  }

  get size(): number {
    return this.#states.size
  }

  #fresh(name: string): DestinationState {
    return new DestinationState(() => this.#limits(name), this.#clock)
  }
}
