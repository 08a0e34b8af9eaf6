import type { Budget } from '../budget.ts'
import { textOf } from '../values.ts'

/** A filter knows only this besides its input and arguments. */
export interface FilterContext {
  readonly budget: Budget
  /** The output is HTML, for which some filters return Markup. */
  readonly html: boolean
  /** `"now" | date` uses this time, in milliseconds since the epoch. */
  readonly now: () => number
}

export type Filter = (input: unknown, args: readonly unknown[], context: FilterContext) => unknown

/**
 * A Signature is a filter with its number of arguments; `options` are given by name and follow the others in `args`.
 */
export interface Signature {
  readonly apply: Filter
  readonly least: number
  readonly most: number
  readonly options: readonly string[]
}

export const takes = (least: number, most: number, apply: Filter, options: readonly string[] = []): Signature => ({
  apply,
  least,
  most,
  options,
})

/** Finding something and replacing it costs this part of a step. */
export const PER_MATCH = 1 / 4

/** Changing the case of letters beyond ASCII costs this many times a plain walk. */
export const CASED = 2

/** Replacing what a regular expression finds in a text costs this many times a plain walk. */
export const WALKED_BY_PATTERN = 4

/**
 * Returns the text of an input or argument and pays for it: every filter that asks for it walks over it. A filter whose
 * walk costs more says how many times as much.
 */
export function textFor(value: unknown, { budget }: FilterContext, times = 1): string {
  const text = textOf(value, budget)
  budget.handle(text.length * times)
  return text
}
