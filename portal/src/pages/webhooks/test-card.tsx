import type { EventKind } from '@posthouse/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Select } from '../../kit/choice.tsx'
import { Code } from '../../kit/code.tsx'
import { formatDuration } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Notice } from '../../kit/notice.tsx'
import { Refusal } from '../../kit/refusal.tsx'
import { Quiet, Stack } from '../../kit/text.tsx'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { deliveryQuery, useTest, type Attempt, type Webhook } from './data.ts'
import { meaningOf } from './kinds.ts'

const said = words.webhooks.test

/** Sends an event about nothing, and shows what the endpoint answers. */
export function TestCard({ endpoint, project }: { endpoint: Webhook; project: string }) {
  const test = useTest()
  const [kind, setKind] = useState<EventKind>(endpoint.events[0] ?? 'email.delivered')
  const [sent, setSent] = useState<string>()
  const [error, setError] = useState<unknown>()
  const press = async (): Promise<void> => {
    setError(undefined)
    setSent(undefined)
    try {
      setSent((await test.run({ project, params: { id: endpoint.id }, body: { type: kind } })).id)
    } catch (thrown) {
      setError(thrown)
    }
  }
  return (
    <Card title={said.title}>
      <Stack>
        <Quiet>{said.sentence}</Quiet>
        <Select
          label={said.kind}
          name="kind"
          value={kind}
          onChange={setKind}
          options={endpoint.events.map((value) => ({ value, label: value }))}
          hint={meaningOf(kind)}
        />
        <div>
          <Button tone="main" icon="send" isBusy={test.isBusy} onClick={() => void press()}>
            {said.action}
          </Button>
        </div>
        {error !== undefined && <Refusal error={error} />}
        {sent !== undefined && <Answer project={project} id={endpoint.id} delivery={sent} />}
      </Stack>
    </Card>
  )
}

function Answer({ project, id, delivery }: { project: string; id: string; delivery: string }) {
  const { data } = useQuery({ ...deliveryQuery(project, id, delivery), refetchInterval: everyHalfSecond })
  const attempt = data?.attempts.at(-1)
  return (
    <Stack>
      <div role="status">
        {attempt === undefined ? <Notice tone="info">{said.waiting}</Notice> : <Outcome attempt={attempt} />}
      </div>
      {attempt !== undefined &&
        (attempt.answer === null || attempt.answer === '' ? (
          <Quiet isSmall>{said.noBody}</Quiet>
        ) : (
          <Code text={attempt.answer} label={said.body} wraps />
        ))}
      <Link to={to.delivery(project, id, delivery)}>{said.open}</Link>
    </Stack>
  )
}

/** Until the first answer is there. */
const everyHalfSecond = ({ state: { data } }: { state: { data: { attempts: readonly unknown[] } | undefined } }) =>
  data === undefined || data.attempts.length === 0 ? 500 : (false as const)

const Outcome = ({ attempt: { status, durationMs, error } }: { attempt: Attempt }) => (
  <Notice
    tone={error === null ? 'ok' : 'bad'}
    title={
      status === null ? said.failed(formatDuration(durationMs)) : said.answered(status, formatDuration(durationMs))
    }
  >
    {error ?? ''}
  </Notice>
)
