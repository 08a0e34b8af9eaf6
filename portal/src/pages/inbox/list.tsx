import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch, type Found } from '../../kit/address.ts'
import { useHasRoomBeside } from '../../kit/beside.tsx'
import type { Filter } from '../../kit/list-filters.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import { Sections } from '../../kit/sections.tsx'
import type { Column } from '../../kit/table.tsx'
import { Foreign, Hidden, Quiet, Row, Stack, Strong } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { useLive } from '../../shell/live.ts'
import { useProject, type Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { GetAddress } from './get-address.tsx'
import { receivedRows, subjectOf, useReceivingDomains, useSeen, writerOf, type ReceivedRow } from './data.ts'
import { ReadingPane } from './pane.tsx'
import { Proof } from './proof.tsx'
import { inboxSearch, verdicts } from './search.ts'

const said = words.inbox

/** Received mail, newest first; what this person has not seen yet is marked. */
export function Page() {
  const project = useProject()
  const [found, change] = useSearch(inboxSearch)
  const hasPane = useHasRoomBeside()
  useLive('inbox', ['GET /receiving/emails'])
  const { data } = useInfiniteQuery(receivedRows(project.id, found))
  const isSeen = useSeen(project.id, data?.pages[0]?.data[0]?.receivedAt)
  return (
    <ListPage
      title={said.title}
      search={inboxSearch}
      rows={(now) => receivedRows(project.id, now)}
      columns={hasPane ? fewColumnsFor(isSeen) : columnsFor(isSeen)}
      rowId={({ id }) => id}
      rowName={subjectOf}
      rowTo={({ id }) => to.received(project.id, id)}
      filters={useFilters(project)}
      {...(hasPane && {
        chosen: { id: found.mail, onChange: (mail) => found.mail !== mail && change({ mail }) },
        beside: { label: said.pane.label, pane: <ReadingPane project={project} id={found.mail} /> },
      })}
      {...(isByVerdict(found) && { lookedBack: () => said.lookedBack })}
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

/** Verdicts are in no index: the server looks for them a stretch at a time. */
const isByVerdict = ({ spf, dkim, dmarc }: Found<typeof inboxSearch>): boolean =>
  spf !== undefined || dkim !== undefined || dmarc !== undefined

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

/** Beside a mail there is room for two columns. */
const fewColumnsFor = (isSeen: (receivedAt: string) => boolean): readonly Column<ReceivedRow>[] => [
  {
    name: 'from',
    title: said.columns.mail,
    cell: (mail) => (
      <Stack isTight>
        <Row>
          <Writer mail={mail} isNew={!isSeen(mail.receivedAt)} />
          <Proof mail={mail} />
        </Row>
        <Quiet>
          <Foreign text={subjectOf(mail)} />
        </Quiet>
      </Stack>
    ),
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
    ...(['spf', 'dkim', 'dmarc'] as const).map((name) => ({
      kind: 'one' as const,
      name,
      label: filters[name],
      options: verdicts.map((verdict) => ({ value: verdict, label: said.verdicts[verdict] })),
    })),
  ]
}
