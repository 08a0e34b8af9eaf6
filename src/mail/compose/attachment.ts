import { OPAQUE, type ContentType } from '../content-type.ts'
import { wordsHeader, type Header } from '../headers.ts'
import { extendedParameters, legacyParameter, parameterHeader, plainParameter } from '../parameters.ts'
import { refused, understood, type Parsed } from '../parsed.ts'

export interface Attachment {
  readonly filename: string
  readonly contentType: ContentType
  readonly content: Buffer
  /** With `inline`, what `src="cid:…"` in the html refers to; without angle brackets. */
  readonly contentId?: string | undefined
  readonly disposition: 'attachment' | 'inline'
}

const MAX_FILENAME_LENGTH = 255
const MAX_CONTENT_ID_LENGTH = 255

export function parseFilename(input: string): Parsed<string> {
  if (input === '') return refused('is empty')
  if (/[^ -~\u00a0-\uffff]/.test(input)) return refused('must not contain line breaks or other control characters')
  if (Buffer.byteLength(input) > MAX_FILENAME_LENGTH)
    return refused(`must not be longer than ${MAX_FILENAME_LENGTH} bytes`)
  return understood(input)
}

export function parseContentId(input: string): Parsed<string> {
  const id = /^<(.*)>$/s.exec(input)?.[1] ?? input
  if (!/^[!-;=?-~]+$/.test(id)) return refused('must be visible ASCII without spaces, < and >')
  return id.length > MAX_CONTENT_ID_LENGTH
    ? refused(`must not be longer than ${MAX_CONTENT_ID_LENGTH} bytes`)
    : understood(id)
}

/** An attachment becomes this part of the message. `verbatim` says that its bytes are sent as they are. */
export interface AttachmentPart {
  headers: Header[]
  verbatim: boolean
}

/** `foreign` is text that must not be in a part without an encoding: the boundaries around it. */
export function attachmentPart(attachment: Attachment, foreign: string): AttachmentPart {
  const { filename, contentId, disposition } = attachment
  const isMessage = attachment.contentType.type.startsWith('message/')
  const verbatim = isMessage && travelsAsItIs(attachment.content, foreign)
  // RFC 2046 §5.2.1: no encoding may wrap a message inside a message. One that needs it travels as opaque bytes.
  const { type, parameters } = isMessage && !verbatim ? { type: OPAQUE, parameters: [] } : attachment.contentType
  const typeParameters = [...parameters.map(plainParameter), legacyParameter(['name', filename])]
  return {
    headers: [
      parameterHeader('Content-Type', type, typeParameters),
      parameterHeader('Content-Disposition', disposition, extendedParameters(['filename', filename])),
      wordsHeader('Content-Transfer-Encoding', [verbatim ? '7bit' : 'base64']),
      ...(contentId === undefined ? [] : [wordsHeader('Content-ID', [`<${contentId}>`])]),
    ],
    verbatim,
  }
}

/**
 * RFC 2045 §2.7, and a little more: some hosts on the way change lines that begin with a dot or `From `, and without
 * such lines SMTP needs no dot-stuffing for our bodies.
 */
function travelsAsItIs(content: Buffer, foreign: string): boolean {
  const text = content.toString('latin1')
  return (
    !text.includes(foreign) &&
    text.split('\r\n').every((line) => line.length <= 998 && /^(?!\.|From )[\t -~]*$/.test(line))
  )
}
