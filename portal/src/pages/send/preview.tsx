import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../kit/badge.tsx'
import { Card } from '../../kit/card.tsx'
import { Code } from '../../kit/code.tsx'
import { Facts } from '../../kit/facts.tsx'
import { MailView, type MailScheme, type MailWidth } from '../../kit/mail-view.tsx'
import { Notice } from '../../kit/notice.tsx'
import { Refusal } from '../../kit/refusal.tsx'
import { Foreign, Quiet, Stack } from '../../kit/text.tsx'
import type { Project } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { dryRunQuery, type DryRun } from './data.ts'
import type { SendBody } from './draft.ts'

const said = words.send.preview
const saidOfContent = words.emails.content

/** What would be sent, as the API has rendered it. */
export function DryRunPreview({ project, body }: { project: Project; body: SendBody | undefined }) {
  const { data, error, isFetching } = useQuery({ ...dryRunQuery(project.id, body), retry: false })
  const isThere = body !== undefined && data !== undefined
  return (
    <Card
      title={said.title}
      note={
        body !== undefined && (
          <span role="status">
            {isFetching ? (
              <Quiet isSmall>{said.checking}</Quiet>
            ) : (
              error === null && <Badge tone="ok">{said.fine}</Badge>
            )}
          </span>
        )
      }
    >
      <Stack>
        {body === undefined && <Quiet>{said.waiting}</Quiet>}
        {body !== undefined && error !== null && !isFetching && <Refusal error={error} />}
        {isThere && error === null && <Rendered rendered={data} />}
      </Stack>
    </Card>
  )
}

function Rendered({ rendered }: { rendered: DryRun }) {
  const [look, setLook] = useState<{ width: MailWidth; scheme: MailScheme }>({ width: 'desktop', scheme: 'light' })
  const { html, text, suppressed, status } = rendered
  return (
    <>
      {suppressed.length > 0 && <Notice tone="warn">{said.suppressed(suppressed.join(', '))}</Notice>}
      {status === 'scheduled' && <Notice tone="plan">{said.wouldSchedule}</Notice>}
      <Facts
        facts={[
          { name: said.from, value: <Foreign text={rendered.from} /> },
          { name: said.to, value: <Foreign text={rendered.to.join(', ')} /> },
          { name: said.subject, value: <Foreign text={rendered.subject} /> },
        ]}
      />
      {html === null ? (
        <Code text={text ?? ''} label={saidOfContent.textOf} wraps copyLabel={null} />
      ) : (
        <MailView html={html} {...look} onChange={(change) => setLook({ ...look, ...change })} />
      )}
    </>
  )
}
