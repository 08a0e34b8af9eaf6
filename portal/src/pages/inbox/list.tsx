import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '../../kit/address.ts'
import { Badge } from '../../kit/badge.tsx'
import type { Filter } from '../../kit/list-filters.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import { Sections } from '../../kit/sections.tsx'
import type { Column } from '../../kit/table.tsx'
import { Foreign, Hidden, Quiet, Strong } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { useLive } from '../../shell/live.ts'
import { useProject, type Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { GetAddress } from './get-address.tsx'
import { proofOf, receivedRows, subjectOf, useReceivingDomains, useSeen, writerOf, type ReceivedRow } from './data.ts'
import { inboxSearch } from './search.ts'

const said = words.inbox

/** Received mail, newest first; what this person has not seen yet is marked. */
export function Page() {
  const project = useProject()
  const [found] = useSearch(inboxSearch)
  useLive('inbox', ['GET /receiving/emails'])
  const { data } = useInfiniteQuery(receivedRows(project.id, found))
  const isSeen = useSeen(project.id, data?.pages[0]?.data[0]?.receivedAt)
  return (
    <ListPage
      title={said.title}
      search={inboxSearch}
      rows={(now) => receivedRows(project.id, now)}
      columns={columnsFor(isSeen)}
      rowId={({ id }) => id}
      rowName={subjectOf}
      rowTo={({ id }) => to.received(project.id, id)}
      filters={useFilters(project)}
      above={project.sees('receiving:write') && <InboxSections project={project.id} />}
      empty={{
        icon: 'inbox',
        title: said.empty.title,
        sentence: said.empty.sentence,
        ...(project.sees('receiving:write') && { action: <GetAddress project={project} /> }),
        docs: '/docs',
      }}
    />
  )
}

/** The mail, and the domains that it comes to. */
export const InboxSections = ({ project }: { project: string }) => (
  <Sections
    label={said.title}
    links={[
      { label: said.mail, to: to.inbox(project) },
      { label: said.domains.title, to: to.receivingDomains(project) },
    ]}
  />
)

const columnsFor = (isSeen: (receivedAt: string) => boolean): readonly Column<ReceivedRow>[] => [
  {
    name: 'from',
    title: said.columns.from,
    cell: (mail) => <Writer mail={mail} isNew={!isSeen(mail.receivedAt)} />,
  },
  { name: 'subject', title: said.columns.subject, cell: (mail) => <Foreign text={subjectOf(mail)} /> },
  { name: 'proof', title: said.columns.proof, isNarrow: true, cell: (mail) => <Proof mail={mail} /> },
  {
    name: 'files',
    title: said.columns.files,
    isNumber: true,
    cell: ({ attachmentCount }) => (attachmentCount === 0 ? words.kit.none : attachmentCount),
  },
  { name: 'time', title: said.columns.time, isNarrow: true, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
]

const Writer = ({ mail, isNew }: { mail: ReceivedRow; isNew: boolean }) => (
  <span data-tip={mail.from?.email}>
    {isNew ? (
      <Strong>
        <Foreign text={writerOf(mail)} /> <Hidden>{said.isNew}</Hidden>
      </Strong>
    ) : (
      <Foreign text={writerOf(mail)} />
    )}
    {mail.to.length > 1 && <Quiet isSmall> {words.emails.more(mail.to.length - 1)}</Quiet>}
  </span>
)

export function Proof({ mail }: { mail: Pick<ReceivedRow, 'auth'> }) {
  const { tone, word } = proofOf(mail)
  return <Badge tone={tone}>{word}</Badge>
}

function useFilters(project: Project): Filter<keyof typeof inboxSearch>[] {
  const domains = useReceivingDomains(project)
  const { filters } = said
  return [
    { kind: 'text', name: 'from', label: filters.from },
    { kind: 'text', name: 'to', label: filters.to },
    {
      kind: 'one',
      name: 'domain',
      label: filters.domain,
      options: domains.map(({ id, name }) => ({ value: id, label: name })),
    },
    { kind: 'time', name: 'after', label: filters.after },
  ]
}
