import { useQuery } from '@tanstack/react-query'
import { Card } from '../../kit/card.tsx'
import { DetailPage } from '../../kit/detail-page.tsx'
import { Facts } from '../../kit/facts.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Table, type Column } from '../../kit/table.tsx'
import { Foreign, Quiet, Stack, Strong } from '../../kit/text.tsx'
import { Countdown, Time } from '../../kit/time.tsx'
import { useLive } from '../../shell/live.ts'
import { useParameter } from '../../shell/parameters.ts'
import { useProject } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { Ages } from './ages.tsx'
import { destinationQuery, type Destination } from './data.ts'
import { Doings } from './doings.tsx'
import { Pace, RawReply, StateOf, Why } from './parts.tsx'

const said = words.queue

/** One destination: why its mail waits, what its servers answered, and what can be done. */
export function Page() {
  const name = useParameter('destination')
  const project = useProject()
  const query = useQuery(destinationQuery(project.id, name))
  useLive('queue', ['GET /queue/:destination'])
  return (
    <DetailPage
      path={[{ label: said.title, to: to.queue(project.id) }]}
      id={name}
      query={query}
      title={(destination) => destination.name}
      knownTitle={name}
      status={(destination) => <StateOf row={destination} />}
      note={({ waiting }) => said.waiting(waiting)}
      above={(destination) => <Doings project={project} row={destination} />}
      aside={(destination) => <DestinationFacts destination={destination} />}
    >
      {(destination) => (
        <>
          <WhyItWaits destination={destination} />
          <Ages ages={destination.ages} />
          <Replies destination={destination} />
          <Hosts destination={destination} />
        </>
      )}
    </DetailPage>
  )
}

function WhyItWaits({ destination }: { destination: Destination }) {
  const { explanation, paused, lastReply } = destination
  return (
    <Card title={said.detail.why}>
      {paused !== null ? (
        <Why row={destination} />
      ) : explanation === null ? (
        <Quiet>{said.detail.nothingWrong}</Quiet>
      ) : (
        <Stack>
          <Stack isTight>
            <Strong>{explanation.title}</Strong>
            <span>{explanation.sentence}</span>
            <span>{explanation.advice}</span>
          </Stack>
          {lastReply !== null && lastReply.text === null ? (
            <Quiet isSmall>{said.detail.hiddenReply}</Quiet>
          ) : (
            <RawReply row={destination} />
          )}
        </Stack>
      )}
    </Card>
  )
}

const Replies = ({ destination: { replies } }: { destination: Destination }) => (
  <Card title={said.detail.replies} isFlush={replies.length > 0}>
    {replies.length === 0 ? (
      <Quiet>{said.detail.noReplies}</Quiet>
    ) : (
      <Table
        label={said.detail.replies}
        columns={replyColumns}
        rows={replies}
        rowId={({ code, enhanced, stage, text }) => `${code} ${enhanced} ${stage} ${text}`}
      />
    )}
  </Card>
)

type ReplyGroup = Destination['replies'][number]

const replyColumns: readonly Column<ReplyGroup>[] = [
  {
    name: 'answer',
    title: said.detail.columns.answer,
    cell: ({ code, enhanced, text }) => (
      <Quiet isSmall isMono>
        <Foreign text={[code ?? said.detail.noReply, enhanced, text].filter(Boolean).join(' ')} />
      </Quiet>
    ),
  },
  { name: 'meaning', title: said.detail.columns.meaning, cell: ({ explanation }) => explanation.title },
  { name: 'count', title: said.detail.columns.count, isNumber: true, cell: ({ count }) => formatNumber(count) },
  { name: 'last', title: said.detail.columns.last, isNarrow: true, cell: ({ lastAt }) => <Time at={lastAt} /> },
]

const Hosts = ({ destination: { hosts } }: { destination: Destination }) => (
  <Card title={said.detail.hosts} isFlush={hosts.length > 0}>
    {hosts.length === 0 ? (
      <Quiet>{said.detail.noHosts}</Quiet>
    ) : (
      <Table
        label={said.detail.hosts}
        columns={hostColumns}
        rows={hosts}
        rowId={({ host, address }) => `${host} ${address}`}
      />
    )}
  </Card>
)

type Host = Destination['hosts'][number]

const hostColumns: readonly Column<Host>[] = [
  {
    name: 'host',
    title: said.detail.columns.host,
    cell: ({ host, address, refused }) => (
      <Stack isTight>
        <Foreign text={host ?? words.kit.none} />
        {address !== null && <Quiet isSmall>{address}</Quiet>}
        {refused !== null && (
          <Quiet isSmall>
            {said.detail.notAllowed} <Foreign text={refused} />
          </Quiet>
        )}
      </Stack>
    ),
  },
  { name: 'tls', title: said.detail.columns.tls, isNarrow: true, cell: ({ tls }) => tls ?? said.detail.plain },
  {
    name: 'attempts',
    title: said.detail.columns.attempts,
    isNumber: true,
    cell: ({ attempts }) => formatNumber(attempts),
  },
  {
    name: 'accepted',
    title: said.detail.columns.accepted,
    isNumber: true,
    cell: ({ accepted }) => formatNumber(accepted),
  },
  { name: 'last', title: said.detail.columns.last, isNarrow: true, cell: ({ lastAt }) => <Time at={lastAt} /> },
]

function DestinationFacts({ destination }: { destination: Destination }) {
  const { waiting, oldestAt, since, nextTryAt, lastReply } = destination
  return (
    <Card title={said.detail.facts}>
      <Facts
        facts={[
          { name: said.detail.destination, value: <Foreign text={destination.destination} /> },
          { name: said.columns.waiting, value: formatNumber(waiting) },
          oldestAt !== null && { name: said.columns.oldest, value: <Time at={oldestAt} /> },
          { name: said.columns.state, value: <StateOf row={destination} /> },
          since !== null && { name: said.detail.since, value: <Time at={since} form="short" /> },
          { name: said.columns.pace, value: <Pace row={destination} /> },
          { name: said.detail.usual, value: said.pace.usual(destination.pace.usualLimit) },
          nextTryAt !== null && {
            name: said.detail.nextTry,
            value: (
              <>
                <Time at={nextTryAt} form="clock" /> <Countdown to={nextTryAt} />
              </>
            ),
          },
          lastReply !== null && { name: said.detail.lastReply, value: <Time at={lastReply.at} /> },
        ]}
      />
    </Card>
  )
}
