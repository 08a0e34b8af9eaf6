import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../kit/badge.tsx'
import { Card } from '../../kit/card.tsx'
import { formatNumber, formatPercent } from '../../kit/format.ts'
import { Freshness } from '../../kit/freshness.tsx'
import { useNow } from '../../kit/now.ts'
import { useSettings } from '../../kit/settings.ts'
import { Table, type Column } from '../../kit/table.tsx'
import { Quiet, Strong } from '../../kit/text.tsx'
import { Waiting } from '../../kit/waiting.tsx'
import { words } from '../../words/words.ts'
import { Outcome, providerName } from '../overview/outcome.tsx'
import { lastRanges } from '../overview/period.ts'
import { bouncedIn, complainedIn, MAX_BOUNCED, MAX_COMPLAINTS } from '../overview/shares.ts'
import { deliverabilityQuery, type DomainNumbers } from './data.ts'

const said = words.deliverability
const HOUR_MS = 3_600_000

interface DeliverabilityProps {
  project: string
  id: string
}

/** What became of the domain's mail in 30 days, by receiving provider, beside the limits above which it suffers. */
export function Deliverability({ project, id }: DeliverabilityProps) {
  const { timeZone } = useSettings()
  const { current } = lastRanges('30d', useNow(HOUR_MS), timeZone)
  const query = useQuery(deliverabilityQuery(project, id, current, timeZone))
  const rows = query.data && rowsOf(query.data)
  return (
    <Card
      title={said.title}
      note={<Quiet isSmall>{said.period}</Quiet>}
      isFlush={rows !== undefined && rows.length > 0}
      foot={<Quiet isSmall>{said.limits(formatPercent(MAX_BOUNCED), formatPercent(MAX_COMPLAINTS, 2))}</Quiet>}
    >
      <Freshness query={query} />
      {rows === undefined ? (
        <Waiting query={query} rows={3} />
      ) : rows.length === 0 ? (
        <Quiet>{said.nothing}</Quiet>
      ) : (
        <Table label={said.title} columns={columns} rows={rows} rowId={({ id }) => id} />
      )}
    </Card>
  )
}

interface Row {
  id: string
  /** Undefined for all of them together. */
  provider: string | undefined
  totals: DomainNumbers['totals']
}

const rowsOf = ({ totals, series }: DomainNumbers): Row[] =>
  series.length === 0
    ? []
    : [
        { id: 'all', provider: undefined, totals },
        ...series.map(({ key, totals }) => ({ id: `of ${key}`, provider: providerName(key), totals })),
      ]

const columns: readonly Column<Row>[] = [
  { name: 'provider', title: said.provider, cell: ({ provider }) => provider ?? <Strong>{said.all}</Strong> },
  { name: 'accepted', title: said.accepted, isNumber: true, cell: ({ totals }) => formatNumber(totals.accepted) },
  { name: 'outcome', title: said.outcome, cell: ({ totals }) => <Outcome totals={totals} /> },
  {
    name: 'bounced',
    title: said.bounced,
    isNumber: true,
    cell: ({ totals }) => <Share share={bouncedIn(totals)} most={MAX_BOUNCED} />,
  },
  {
    name: 'complaints',
    title: said.complaints,
    isNumber: true,
    cell: ({ totals }) => <Share share={complainedIn(totals)} most={MAX_COMPLAINTS} digits={2} />,
  },
]

function Share({ share, most, digits }: { share: number | undefined; most: number; digits?: number }) {
  if (share === undefined) return <Quiet>{words.overview.figures.none}</Quiet>
  const text = formatPercent(share, digits)
  return share > most ? <Badge tone="bad">{text}</Badge> : text
}
