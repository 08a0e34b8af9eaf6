import { expect } from 'vitest'
import type { World } from './world.ts'

export const mailKinds =
  'accepted delivered deferred bounced filteredspam quarantined suppressed failed opened clicked unsubscribed'.split(
    ' ',
  )

export type Counts = Record<string, number>

export interface Latency {
  p50: number | null
  p95: number | null
  p99: number | null
}

export interface MailNumbers {
  from: string
  to: string
  asOf: string
  totals: Counts
  latency: Latency
  waiting: { recipients: number; isMore: boolean; oldestAt: string | null }
  series: { key: string | null; totals: Counts; points: ({ at: string } & Counts)[]; latency: Latency }[]
}

/** Something that happened to one recipient, as the test itself knows it. */
export interface Happened {
  at: number
  kind: string
  domain: string | null
  provider: string
  source: string
  template: string | null
  tags: readonly string[]
  /** Of deliveries: the time since it was to be sent. */
  ms?: number
}

/** What is done every minute by a job. */
export const foldNow = ({ services }: Pick<World, 'services'>): Promise<void> =>
  services.statistics.fold(async () => {}, new AbortController().signal)

/** What the clock of a zone shows at a moment, written out; two moments of one hour or day have the same text. */
export function shownBy(zone: string, step: string, at: number): string {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    ...(step === 'day' ? {} : { hour: '2-digit', timeZoneName: 'longOffset' }),
    ...(step === 'minute' ? { minute: '2-digit' } : {}),
  })
  return parts.format(at)
}

const DAY = 86_400_000

/** Each period is one hour or day of the zone's clocks, whole, and follows the one before. */
export function checkPeriods(step: string, zone: string, { series, to }: MailNumbers): void {
  const points = series[0]?.points ?? []
  for (const [i, { at }] of points.entries()) {
    const [begin, end] = [Date.parse(at), Date.parse(points[i + 1]?.at ?? to)]
    const shown = shownBy(zone, step, begin)
    expect([
      shownBy(zone, step, begin - 1) === shown,
      shownBy(zone, step, end - 1),
      shownBy(zone, step, end) === shown,
    ]).toEqual([false, shown, false])
  }
}

const classes = [0, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000, 21_600_000]

/** The answer lies in the class of the exact one; beyond the last class it is its end, which is a day. */
export function checkLatency(found: number | null, all: readonly number[], share: number): void {
  if (all.length === 0) return expect(found).toBe(null)
  const exact = all.toSorted((a, b) => a - b)[Math.ceil(all.length * share) - 1]!
  const begin = classes.findLast((bound) => bound <= exact)!
  const end = classes[classes.indexOf(begin) + 1] ?? DAY
  expect(found).toBeGreaterThanOrEqual(begin)
  expect(found).toBeLessThanOrEqual(end)
}

/** A filter that lets through what is like this, where it has such a thing. */
export function filterLike(name: string, like: Happened): [string, string][] {
  if (name === 'domain') return like.domain === null ? [] : [['domainId', like.domain]]
  if (name === 'template') return like.template === null ? [] : [['templateId', like.template]]
  if (name === 'tag') return [['tag', like.tags[0] ?? 'kind:unheard']]
  return [[name, name === 'provider' ? like.provider : like.source]]
}

/** Whether it passes filters. */
export const fits = (one: Happened, { domainId, templateId, tag, provider, source }: Record<string, string>): boolean =>
  (domainId === undefined || one.domain === domainId) &&
  (templateId === undefined || one.template === templateId) &&
  (tag === undefined || one.tags.includes(tag)) &&
  (provider === undefined || one.provider === provider) &&
  (source === undefined || one.source === source)

/** The series that it is counted in. */
export function keysOf(
  one: Happened,
  groupBy: string | undefined,
  tag: string | undefined,
): readonly (string | null)[] {
  switch (groupBy) {
    case 'domain':
      return [one.domain]
    case 'provider':
      return [one.provider]
    case 'source':
      return [one.source]
    case 'template':
      return [one.template]
    case 'tag':
      return tag === undefined ? one.tags : [tag]
    default:
      return [null]
  }
}
