import { useQuery } from '@tanstack/react-query'
import { useSearch } from '../../kit/address.ts'
import { Badge } from '../../kit/badge.tsx'
import { Code } from '../../kit/code.tsx'
import { formatBytes } from '../../kit/format.ts'
import { AttachmentTable, HeaderTable, SourceText } from '../../kit/mail-parts.tsx'
import { MailPreview } from '../../kit/mail-preview.tsx'
import { Tabs, type Tab } from '../../kit/tabs.tsx'
import { Quiet } from '../../kit/text.tsx'
import { Waiting } from '../../kit/waiting.tsx'
import { save } from '../../shell/api.ts'
import { words } from '../../words/words.ts'
import { attachmentsQuery, loadAttachment, sourceQuery, type Received } from './data.ts'
import { receivedParts, receivedSearch } from './search.ts'

const said = words.emails.content

type Part = (typeof receivedParts)[number]

interface ContentProps {
  mail: Received
  project: string
}

/** What a received mail says, part by part. A stranger wrote it: nothing of it runs, and nothing is loaded for it. */
export function Content({ mail, project }: ContentProps) {
  const [{ tab = 'preview' }] = useSearch(receivedSearch)
  const tabs = receivedParts.map((name): Tab<Part> => ({
    name,
    label: said.tabs[name],
    ...(name === 'attachments' && mail.attachmentCount > 0 && { note: <Badge isPlain>{mail.attachmentCount}</Badge> }),
  }))
  return (
    <Tabs label={said.label} tabs={tabs} selected={tab}>
      <OnePart part={tab} mail={mail} project={project} />
    </Tabs>
  )
}

function OnePart({ part, mail, project }: ContentProps & { part: Part }) {
  switch (part) {
    case 'preview':
      return <Preview key={mail.id} mail={mail} project={project} />
    case 'text':
      return mail.text === null ? <Quiet>{said.noText}</Quiet> : <Code text={mail.text} label={said.textOf} wraps />
    case 'html':
      return mail.html === null ? <Quiet>{said.noHtmlPart}</Quiet> : <Code text={mail.html} label={said.htmlOf} wraps />
    case 'headers':
      return <HeaderTable lines={mail.headers.map((line, place) => ({ ...line, place }))} />
    case 'source':
      return <Source mail={mail} project={project} />
    case 'attachments':
      return <Attachments mail={mail} project={project} />
  }
}

function Preview({ mail, project }: ContentProps) {
  const [look, change] = useSearch(receivedSearch)
  const { data: attachments } = useQuery({
    ...attachmentsQuery(project, mail.id),
    enabled: mail.html?.includes('cid:') ?? false,
  })
  return (
    <MailPreview
      mail={mail}
      files={attachments?.data ?? []}
      load={(id, signal) => loadAttachment(project, mail.id, id, signal)}
      look={look}
      onChange={change}
    />
  )
}

function Source({ mail, project }: ContentProps) {
  const query = useQuery(sourceQuery(project, mail.id))
  if (query.data === undefined) return <Waiting query={query} />
  const { text, blob, filename } = query.data
  return (
    <SourceText text={text} hint={words.inbox.sourceHint(formatBytes(blob.size))} onSave={() => save(blob, filename)} />
  )
}

function Attachments({ mail, project }: ContentProps) {
  const query = useQuery(attachmentsQuery(project, mail.id))
  if (query.data === undefined) return <Waiting query={query} />
  return (
    <AttachmentTable
      files={query.data.data.map((file) => ({ ...file, filename: file.filename ?? words.inbox.unnamedFile }))}
      load={async ({ id, filename }) => save(await loadAttachment(project, mail.id, id), filename)}
    />
  )
}
