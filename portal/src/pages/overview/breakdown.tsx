import { Card } from '../../kit/card.tsx'
import { formatDuration, formatNumber, formatPercent } from '../../kit/format.ts'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Foreign, Quiet } from '../../kit/text.tsx'
import type { Project } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { useDomainNames, type Numbers } from './data.ts'
import { Outcome, providerName } from './outcome.tsx'
import { endedIn, shareOf } from './shares.ts'

type Series = Numbers['series'][number]

const said = words.overview.breakdown

export function ByProvider({ series }: { series: readonly Series[] | undefined }) {
  const { title, provider } = words.overview.byProvider
  return (
    <Breakdown
      title={title}
      series={series}
      first={{
        name: 'provider',
        title: provider,
        cell: ({ key }) => providerName(key),
      }}
    />
  )
}

export function ByDomain({ project, series }: { project: Project; series: readonly Series[] | undefined }) {
  const { title, domain, sandbox } = words.overview.byDomain
  const names = useDomainNames(project)
  return (
    <Breakdown
      title={title}
      series={series}
      first={{
        name: 'domain',
        title: domain,
        cell: ({ key }) => (key === null ? sandbox : <Foreign text={names.get(key) ?? key} />),
      }}
    />
  )
}

interface BreakdownProps {
  title: string
  series: readonly Series[] | undefined
  /** Names the series. */
  first: Column<Series>
}

const Breakdown = ({ title, series, first }: BreakdownProps) => (
  <Card title={title} isFlush={series !== undefined && series.length > 0}>
    {series === undefined ? (
      <Skeleton rows={3} />
    ) : series.length === 0 ? (
      <Quiet>{said.nothing}</Quiet>
    ) : (
      <Table label={title} columns={[first, ...columns]} rows={series} rowId={({ key }) => key ?? ''} />
    )}
  </Card>
)

const columns: readonly Column<Series>[] = [
  { name: 'accepted', title: said.accepted, isNumber: true, cell: ({ totals }) => formatNumber(totals.accepted) },
  { name: 'outcome', title: said.outcome, cell: ({ totals }) => <Outcome totals={totals} /> },
  { name: 'delivered', title: said.delivered, isNumber: true, cell: ({ totals }) => deliveredShare(totals) },
  {
    name: 'p95',
    title: said.p95,
    isNumber: true,
    cell: ({ latency }) => (latency.p95 === null ? words.overview.figures.none : formatDuration(latency.p95)),
  },
]

function deliveredShare(totals: Series['totals']): string {
  const share = shareOf(totals.delivered, endedIn(totals))
  return share === undefined ? words.overview.figures.none : formatPercent(share)
}
