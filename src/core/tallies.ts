/** Counts by series, as Prometheus writes a series: `name{label="value"}`. */
export type Counts = Readonly<Record<string, number>>

/**
 * What a process has counted since it started. It is handed to the process that shows the metrics of its node, so it is
 * plain data, and whoever counts must choose from few labels.
 */
export class Tallies {
  readonly #counts = new Map<string, number>()
  #hasNews = false

  add(name: string, labels: Readonly<Record<string, string>> = {}, by = 1): void {
    const series = seriesOf(name, labels)
    this.#counts.set(series, (this.#counts.get(series) ?? 0) + by)
    this.#hasNews = true
  }

  /** One observation of a histogram: it counts in every bucket that is wide enough for it. */
  observe(name: string, buckets: readonly number[], value: number): void {
    for (const bucket of buckets) this.add(`${name}_bucket`, { le: String(bucket) }, value <= bucket ? 1 : 0)
    this.add(`${name}_bucket`, { le: '+Inf' })
    this.add(`${name}_sum`, {}, value)
    this.add(`${name}_count`)
  }

  /** Undefined while nothing was counted since the last time. */
  news(): Counts | undefined {
    if (!this.#hasNews) return undefined
    this.#hasNews = false
    return Object.fromEntries(this.#counts)
  }
}

const seriesOf = (name: string, labels: Readonly<Record<string, string>>): string => {
  const written = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  return written.length === 0 ? name : `${name}{${written.join(',')}}`
}
