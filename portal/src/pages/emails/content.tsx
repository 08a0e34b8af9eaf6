import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearch } from '../../kit/address.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Code } from '../../kit/code.tsx'
import { Failure } from '../../kit/empty.tsx'
import { formatBytes } from '../../kit/format.ts'
import { Notice } from '../../kit/notice.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Table } from '../../kit/table.tsx'
import { Tabs, type Tab } from '../../kit/tabs.tsx'
import { Foreign, Mono, Quiet, Row, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { toastProblem } from '../../kit/toast.tsx'
import { save } from '../../shell/api.ts'
import { words } from '../../words/words.ts'
import { saveAttachment, sourceQuery, type Email, type Source } from './data.ts'
import { Preview } from './preview.tsx'
import { emailParts, emailSearch } from './search.ts'
import { headerLines } from './source.ts'

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
          show={(source) => <Headers source={source} />}
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
      return <Attachments email={email} project={project} />
  }
}

function WithSource({ email, project, recipient, show }: ContentProps & { show: (source: Source) => React.ReactNode }) {
  const query = useQuery(sourceQuery(project, email.id, recipient))
  if (query.data !== undefined) return show(query.data)
  const error = query.error ?? query.failureReason
  if (error === null) return <Skeleton rows={8} />
  return <Failure error={error} isTrying={!query.isError} onRetry={() => void query.refetch({ cancelRefetch: true })} />
}

const Headers = ({ source }: { source: Source }) => (
  <Table
    label={said.headersOf}
    rows={headerLines(source.text)}
    rowId={({ place }) => String(place)}
    isFirst
    columns={[
      { name: 'name', title: said.headerName, isNarrow: true, cell: ({ name }) => <Foreign text={name} /> },
      {
        name: 'value',
        title: said.headerValue,
        cell: ({ value }) => (
          <Mono>
            <Foreign text={value} />
          </Mono>
        ),
      },
    ]}
  />
)

const MAX_SHOWN_LENGTH = 200_000

function Bytes({ source, recipient }: { source: Source; recipient: string | undefined }) {
  const isCut = source.text.length > MAX_SHOWN_LENGTH
  return (
    <Stack>
      <Row>
        <Button icon="download" onClick={() => save(source.blob, source.filename)}>
          {said.downloadSource}
        </Button>
        <Quiet isSmall>
          {said.sourceHint(formatBytes(source.blob.size))} {recipient !== undefined && said.sourceFor(recipient)}{' '}
          {isCut && said.sourceCut(formatBytes(MAX_SHOWN_LENGTH))}
        </Quiet>
      </Row>
      {source.isKeyRotated && <Notice tone="warn">{said.keyRotated}</Notice>}
      <Code text={isCut ? source.text.slice(0, MAX_SHOWN_LENGTH) : source.text} label={said.sourceOf} />
    </Stack>
  )
}

function Attachments({ email, project }: { email: Email; project: string }) {
  if (email.attachments.length === 0) return <Quiet>{said.noAttachments}</Quiet>
  return (
    <Table
      label={said.tabs.attachments}
      rows={email.attachments}
      rowId={({ id }) => id}
      isFirst
      columns={[
        { name: 'name', title: said.attachmentName, cell: ({ filename }) => <Foreign text={filename} /> },
        { name: 'type', title: said.attachmentType, cell: ({ contentType }) => <Foreign text={contentType} /> },
        { name: 'size', title: said.attachmentSize, isNumber: true, cell: ({ size }) => formatBytes(size) },
        {
          name: 'actions',
          title: said.attachmentActions,
          isActions: true,
          cell: ({ id, filename }) => (
            <DownloadButton
              label={said.downloadAttachment(filename)}
              load={() => saveAttachment(project, email.id, id, filename)}
            />
          ),
        },
      ]}
    />
  )
}

function DownloadButton({ label, load }: { label: string; load: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false)
  const press = async (): Promise<void> => {
    setBusy(true)
    await load().catch(toastProblem)
    setBusy(false)
  }
  return (
    <Button isSmall icon="download" isBusy={isBusy} aria-label={label} onClick={() => void press()}>
      {words.kit.download}
    </Button>
  )
}
