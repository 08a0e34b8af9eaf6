import { equals, order } from '../compare.ts'
import { isTruthy, joined, listOf, numberOf, pathOf, propertyAt, sizeOf } from '../values.ts'
import { CASED, takes, textFor, type Signature, type FilterContext } from './filter.ts'

export const listFilters: Readonly<Record<string, Signature>> = {
  join: takes(0, 1, (input, [separator], around) =>
    joined(paid(input, around), separatorOf(separator, around), around.budget),
  ),
  size: takes(0, 0, (input, _, { budget }) => sizeOf(input, budget)),
  first: takes(0, 0, (input, _, around) => end(input, 'first', around)),
  last: takes(0, 0, (input, _, around) => end(input, 'last', around)),
  reverse: takes(0, 0, (input, _, around) => paid(input, around).toReversed()),
  sort: takes(0, 1, (input, [property], around) => sorted(input, property, inOrder, around)),
  sort_natural: takes(0, 1, (input, [property], around) => sorted(input, property, naturally, around)),
  uniq: takes(0, 0, (input, _, around) => unique(paid(input, around), around)),
  compact: takes(0, 0, (input, _, around) => paid(input, around).filter((item) => (item ?? null) !== null)),
  concat: takes(1, 1, (input, [other], around) => [...paid(input, around), ...paid(other, around)]),
  map: takes(1, 1, (input, [property], around) => mapped(input, property, around)),
  where: takes(1, 2, (input, [property, wanted], around) => chosen(input, property, wanted, true, around)),
  reject: takes(1, 2, (input, [property, wanted], around) => chosen(input, property, wanted, false, around)),
  sum: takes(0, 1, (input, [property], around) => sum(input, property, around)),
}

function paid(input: unknown, { budget }: FilterContext): readonly unknown[] {
  const list = listOf(input)
  budget.spend(list.length)
  return list
}

const separatorOf = (separator: unknown, around: FilterContext): string =>
  (separator ?? null) === null ? ' ' : textFor(separator, around)

/** Of a list, or the first and last character of a text. */
function end(input: unknown, which: 'first' | 'last', around: FilterContext): unknown {
  if (Array.isArray(input)) return input.at(which === 'first' ? 0 : -1)
  const text = typeof input === 'string' ? textFor(input, around) : ''
  const characters = Array.from(which === 'first' ? text.slice(0, 2) : text.slice(-2))
  return characters.at(which === 'first' ? 0 : -1) ?? ''
}

/** The engine hashes a longer text by its length alone: a set of such texts compares each with all others. */
const MAX_HASHED_LENGTH = 10_000

/** Comparisons that cost a step, should all entries of a set fall together: for numbers that can be brought about. */
const MEETINGS_PER_STEP = 256

function unique(list: readonly unknown[], { budget }: FilterContext): unknown[] {
  budget.spend(Math.floor(list.length ** 2 / MEETINGS_PER_STEP))
  const seen = new Set<unknown>()
  const long: string[] = []
  return list.filter((item) => {
    if (typeof item !== 'string' || item.length <= MAX_HASHED_LENGTH) return !seen.has(item) && seen.add(item)
    return !long.some((other) => equals(item, other, budget)) && long.push(item)
  })
}

type Order = (a: unknown, b: unknown, around: FilterContext) => number

function sorted(input: unknown, property: unknown, comparison: Order, around: FilterContext): readonly unknown[] {
  const list = paid(input, around)
  const path = isTruthy(property) ? pathOf(textFor(property, around)) : undefined
  const keyed = list.map((item) => ({ item, by: path === undefined ? item : propertyAt(item, path, around.budget) }))
  return keyed.toSorted((a, b) => missingLast(a.by, b.by) ?? comparison(a.by, b.by, around)).map(({ item }) => item)
}

function missingLast(a: unknown, b: unknown): number | undefined {
  const [noA, noB] = [(a ?? null) === null, (b ?? null) === null]
  return noA || noB ? Number(noA) - Number(noB) : undefined
}

/** Each comparison is paid for, the texts by their length. False comes before true. */
const inOrder: Order = (a, b, { budget }) => {
  budget.spend(1)
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  return order(a, b, budget) ?? 0
}

const naturally: Order = (a, b, around) => {
  const [x, y] = [textFor(a, around, CASED).toLowerCase(), textFor(b, around, CASED).toLowerCase()]
  return x < y ? -1 : x > y ? 1 : 0
}

function mapped(input: unknown, property: unknown, around: FilterContext): readonly unknown[] {
  const path = pathOf(textFor(property, around))
  return paid(input, around).map((item) => propertyAt(item, path, around.budget))
}

/** Without a wanted value, those whose property is neither nil nor false. */
function chosen(input: unknown, property: unknown, wanted: unknown, keep: boolean, around: FilterContext): unknown[] {
  const path = pathOf(textFor(property, around))
  return paid(input, around).filter((item) => {
    const found = propertyAt(item, path, around.budget)
    return keep === (wanted === undefined ? isTruthy(found) : equals(found, wanted, around.budget))
  })
}

function sum(input: unknown, property: unknown, around: FilterContext): number {
  const path = isTruthy(property) ? pathOf(textFor(property, around)) : undefined
  let total = 0
  for (const item of paid(input, around)) {
    total += numberOf(path === undefined ? item : propertyAt(item, path, around.budget), around.budget)
  }
  return total
}
