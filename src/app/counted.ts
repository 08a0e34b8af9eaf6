/** What workers and the receiving server count for `/metrics`, and how it is written there. */
import { Tallies, type Counts } from '../core/tallies.ts'
import type { Attempted } from '../delivery/mail/deliver.ts'

/** Providers with a label of their own. The others count as `other`: labels must stay few. */
const namedProviders: ReadonlySet<string> = new Set([
  'google',
  'microsoft',
  'yahoo',
  'apple',
  'comcast',
  'united-internet',
  't-online',
  'orange',
  'proofpoint',
  'mimecast',
  'mail-ru',
  'tencent',
])

/** From half a second to two days, in seconds. */
const DELIVERY_BUCKETS = [0.5, 1, 2, 5, 15, 60, 300, 1_800, 7_200, 43_200, 172_800]

const families = {
  posthouse_attempts_total: {
    type: 'counter',
    help: 'Attempts to hand a mail over, by provider and what came of them.',
  },
  posthouse_outcomes_total: {
    type: 'counter',
    help: 'Recipients that are finished after an attempt, by provider and outcome.',
  },
  posthouse_delivery_seconds: {
    type: 'histogram',
    help: 'Time from accepting a mail, or from when it was to be sent, to the yes of its server.',
  },
  posthouse_received_total: { type: 'counter', help: 'Mails taken by the receiving server.' },
} as const

/** Counts an attempt. One that was put back without being made is none. */
export function countAttempt(tallies: Tallies, { provider = 'other', outcome, seconds }: Attempted): void {
  if (outcome === 'returned' || outcome === 'withheld') return
  const labels = { provider: namedProviders.has(provider) ? provider : 'other' }
  tallies.add('posthouse_attempts_total', { ...labels, class: outcome })
  if (outcome === 'deferred') return
  tallies.add('posthouse_outcomes_total', { ...labels, outcome })
  if (outcome === 'delivered') tallies.observe('posthouse_delivery_seconds', DELIVERY_BUCKETS, seconds)
}

export const countReceived = (tallies: Tallies): void => tallies.add('posthouse_received_total')

/** All counts of a node as Prometheus reads them. A family that nothing has counted yet stands there as zero where it can. */
export function countedText(perRole: readonly Counts[]): string {
  const sums = new Map<string, number>([['posthouse_received_total', 0]])
  for (const counts of perRole) {
    for (const [series, count] of Object.entries(counts)) sums.set(series, (sums.get(series) ?? 0) + count)
  }
  return Object.entries(families)
    .map(([name, { type, help }]) => {
      const lines = [...sums].filter(([series]) => belongsTo(series, name)).map(([series, sum]) => `${series} ${sum}`)
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join('\n')
    })
    .join('\n')
}

const belongsTo = (series: string, name: string): boolean =>
  series.replace(/\{.*$/, '').replace(/_(?:bucket|sum|count)$/, '') === name
