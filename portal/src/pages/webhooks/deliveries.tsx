import { useState } from 'react'
import { Badge, type StateTone } from '../../kit/badge.tsx'
import { Card } from '../../kit/card.tsx'
import { DateTime } from '../../kit/date-time.tsx'
import { formatDuration, formatNumber } from '../../kit/format.ts'
import { shortId } from '../../kit/id.tsx'
import type { Filter } from '../../kit/list-filters.tsx'
import { List } from '../../kit/list.tsx'
import type { Column } from '../../kit/table.tsx'
import { Foreign, Quiet, Row, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import type { Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { deliveryRows, type DeliveryRow, type Webhook } from './data.ts'
import { ReplayAll } from './replay-all.tsx'
import { deliveriesSearch, deliveryStates, eventKinds } from './search.ts'

const said = words.webhooks.deliveries

/** What the endpoint was told, newest first. */
export function Deliveries({ endpoint, project }: { endpoint: Webhook; project: Project }) {
  const [since, setSince] = useState('')
  return (
    <Card
      title={said.title}
      isFlush
      foot={
        project.can('webhooks:write') ? (
          <Row>
            <DateTime
              label={said.since}
              name="since"
              value={since}
              onChange={setSince}
              hint={said.sinceHint}
              isOptional
            />
            <ReplayAll project={project.id} id={endpoint.id} since={since} />
          </Row>
        ) : undefined
      }
    >
      <List
        label={said.title}
        search={deliveriesSearch}
        rows={(found) => deliveryRows(project.id, endpoint.id, found)}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ type, id }) => `${type} ${shortId(id)}`}
        rowTo={({ id }) => to.delivery(project.id, endpoint.id, id)}
        filters={filters}
        empty={{ icon: 'webhook', title: said.empty.title, sentence: said.empty.sentence }}
      />
    </Card>
  )
}

const tones: Readonly<Record<DeliveryRow['status'], StateTone>> = {
  pending: 'info',
  delivered: 'ok',
  failed: 'bad',
  dropped: 'none',
}

export const DeliveryStatus = ({ status }: { status: DeliveryRow['status'] }) => (
  <Badge tone={tones[status]}>{said.states[status]}</Badge>
)

const columns: readonly Column<DeliveryRow>[] = [
  {
    name: 'type',
    title: said.columns.type,
    cell: ({ type, payload }) => (
      <Stack isTight>
        {type}
        <Quiet isSmall isMono>
          <Foreign text={shortId(payload.messageId)} />
        </Quiet>
      </Stack>
    ),
  },
  {
    name: 'status',
    title: said.columns.status,
    isNarrow: true,
    cell: ({ status }) => <DeliveryStatus status={status} />,
  },
  {
    name: 'attempts',
    title: said.columns.attempts,
    isNumber: true,
    cell: ({ attemptCount }) => formatNumber(attemptCount),
  },
  { name: 'last', title: said.columns.last, cell: ({ attempts }) => lastAnswer(attempts) },
  { name: 'time', title: said.columns.time, isNarrow: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

function lastAnswer(attempts: DeliveryRow['attempts']): string {
  const last = attempts.at(-1)
  return last === undefined ? words.kit.none : `${last.status ?? said.noAnswer} · ${formatDuration(last.durationMs)}`
}

const filters: readonly Filter<keyof typeof deliveriesSearch>[] = [
  {
    kind: 'one',
    name: 'status',
    label: said.filters.status,
    options: deliveryStates.map((value) => ({ value, label: said.states[value] })),
  },
  {
    kind: 'one',
    name: 'type',
    label: said.filters.type,
    options: eventKinds.map((value) => ({ value, label: value })),
  },
  { kind: 'text', name: 'message', label: said.filters.message, placeholder: 'em_…' },
  { kind: 'time', name: 'after', label: said.filters.after },
  { kind: 'time', name: 'before', label: said.filters.before },
]
