import { useQuery } from '@tanstack/react-query'
import { Status } from '../../kit/badge.tsx'
import { LinkButton } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Freshness } from '../../kit/freshness.tsx'
import { Table } from '../../kit/table.tsx'
import { Foreign, Quiet } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { Waiting } from '../../kit/waiting.tsx'
import { usePageExists } from '../../shell/pages.ts'
import type { Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { recentEmails } from './data.ts'

export function RecentEmails({ project }: { project: Project }) {
  const query = useQuery(recentEmails(project.id))
  const exists = usePageExists()
  const text = words.overview.recent
  const rowTo = exists('/p/$projectId/emails/$emailId')
    ? (row: { id: string }) => to.email(project.id, row.id)
    : undefined
  return (
    <Card
      title={text.title}
      isFlush
      tools={
        exists('/p/$projectId/emails') && (
          <LinkButton isSmall to={to.emails(project.id)}>
            {text.all}
          </LinkButton>
        )
      }
    >
      <Freshness query={query} />
      {query.data === undefined ? (
        <Waiting query={query} rows={5} />
      ) : query.data.data.length === 0 ? (
        <Empty icon="mail" title={text.empty} sentence={text.emptySentence} />
      ) : (
        <Table
          label={text.title}
          rows={query.data.data}
          rowId={({ id }) => id}
          rowTo={rowTo}
          columns={[
            {
              name: 'subject',
              title: text.subject,
              cell: ({ subject }) => (subject === '' ? text.noSubject : <Foreign text={subject} />),
            },
            {
              name: 'to',
              title: text.to,
              cell: ({ to: [first = '', ...others] }) => (
                <>
                  <Foreign text={first} /> {others.length > 0 && <Quiet>{text.more(others.length)}</Quiet>}
                </>
              ),
            },
            { name: 'status', title: text.status, cell: ({ status }) => <Status state={status} /> },
            { name: 'time', title: text.time, isNarrow: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
          ]}
        />
      )}
    </Card>
  )
}
