import { useState } from 'react'
import { useSearch } from '../../kit/address.ts'
import { Status, stateWord } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { shortTime } from '../../kit/format.ts'
import { ListPage } from '../../kit/list-page.tsx'
import type { Filter } from '../../kit/list-filters.tsx'
import type { SelectedAction } from '../../kit/list-selection.tsx'
import type { Column } from '../../kit/table.tsx'
import { Foreign, Quiet } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { toastProblem } from '../../kit/toast.tsx'
import { asCurl } from '../../shell/requests.ts'
import { useProject, useSession, type Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import {
  emailRows,
  isFinal,
  searchedTo,
  subjectOf,
  useCancel,
  useFilterChoices,
  useResend,
  useRetry,
  useTryOutcomes,
  type EmailRow,
} from './data.ts'
import { useNewEmails } from './new-emails.ts'
import { emailSources, emailStates, emailsSearch } from './search.ts'

const said = words.emails

/** Every email of the project, newest first. */
export function Page() {
  const project = useProject()
  const { installation } = useSession()
  const maySend = project.can('email:send') && project.maySend
  const [{ q, template, broadcast, automation }] = useSearch(emailsSearch)
  // What has no index of its own is looked for a stretch at a time.
  const isSearch = [q, template, broadcast, automation].some((text) => text !== undefined)
  const fresh = useNewEmails(project.id)
  return (
    <ListPage
      title={said.title}
      search={emailsSearch}
      rows={(found) => emailRows(project.id, found, fresh.heldBefore)}
      columns={columns}
      rowId={({ id }) => id}
      rowName={subjectOf}
      rowTo={({ id }) => to.email(project.id, id)}
      filters={useFilters(project)}
      find={{ parameter: 'q', placeholder: said.find }}
      {...(isSearch && { lookedBack })}
      tools={
        fresh.count > 0 && (
          <Button isSmall icon="up" onClick={fresh.show}>
            {said.fresh(fresh.count)}
          </Button>
        )
      }
      selected={useSelectedActions(project)}
      empty={{
        icon: 'mail',
        title: said.empty.title,
        sentence: said.empty.sentence,
        ...(maySend && { action: <TryOutcomes project={project.id} /> }),
        curl: asCurl(
          {
            method: 'POST',
            path: '/api/v1/email/send',
            project: project.id,
            body: JSON.stringify({
              from: installation.sandboxSender,
              to: `delivered@${installation.simulatorDomain}`,
              subject: 'Hello',
              text: 'It works.',
            }),
          },
          installation.publicUrl,
        ),
        docs: '/docs',
      }}
    />
  )
}

const columns: readonly Column<EmailRow>[] = [
  { name: 'to', title: said.columns.to, cell: (email) => <Receivers email={email} /> },
  { name: 'subject', title: said.columns.subject, cell: (email) => <Foreign text={subjectOf(email)} /> },
  { name: 'status', title: said.columns.status, isNarrow: true, cell: ({ status }) => <Status state={status} /> },
  { name: 'from', title: said.columns.from, cell: ({ from }) => <Sender from={from} /> },
  { name: 'time', title: said.columns.time, isNarrow: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The name alone, where there is one. */
const Sender = ({ from }: { from: string }) => (
  <span data-tip={from}>
    <Foreign text={/^"?([^"<]+?)"?\s*</.exec(from)?.[1] ?? from} />
  </span>
)

const Receivers = ({ email: { to: receivers } }: { email: EmailRow }) => (
  <>
    <Foreign text={receivers[0] ?? words.kit.none} />
    {receivers.length > 1 && <Quiet isSmall> {said.more(receivers.length - 1)}</Quiet>}
  </>
)

function useFilters(project: Project): Filter<keyof typeof emailsSearch>[] {
  const { templates, domains, broadcasts, automations } = useFilterChoices(project)
  const { filters } = said
  return [
    {
      kind: 'one',
      name: 'status',
      label: filters.status,
      options: emailStates.map((value) => ({ value, label: stateWord(value) })),
    },
    { kind: 'text', name: 'to', label: filters.to },
    { kind: 'text', name: 'from', label: filters.from },
    { kind: 'text', name: 'tag', label: filters.tag, placeholder: filters.tagHint },
    {
      kind: 'one',
      name: 'source',
      label: filters.source,
      options: emailSources.map((value) => ({ value, label: said.sources[value] })),
    },
    { kind: 'one', name: 'template', label: filters.template, options: templates },
    { kind: 'one', name: 'domain', label: filters.domain, options: domains },
    { kind: 'one', name: 'broadcast', label: filters.broadcast, options: broadcasts },
    { kind: 'one', name: 'automation', label: filters.automation, options: automations },
    { kind: 'text', name: 'batch', label: filters.batch },
    { kind: 'time', name: 'after', label: filters.after },
    { kind: 'time', name: 'before', label: filters.before },
  ]
}

function lookedBack(page: object | undefined): string | undefined {
  const time = searchedTo(page)
  return time === undefined ? undefined : said.lookedBack(shortTime(new Date(time)))
}

function useSelectedActions(project: Project): SelectedAction<EmailRow>[] {
  const resend = useResend()
  const retry = useRetry()
  const cancel = useCancel()
  if (!project.can('email:send')) return []
  const call = ({ id }: EmailRow) => ({ project: project.id, params: { id } })
  const sending: SelectedAction<EmailRow>[] = [
    {
      label: said.selected.resend,
      icon: 'send',
      run: (row) => resend.run(call(row)),
      question: said.selected.resendQuestion,
      fits: ({ status }) => isFinal(status),
    },
    {
      label: said.selected.retry,
      icon: 'refresh',
      run: (row) => retry.run(call(row)),
      fits: ({ status }) => status === 'deferred',
    },
  ]
  return [
    ...(project.maySend ? sending : []),
    {
      label: said.selected.cancel,
      icon: 'forbidden',
      tone: 'bad',
      run: (row) => cancel.run(call(row)),
      question: said.selected.cancelQuestion,
      fits: ({ status }) => status === 'scheduled',
    },
  ]
}

function TryOutcomes({ project }: { project: string }) {
  const { installation } = useSession()
  const tryOutcomes = useTryOutcomes(project, installation.sandboxSender, installation.simulatorDomain)
  const [isBusy, setBusy] = useState(false)
  const press = async (): Promise<void> => {
    setBusy(true)
    await tryOutcomes().catch(toastProblem)
    setBusy(false)
  }
  return (
    <Button tone="main" icon="send" isBusy={isBusy} onClick={() => void press()}>
      {said.empty.action}
    </Button>
  )
}
