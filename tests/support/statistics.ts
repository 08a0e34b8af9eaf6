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
