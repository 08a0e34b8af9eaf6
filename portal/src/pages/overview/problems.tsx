import { useQueries, useQuery } from '@tanstack/react-query'
import { Status } from '../../kit/badge.tsx'
import { Card } from '../../kit/card.tsx'
import { Table, type Column } from '../../kit/table.tsx'
import { Foreign, Quiet, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import type { Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { subjectOf, type EmailRow } from '../emails/data.ts'
import { MAX_PROBLEMS, troubledEmails, troubledStates, whyQuery } from './data.ts'

const said = words.overview.problems

/** The newest emails that did not arrive, each with the reason. There is nothing here while all arrive. */
export function Problems({ project }: { project: Project }) {
  const rows = useQueries({
    queries: troubledStates.map((state) => troubledEmails(project.id, state)),
    combine: (lists) =>
      lists
        .flatMap(({ data }) => data?.data ?? [])
        .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
        .slice(0, MAX_PROBLEMS),
  })
  if (rows.length === 0) return null
  return (
    <Card title={said.title} isFlush>
      <Table
        label={said.title}
        rows={rows}
        rowId={({ id }) => id}
        rowTo={({ id }) => to.email(project.id, id)}
        columns={columnsOf(project)}
      />
    </Card>
  )
}

const columnsOf = (project: Project): readonly Column<EmailRow>[] => [
  { name: 'subject', title: said.subject, cell: (row) => <Foreign text={subjectOf(row)} /> },
  { name: 'status', title: said.status, isNarrow: true, cell: ({ status }) => <Status state={status} /> },
  { name: 'why', title: said.why, cell: (row) => <Why project={project} row={row} /> },
  { name: 'time', title: said.time, isNarrow: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** Who did not get it, and why. */
function Why({ project, row: { id, status, to: receivers } }: { project: Project; row: EmailRow }) {
  const recipients = useQuery(whyQuery(project.id, id)).data?.recipients ?? []
  const recipient = recipients.find((one) => one.status === status)
  const explanation = recipient?.explanation
  return (
    <Stack isTight>
      <Foreign text={recipient?.email ?? receivers[0] ?? words.kit.none} />
      {explanation && (
        <Quiet isSmall>
          {explanation.title}. {explanation.sentence}
        </Quiet>
      )}
    </Stack>
  )
}
