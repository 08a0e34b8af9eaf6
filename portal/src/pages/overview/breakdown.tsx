import { useQuery } from '@tanstack/react-query'
import { Card } from '../../kit/card.tsx'
import { formatDuration, formatNumber, formatPercent } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Foreign, Quiet } from '../../kit/text.tsx'
import type { Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import type { DestinationRow } from '../queue/data.ts'
import { StateOf } from '../queue/parts.tsx'
import { queueNow, useDomainNames, type Numbers } from './data.ts'
import { Outcome, providerName } from './outcome.tsx'
import { endedIn, shareOf } from './shares.ts'

type Series = Numbers['series'][number]

const said = words.overview.breakdown

interface ByProps {
  project: Project
  series: readonly Series[] | undefined
}

export function ByProvider({ project, series }: ByProps) {
  const { title, provider, now } = words.overview.byProvider
  const troubled = useTroubled(project)
  return (
    <Breakdown
      title={title}
      series={series}
      first={{
        name: 'provider',
        title: provider,
        cell: ({ key }) => providerName(key),
      }}
      last={
        series?.some(({ key }) => troubledIn(troubled, key).length > 0)
          ? {
              name: 'now',
              title: now,
              cell: ({ key }) => <Now project={project} rows={troubledIn(troubled, key)} />,
            }
          : undefined
      }
    />
  )
}

const isOther = (key: string | null): boolean => key === null || key === 'other'

/** Destinations of the project that do not flow. */
function useTroubled(project: Project): readonly DestinationRow[] {
  const { data } = useQuery(queueNow(project.id))
  return data?.data.filter(({ state }) => state !== 'flows') ?? []
}

/** A provider is one destination, by its name; all others are called by their hosts. */
const troubledIn = (rows: readonly DestinationRow[], key: string | null): readonly DestinationRow[] =>
  rows.filter(({ destination }) => (isOther(key) ? destination.includes('.') : destination === key))

/** The state of a provider, or how many of the others have one; it leads to where one sees why. */
function Now({ project, rows }: { project: Project; rows: readonly DestinationRow[] }) {
  const [first, ...others] = rows
  if (first === undefined) return words.kit.none
  if (others.length > 0) {
    return <Link to={to.queue(project.id)}>{words.overview.byProvider.troubled(rows.length)}</Link>
  }
  return (
    <Link to={to.destination(project.id, first.destination)}>
      <StateOf row={first} />
    </Link>
  )
}

export function ByDomain({ project, series }: ByProps) {
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
  last?: Column<Series> | undefined
}

const Breakdown = ({ title, series, first, last }: BreakdownProps) => (
  <Card title={title} isFlush={series !== undefined && series.length > 0}>
    {series === undefined ? (
      <Skeleton rows={3} />
    ) : series.length === 0 ? (
      <Quiet>{said.nothing}</Quiet>
    ) : (
      <Table
        label={title}
        columns={[first, ...columns, ...(last === undefined ? [] : [last])]}
        rows={series}
        rowId={({ key }) => key ?? ''}
      />
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
