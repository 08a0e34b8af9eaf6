import { useState } from 'react'
import { words } from '../words/words.ts'
import { Button } from './button.tsx'
import { Code } from './code.tsx'
import { formatBytes } from './format.ts'
import type { HeaderLine } from './header-lines.ts'
import { Table } from './table.tsx'
import { Foreign, Mono, Quiet, Row, Stack } from './text.tsx'
import { toastProblem } from './toast.tsx'

const said = words.mail.parts

/** The header fields of a mail, in their order. */
export const HeaderTable = ({ lines }: { lines: readonly HeaderLine[] }) => (
  <Table
    label={said.headersOf}
    rows={lines}
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

export interface SourceTextProps {
  text: string
  /** What is said of the bytes, beside the button. */
  hint: React.ReactNode
  onSave: () => void
}

/** The bytes of a mail; of a long one the beginning. */
export function SourceText({ text, hint, onSave }: SourceTextProps) {
  const isCut = text.length > MAX_SHOWN_LENGTH
  return (
    <Stack>
      <Row>
        <Button icon="download" onClick={onSave}>
          {words.kit.download}
        </Button>
        <Quiet isSmall>
          {hint} {isCut && said.sourceCut(formatBytes(MAX_SHOWN_LENGTH))}
        </Quiet>
      </Row>
      <Code text={isCut ? text.slice(0, MAX_SHOWN_LENGTH) : text} label={said.sourceOf} />
    </Stack>
  )
}

export interface FileRow {
  id: string
  filename: string
  contentType: string
  size: number
}

/** Attachments can be downloaded, and are never opened here. */
export const AttachmentTable = ({
  files,
  load,
}: {
  files: readonly FileRow[]
  load: (file: FileRow) => Promise<void>
}) =>
  files.length === 0 ? (
    <Quiet>{said.noAttachments}</Quiet>
  ) : (
    <Table
      label={said.attachments}
      rows={files}
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
          cell: (file) => <DownloadButton label={said.downloadAttachment(file.filename)} load={() => load(file)} />,
        },
      ]}
    />
  )

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
