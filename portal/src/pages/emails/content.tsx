import { useQuery } from '@tanstack/react-query'
import { useSearch } from '../../kit/address.ts'
import { Badge } from '../../kit/badge.tsx'
import { Code } from '../../kit/code.tsx'
import { formatBytes } from '../../kit/format.ts'
import { headerLines } from '../../kit/header-lines.ts'
import { AttachmentTable, HeaderTable, SourceText } from '../../kit/mail-parts.tsx'
import { Notice } from '../../kit/notice.tsx'
import { Tabs, type Tab } from '../../kit/tabs.tsx'
import { Quiet, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { Waiting } from '../../kit/waiting.tsx'
import { save } from '../../shell/api.ts'
import { words } from '../../words/words.ts'
import { loadAttachment, sourceQuery, type Email, type Source } from './data.ts'
import { Preview } from './preview.tsx'
import { emailParts, emailSearch } from './search.ts'

const said = words.emails.content

type Part = (typeof emailParts)[number]

export interface ContentProps {
  email: Email
  project: string
  /** Whose copy the bytes are. */
  recipient: string | undefined
}

/** What the email says, part by part. */
export function Content({ email, project, recipient }: ContentProps) {
  const [{ tab = 'preview' }] = useSearch(emailSearch)
  const tabs = emailParts.map((name): Tab<Part> => ({
    name,
    label: said.tabs[name],
    ...(name === 'attachments' &&
      email.attachments.length > 0 && { note: <Badge isPlain>{email.attachments.length}</Badge> }),
  }))
  return (
    <Tabs label={said.label} tabs={tabs} selected={tab}>
      {email.contentPurgedAt !== null ? (
        <Purged at={email.contentPurgedAt} />
      ) : email.contentHidden ? (
        <Notice tone="none">{said.hidden}</Notice>
      ) : (
        <OnePart part={tab} email={email} project={project} recipient={recipient} />
      )}
    </Tabs>
  )
}

const Purged = ({ at }: { at: string }) => (
  <Notice tone="none" title={said.purged}>
    <p>{said.purgedWhy}</p>
    <Quiet isSmall>
      {said.purgedAt} <Time at={at} form="short" />
    </Quiet>
  </Notice>
)

function OnePart({ part, email, project, recipient }: ContentProps & { part: Part }) {
  switch (part) {
    case 'preview':
      return <Preview key={email.id} email={email} project={project} />
    case 'text':
      return email.text === null ? <Quiet>{said.noText}</Quiet> : <Code text={email.text} label={said.textOf} wraps />
    case 'html':
      return email.html === null ? (
        <Quiet>{said.noHtmlPart}</Quiet>
      ) : (
        <Code text={email.html} label={said.htmlOf} wraps />
      )
    case 'headers':
      return (
        <WithSource
          email={email}
          project={project}
          recipient={recipient}
          show={(source) => <HeaderTable lines={headerLines(source.text)} />}
        />
      )
    case 'source':
      return (
        <WithSource
          email={email}
          project={project}
          recipient={recipient}
          show={(source) => <Bytes source={source} recipient={recipient} />}
        />
      )
    case 'attachments':
      return (
        <AttachmentTable
          files={email.attachments}
          load={async ({ id, filename }) => save(await loadAttachment(project, email.id, id), filename)}
        />
      )
  }
}

function WithSource({ email, project, recipient, show }: ContentProps & { show: (source: Source) => React.ReactNode }) {
  const query = useQuery(sourceQuery(project, email.id, recipient))
  return query.data === undefined ? <Waiting query={query} /> : show(query.data)
}

function Bytes({ source, recipient }: { source: Source; recipient: string | undefined }) {
  return (
    <Stack>
      {source.isKeyRotated && <Notice tone="warn">{said.keyRotated}</Notice>}
      <SourceText
        text={source.text}
        hint={`${said.sourceHint(formatBytes(source.blob.size))} ${recipient === undefined ? '' : said.sourceFor(recipient)}`}
        onSave={() => save(source.blob, source.filename)}
      />
    </Stack>
  )
}
