import { expect, test } from 'vitest'
import { seedFor } from '../support/seed.ts'

/** One line of the report. */
export interface Line {
  promise: string
  promised: string
  measured: string
  isKept: boolean
  seed: number
}

declare module 'vitest' {
  interface TaskMeta {
    lines?: Line[]
    faults?: Record<string, number>
  }
}

export interface Run {
  /** From 0 to 1, the same again with the same seed. */
  random(): number
  between(least: number, most: number): number
  /** So many in a whole run; fewer where CHAOS_SCALE says so, as for the deliberate breaks. */
  scaled(count: number): number
  /** What was done to the system, as somebody outside of it has seen it. */
  hit(fault: string, times: number): void
  /** What was promised beside what was measured. */
  line(promise: string, promised: string, measured: string, isKept: boolean): void
}

const SCALE = Number(process.env['CHAOS_SCALE'] ?? 1)

/**
 * A promise under faults. It is red when a line of it is not kept, and when a fault that it is about was never hit: a
 * storm that did not come proves nothing.
 */
export function chaos(what: string, act: (run: Run) => Promise<void>): void {
  test(what, async ({ task }) => {
    const seed = seedFor(what)
    const random = randomFrom(seed)
    const lines: Line[] = (task.meta.lines = [])
    const faults: Record<string, number> = (task.meta.faults = {})
    await act({
      random,
      between: (least, most) => least + random() * (most - least),
      scaled: (count) => Math.max(1, Math.round(count * SCALE)),
      hit: (fault, times) => (faults[fault] = (faults[fault] ?? 0) + times),
      line: (promise, promised, measured, isKept) => lines.push({ promise, promised, measured, isKept, seed }),
    })
    expect(lines, 'nothing was measured').not.toEqual([])
    expect(Object.entries(faults).filter(([, times]) => times === 0)).toEqual([])
    expect(lines.filter(({ isKept }) => !isKept)).toEqual([])
  })
}

/** Mulberry32: small, and good enough to choose victims. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The value below which this share of them lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
