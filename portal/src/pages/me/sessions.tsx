import type { OpenSession } from '@posthouse/sdk'
import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Freshness } from '../../kit/freshness.tsx'
import { Table } from '../../kit/table.tsx'
import { Foreign, Mono, Row } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { toast, toastProblem } from '../../kit/toast.tsx'
import { Waiting } from '../../kit/waiting.tsx'
import { words } from '../../words/words.ts'
import { sessions, useEndOthers, useEndSession } from './data.ts'

const text = words.me.sessions

export function Sessions() {
  const query = useQuery(sessions())
  const endOthers = useEndOthers()
  const hasOthers = query.data?.data.some(({ current }) => !current) ?? false
  const end = (): unknown =>
    endOthers.run({}).then(({ ended }) => toast({ text: text.endedCount(ended) }), toastProblem)
  return (
    <Card
      title={text.title}
      isFlush
      tools={
        hasOthers && (
          <Button icon="signOut" isBusy={endOthers.isBusy} onClick={end}>
            {text.signOutOthers}
          </Button>
        )
      }
    >
      <Freshness query={query} />
      {query.data !== undefined ? (
        <Table
          label={text.title}
          rows={query.data.data}
          rowId={({ id }) => id}
          rowName={({ device }) => device}
          columns={[
            { name: 'device', title: text.device, cell: (session) => <Device session={session} /> },
            { name: 'address', title: text.address, cell: ({ address }) => <Mono>{address}</Mono> },
            { name: 'since', title: text.since, cell: ({ createdAt }) => <Time at={createdAt} /> },
            { name: 'seen', title: text.seen, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
            {
              name: 'actions',
              title: text.actions,
              isActions: true,
              cell: (session) => !session.current && <End session={session} />,
            },
          ]}
        />
      ) : (
        <Waiting query={query} rows={3} />
      )}
    </Card>
  )
}

const Device = ({ session: { device, current } }: { session: OpenSession }) => (
  <Row>
    <Foreign text={device} />
    {current && <Badge tone="ok">{text.current}</Badge>}
  </Row>
)

function End({ session: { id, device } }: { session: OpenSession }) {
  const end = useEndSession()
  return (
    <Button
      isSmall
      aria-label={text.signOutOf(device)}
      isBusy={end.isBusy}
      onClick={() => void end.run({ params: { id } }).then(() => toast({ text: text.ended }), toastProblem)}
    >
      {text.signOut}
    </Button>
  )
}
