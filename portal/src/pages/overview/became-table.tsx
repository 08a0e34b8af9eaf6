import { formatNumber } from '../../kit/format.ts'
import { Table, type Column } from '../../kit/table.tsx'
import { words } from '../../words/words.ts'
import type { Numbers } from './data.ts'
import { titleOf } from './period.ts'

const said = words.overview.became

type Point = Numbers['series'][number]['points'][number]

/** What the bars show, the newest first. */
export const BecameTable = ({ step, points }: { step: Numbers['step']; points: readonly Point[] }) => (
  <Table label={said.title} columns={columnsOf(step)} rows={points.toReversed()} rowId={({ at }) => at} />
)

const shown = [
  'accepted',
  'delivered',
  'deferred',
  'bounced',
  'failed',
  'filteredspam',
  'quarantined',
  'suppressed',
] as const

const columnsOf = (step: Numbers['step']): readonly Column<Point>[] => [
  { name: 'time', title: said.time, cell: ({ at }) => titleOf(step, at) },
  ...shown.map((name) => ({
    name,
    title: said[name],
    isNumber: true,
    cell: (point: Point) => formatNumber(point[name]),
  })),
]
