import { encodeId, type Id } from '../../core/ids.ts'
import { percentile } from './latency.ts'
import { mailCounts, type MailCount, type MailGroup } from './kinds.ts'
import { MAIL_LATENCY_MS, WEBHOOK_LATENCY_MS } from './limits.ts'
import type { Question } from './question.ts'
import type { Latency, MailCounts, MailStatistics, WebhookCounts, WebhookStatistics } from './schema.ts'
import type { Sums } from './store/numbers.ts'

export interface Waiting {
  recipients: number
  isMore: boolean
  oldestAt: Date | null
}

export function mailView(
  question: Question,
  groupBy: MailGroup | undefined,
  sums: readonly Sums[],
  now: Date,
  { oldestAt, ...waiting }: Waiting,
): MailStatistics {
  const all = seriesOf(sums)
  const whole = all.flatMap(({ sum }) => sum ?? [])
  const shown = groupBy === undefined && all.length === 0 ? [nothingAtAll] : all
  return {
    ...frame(question, now),
    totals: mailCountsOf(added(whole.map(({ counts }) => counts))),
    latency: latencyOf(added(whole.map(({ latencies }) => latencies ?? []))),
    waiting: { ...waiting, oldestAt: oldestAt?.toISOString() ?? null },
    series: shown.map(({ key, sum, points }) => ({
      key: keyOf(groupBy, key),
      totals: mailCountsOf(sum?.counts ?? []),
      points: beginningsOf(question).map((at, i) => ({ at, ...mailCountsOf(points.get(i + 1)?.counts ?? []) })),
      latency: latencyOf(sum?.latencies ?? []),
    })),
  }
}

export function webhookView(
  question: Question,
  key: string | null,
  sums: readonly Sums[],
  now: Date,
): WebhookStatistics {
  const { sum, points } = seriesOf(sums)[0] ?? nothingAtAll
  return {
    ...frame(question, now),
    totals: webhookCountsOf(sum),
    series: [{ key, points: beginningsOf(question).map((at, i) => ({ at, ...webhookCountsOf(points.get(i + 1)) })) }],
  }
}

interface Series {
  key: string | null
  /** Of all its points. */
  sum: Sums | undefined
  points: Map<number, Sums>
}

const nothingAtAll: Series = { key: null, sum: undefined, points: new Map() }

/** The largest first; of equal ones, by their names. */
export function seriesOf(sums: readonly Sums[]): Series[] {
  const all = new Map<string | null, Series>()
  for (const one of sums) {
    const series = all.get(one.key) ?? { key: one.key, sum: undefined, points: new Map() }
    all.set(one.key, series)
    if (one.period === null) series.sum = one
    else series.points.set(one.period, one)
  }
  const size = ({ sum }: Series): number => Math.max(...(sum?.counts ?? [0]))
  return [...all.values()].toSorted((a, b) => size(b) - size(a) || ((a.key ?? '') < (b.key ?? '') ? -1 : 1))
}

function keyOf(groupBy: MailGroup | undefined, key: string | null): string | null {
  if (key === null || /^[0-]+$/.test(key)) return null
  if (groupBy === 'domain') return encodeId('dom', key as Id<'dom'>)
  return groupBy === 'template' ? encodeId('tpl', key as Id<'tpl'>) : key
}

const frame = ({ bounds, step }: Question, now: Date) => ({
  from: bounds[0]?.toISOString() ?? '',
  to: bounds.at(-1)?.toISOString() ?? '',
  step,
  asOf: now.toISOString(),
})

const beginningsOf = ({ bounds, withPoints }: Question): string[] =>
  withPoints ? bounds.slice(0, -1).map((bound) => bound.toISOString()) : []

/** Lists of equal length, place by place. */
const added = (lists: readonly (readonly number[])[]): number[] =>
  lists.reduce<number[]>((sum, list) => list.map((value, i) => value + (sum[i] ?? 0)), [])

const mailCountsOf = (counts: readonly number[]): MailCounts => {
  const count = (name: MailCount): number => counts[places[name]] ?? 0
  return {
    accepted: count('accepted'),
    delivered: count('delivered'),
    deferred: count('deferred'),
    bounced: count('bounced'),
    filteredspam: count('filteredspam'),
    quarantined: count('quarantined'),
    suppressed: count('suppressed'),
    failed: count('failed'),
    opened: count('opened'),
    clicked: count('clicked'),
    unsubscribed: count('unsubscribed'),
  }
}

/** Where each count stands in a row. */
const places = Object.fromEntries(mailCounts.map((name, i) => [name, i])) as Record<MailCount, number>

const latencyOf = (counts: readonly number[]): Latency => ({
  p50: percentile(counts, MAIL_LATENCY_MS, 0.5),
  p95: percentile(counts, MAIL_LATENCY_MS, 0.95),
  p99: percentile(counts, MAIL_LATENCY_MS, 0.99),
})

function webhookCountsOf(sum: Sums | undefined): WebhookCounts {
  const [delivered = 0, failed = 0, attempts = 0] = sum?.counts ?? []
  return { delivered, failed, attempts, p95Ms: percentile(sum?.latencies ?? [], WEBHOOK_LATENCY_MS, 0.95) }
}
