import { useQuery } from '@tanstack/react-query'
import type { Action } from '../../kit/actions.ts'
import { Card } from '../../kit/card.tsx'
import { Code, Json } from '../../kit/code.tsx'
import { DetailPage } from '../../kit/detail-page.tsx'
import { Facts } from '../../kit/facts.tsx'
import { formatDuration } from '../../kit/format.ts'
import { Id, shortId } from '../../kit/id.tsx'
import { Link } from '../../kit/link.tsx'
import { Notice } from '../../kit/notice.tsx'
import { Foreign, Quiet, Stack } from '../../kit/text.tsx'
import { Countdown, Time } from '../../kit/time.tsx'
import { Timeline, type Happening } from '../../kit/timeline.tsx'
import { toast, toastProblem } from '../../kit/toast.tsx'
import { useParameter } from '../../shell/parameters.ts'
import { useProject } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { deliveryQuery, useReplayOne, type Attempt, type Delivery } from './data.ts'
import { DeliveryStatus } from './deliveries.tsx'

const said = words.webhooks.delivery

/** One event for one endpoint: what was sent, and what came back each time. */
export function Page() {
  const project = useProject()
  const webhook = useParameter('webhookId')
  const id = useParameter('deliveryId')
  const query = useQuery(deliveryQuery(project.id, webhook, id))
  const replay = useReplayOne()
  const sendAgain = async (): Promise<void> => {
    try {
      await replay.run({ project: project.id, params: { id: webhook, deliveryId: id } })
      toast({ text: said.sentAgain })
    } catch (error) {
      toastProblem(error)
    }
  }
  const actions: readonly Action[] = project.can('webhooks:write')
    ? [{ label: said.sendAgain, icon: 'refresh', tone: 'main', isBusy: replay.isBusy, run: sendAgain }]
    : []
  return (
    <DetailPage
      path={[
        { label: words.webhooks.title, to: to.webhooks(project.id) },
        { label: shortId(webhook), to: to.webhook(project.id, webhook) },
      ]}
      id={id}
      query={query}
      title={({ type }) => type}
      status={({ status }) => <DeliveryStatus status={status} />}
      actions={() => actions}
      above={({ status }) => status === 'dropped' && <Notice tone="none">{said.dropped}</Notice>}
      aside={(delivery) => (
        <>
          <Card title={said.attempts}>
            <Attempts delivery={delivery} />
          </Card>
          <Card title={said.facts}>
            <FactsOf delivery={delivery} project={project.id} />
          </Card>
        </>
      )}
    >
      {(delivery) => (
        <>
          <Card title={said.payload}>
            <Json value={delivery.payload} label={said.payloadText} wraps />
          </Card>
          {delivery.requestHeaders !== null && (
            <Card title={said.headers}>
              <Stack isTight>
                <Code text={headersOf(delivery.requestHeaders)} label={said.headersText} wraps />
                <Quiet isSmall>{said.headersHint}</Quiet>
              </Stack>
            </Card>
          )}
        </>
      )}
    </DetailPage>
  )
}

/** Signatures are not kept. */
const headersOf = (headers: Readonly<Record<string, string | null>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value ?? said.signaturePlaceholder}`)
    .join('\n')

function Attempts({ delivery: { attempts } }: { delivery: Delivery }) {
  if (attempts.length === 0) return <Quiet>{said.noAttempts}</Quiet>
  return <Timeline label={said.attempts} events={attempts.map(happeningOf).toReversed()} />
}

const happeningOf = ({ number, at, status, durationMs, error, answer }: Attempt): Happening => ({
  id: String(number),
  tone: error === null ? 'ok' : 'bad',
  title: `${said.attempt(number)}: ${status ?? said.nobody}`,
  when: (
    <>
      <Time at={at} form="short" /> · {formatDuration(durationMs)}
    </>
  ),
  body: (
    <Stack isTight>
      {error !== null && <Foreign text={error} />}
      {answer !== null && answer !== '' && <Code text={answer} label={said.answer(number)} wraps />}
    </Stack>
  ),
})

function FactsOf({ delivery, project }: { delivery: Delivery; project: string }) {
  const { payload, nextAttemptAt, endedAt } = delivery
  const isEmail = payload.messageId.startsWith('em_')
  return (
    <Facts
      facts={[
        {
          name: said.message,
          value: isEmail ? (
            <Link to={to.email(project, payload.messageId.replace(/\..*$/, ''))}>{shortId(payload.messageId)}</Link>
          ) : (
            <Id id={payload.messageId} />
          ),
        },
        { name: said.recipient, value: <Foreign text={payload.recipient} /> },
        { name: said.created, value: <Time at={delivery.createdAt} form="short" /> },
        endedAt !== null && { name: said.ended, value: <Time at={endedAt} form="short" /> },
        nextAttemptAt !== null && {
          name: said.next,
          value: (
            <>
              <Time at={nextAttemptAt} form="clock" /> <Countdown to={nextAttemptAt} />
            </>
          ),
        },
        { name: said.eventId, value: <Id id={delivery.eventId} /> },
        { name: said.id, value: <Id id={delivery.id} /> },
      ]}
    />
  )
}
