/** Percentiles of times that are known by their class only. */

/**
 * The time within which this share of all was done, or null if there was nothing. Inside of a class times are taken to be
 * spread evenly.
 */
export function percentile(counts: readonly number[], ends: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let left = total * share
  for (const [i, count] of counts.entries()) {
    const [begin, end] = [ends[i - 1] ?? 0, ends[i] ?? 0]
    if (count > 0 && left <= count) return Math.round(begin + ((end - begin) * left) / count)
    left -= count
  }
  return ends.at(-1) ?? null
}
