import type { Position, Problem } from './syntax.ts'

/** A source full of mistakes must not become an answer of many megabytes. */
const MAX_PROBLEMS = 100

/**
 * The error is thrown while one tag or output is read and caught before the next, so that all problems of a template
 * are reported at once.
 */
export class Mistake extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.name = 'Mistake'
    this.offset = offset
  }
}

/** Collects the problems of one source, with their positions. */
export class Problems {
  readonly #found: Problem[] = []
  readonly #lineStarts: number[] = [0]

  constructor(source: string) {
    for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) this.#lineStarts.push(at + 1)
  }

  get full(): boolean {
    return this.#found.length >= MAX_PROBLEMS
  }

  get found(): readonly Problem[] {
    return this.#found.toSorted((a, b) => a.line - b.line || a.column - b.column)
  }

  positionOf(offset: number): Position {
    let [low, high] = [0, this.#lineStarts.length]
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return { line: low + 1, column: offset - (this.#lineStarts[low] ?? 0) + 1 }
  }

  add(message: string, where: number | Position): void {
    if (this.full) return
    const { line, column } = typeof where === 'number' ? this.positionOf(where) : where
    this.#found.push({ line, column, message })
  }

  /** Runs a step of the parser; what it finds wrong is written down and the step has no result. */
  noting<T>(step: () => T): T | undefined {
    try {
      return step()
    } catch (error) {
      if (!(error instanceof Mistake)) throw error
      this.add(error.message, error.offset)
      return undefined
    }
  }
}
