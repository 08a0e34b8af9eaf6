import { Card } from '../../kit/card.tsx'
import { Facts, type Fact } from '../../kit/facts.tsx'
import { formatNumber, formatPercent } from '../../kit/format.ts'
import { Quiet } from '../../kit/text.tsx'
import type { Project } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { useDomains, type Numbers } from './data.ts'
import type { OverviewWish } from './search.ts'
import { shareOf } from './shares.ts'

const said = words.overview.engagement

interface EngagementProps {
  project: Project
  totals: Numbers['totals']
  earlier: Numbers['totals'] | undefined
  wish: OverviewWish
}

/** Who opened and clicked. It is there while a domain asks for it, and for mail that was asked about before. */
export function Engagement({ project, totals, earlier, wish }: EngagementProps) {
  const domains = useDomains(project).filter(({ id }) => wish.domain === undefined || id === wish.domain)
  const isTracked = domains.some(({ tracking }) => tracking.opens || tracking.clicks)
  if (!isTracked && totals.opened + totals.clicked === 0) return null
  return (
    <Card title={said.title} foot={<Quiet isSmall>{said.machines}</Quiet>}>
      <Facts facts={kinds.map((kind) => factOf(kind, totals, earlier))} />
    </Card>
  )
}

const kinds = ['opened', 'clicked', 'unsubscribed'] as const

/** "312 recipients · 24% of those delivered · 290 in the time before". */
function factOf(kind: (typeof kinds)[number], totals: Numbers['totals'], earlier: Numbers['totals'] | undefined): Fact {
  const share = shareOf(totals[kind], totals.delivered)
  const parts = [
    said.recipients(totals[kind]),
    // Mail of an earlier time may be opened in this one: then it is no share of what was delivered in it.
    ...(share === undefined || share > 1 ? [] : [said.share(formatPercent(share))]),
    ...(earlier === undefined ? [] : [said.before(formatNumber(earlier[kind]))]),
  ]
  return { name: said[kind], value: parts.join(' · ') }
}
