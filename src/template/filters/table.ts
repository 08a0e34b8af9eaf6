import { dateFilter } from './date.ts'
import type { Filter, Signature } from './filter.ts'
import { jsonFilter } from './json.ts'
import { listFilters } from './list.ts'
import { fallbackFilter, markupFilters } from './markup.ts'
import { numberFilters } from './number.ts'
import { textFilters } from './text.ts'

/** All there are. A Map, because a name comes from the template and must not reach a prototype. */
export const filters: ReadonlyMap<string, Signature> = new Map(
  Object.entries({
    ...textFilters,
    ...listFilters,
    ...numberFilters,
    ...markupFilters,
    default: fallbackFilter,
    date: dateFilter,
    json: jsonFilter,
  }),
)

export const signatureOf = (name: string): Signature | undefined => filters.get(name)

export const filterFor = (name: string): Filter => filters.get(name)?.apply ?? ((input) => input)
