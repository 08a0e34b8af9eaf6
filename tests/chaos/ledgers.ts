import { eventually } from '../support/eventually.ts'
import type { Arrival, Recipients } from './recipients.ts'

/**
 * Returns the recipients who should have got mail and never did. Waits until every one has got it, or until none of the missing
 * got any for `silentMs`: how long all of it takes depends on the machine.
 */
export async function lostOf(
  people: Iterable<string>,
  servers: readonly Pick<Recipients, 'arrivals'>[],
  silentMs: number,
): Promise<string[]> {
  const missing = new Set(people)
  const seen = servers.map(() => 0)
  const hasCome = (before: number) => (): boolean => {
    for (const [i, { arrivals }] of servers.entries()) {
      for (const { to } of arrivals.slice(seen[i])) missing.delete(to)
      seen[i] = arrivals.length
    }
    return missing.size === 0 || missing.size < before
  }
  hasCome(Infinity)()
  while (missing.size > 0) {
    const before = missing.size
    await eventually('more has arrived', hasCome(before), silentMs).catch(() => {})
    if (missing.size === before) break
  }
  return [...missing]
}

/** The copies of those who got more than one, each in the order in which they came. */
export const repeatsIn = (servers: readonly Pick<Recipients, 'arrivals'>[]): Arrival[][] =>
  [
    ...Map.groupBy(
      servers.flatMap(({ arrivals }) => arrivals),
      ({ to }) => to,
    ).values(),
  ]
    .filter((copies) => copies.length > 1)
    .map((copies) => copies.toSorted((a, b) => a.at - b.at))

/** Byte by byte. */
export const areSame = (copies: readonly Arrival[]): boolean => new Set(copies.map(({ hash }) => hash)).size === 1

/** How long after a moment it happened for the first time; for ever, when it never did. */
export function firstAfter(times: Iterable<number>, moment: number): number {
  let first = Infinity
  for (const time of times) if (time > moment && time < first) first = time
  return first - moment
}
