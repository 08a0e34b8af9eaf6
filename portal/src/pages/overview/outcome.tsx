import { ShareBar, type BarSeries } from '../../kit/bars.tsx'
import { formatNumber } from '../../kit/format.ts'
import { words } from '../../words/words.ts'
import type { Numbers } from './data.ts'
import { lostIn } from './shares.ts'

export const outcomes: readonly BarSeries[] = [
  { name: 'delivered', label: words.overview.became.delivered, tone: 'info' },
  { name: 'deferred', label: words.overview.became.deferred, tone: 'warn' },
  { name: 'lost', label: words.overview.became.lost, tone: 'bad' },
]

/** What became of some mail, as parts of a bar. */
export function Outcome({ totals }: { totals: Numbers['totals'] }) {
  const values = [totals.delivered, totals.deferred, lostIn(totals)]
  const [delivered = '', deferred = '', lost = ''] = values.map(formatNumber)
  return (
    <ShareBar label={words.overview.breakdown.shares(delivered, deferred, lost)} series={outcomes} values={values} />
  )
}

/** A provider by the name that people know it by. */
export function providerName(key: string | null): string {
  const { other, names } = words.overview.byProvider
  if (key === null || key === 'other') return other
  return names[key] ?? `${key.slice(0, 1).toUpperCase()}${key.slice(1)}`
}
