import type { Budget } from '../budget.ts'
import { textOf } from '../values.ts'

/** What a filter may know besides its input and arguments. There is no way from here to anything else. */
export interface FilterContext {
  readonly budget: Budget
  /** Whether HTML is being made, where some filters give Markup. */
  readonly html: boolean
  /** For `"now" | date`; milliseconds since the epoch. */
  readonly now: () => number
}

export type Filter = (input: unknown, args: readonly unknown[], context: FilterContext) => unknown

/** A filter with its number of arguments; `options` are given by name and follow the others in `args`. */
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

/** Of a step: what it costs to find something and to put something else in its place. */
export const PER_MATCH = 1 / 4

/** How many times as dear as a plain walk it is to change the case of letters that are not ASCII. */
export const CASED = 2

/** The same, to replace what a regular expression finds in a text. */
export const WALKED_BY_PATTERN = 4

/**
 * The text of an input or argument, paid for: every filter that asks for it is going to walk over it. A filter whose
 * walk is dearer than others says how many times as dear.
 */
export function textFor(value: unknown, { budget }: FilterContext, times = 1): string {
  const text = textOf(value, budget)
  budget.handle(text.length * times)
  return text
}
