import { hash } from 'node:crypto'
import { decodeText } from './charset.ts'
import { toSingleLine } from '../headers.ts'
import { textFromHtml } from '../text.ts'
import { unflow } from './flowed.ts'
import { contentOf, type Part } from './parts.ts'

export interface ReadAttachment {
  readonly filename: string | undefined
  /** The type has no parameters, as in `application/pdf`. */
  readonly contentType: string
  readonly contentId: string | undefined
  readonly disposition: 'attachment' | 'inline'
  readonly content: Buffer
  /** The hash of the content is in hexadecimal. */
  readonly sha256: string
}

/** The texts that a mail program shows, and the files that it offers. */
export interface Contents {
  readonly text: string | undefined
  readonly html: string | undefined
  readonly attachments: readonly ReadAttachment[]
}

export function readContents(root: Part): Contents {
  const attachments: ReadAttachment[] = []
  const body = bodyOf(root, { isRoot: true, isRelated: false, attach: (part) => attachments.push(part) })
  return { ...body, attachments }
}

interface Body {
  text: string | undefined
  html: string | undefined
}

interface Place {
  isRoot: boolean
  /** Beside the html that refers to it. */
  isRelated: boolean
  attach(attachment: ReadAttachment): void
}

const nothing: Body = { text: undefined, html: undefined }

/** The depth of the tree has a limit, so this may call itself. */
function bodyOf(part: Part, place: Place): Body {
  const inside = { ...place, isRoot: false }
  if (part.parts.length > 0) {
    if (part.type === 'multipart/alternative') return bestOf(part.parts, inside)
    if (part.type === 'multipart/related') return relatedTo(part, inside)
    return joined(part.parts.map((child) => bodyOf(child, inside)))
  }
  if (part.type.startsWith('multipart/')) return { ...nothing, text: textOf(part) }
  if (!isShown(part, place)) {
    place.attach(attachmentFrom(part, place))
    return nothing
  }
  return part.type === 'text/html' ? { ...nothing, html: textOf(part) } : { ...nothing, text: textOf(part) }
}

/** Text with a name is a file, except where it is all that the message has. */
function isShown(part: Part, { isRoot, isRelated }: Place): boolean {
  if (part.disposition?.value.toLowerCase() === 'attachment') return false
  if (isRoot) return part.type.startsWith('text/') && part.type !== 'text/calendar'
  return !isRelated && (part.type === 'text/plain' || part.type === 'text/html') && filenameOf(part) === undefined
}

/**
 * RFC 2046 §5.1.4: the same in several forms, the last the best one that can be shown. One that is blank is no form: a
 * boundary that should have been the last one opens another part.
 */
function bestOf(parts: readonly Part[], place: Place): Body {
  const bodies = parts.map((part) => bodyOf(part, place))
  const last = (form: 'text' | 'html'): string | undefined =>
    (bodies.findLast((body) => !isBlank(body[form])) ?? bodies.findLast((body) => body[form] !== undefined))?.[form]
  return { text: last('text'), html: last('html') }
}

/** RFC 2387: the first part, unless another is named, is shown; the others belong to it. An image refers to nothing. */
function relatedTo({ parts, parameters }: Part, place: Place): Body {
  const start = parameters.get('start')?.replaceAll(/^<|>$/g, '')
  const main =
    parts.find(({ contentId }) => start !== undefined && contentId === start) ??
    parts.find(({ type }) => /^(?:text|multipart)\//.test(type)) ??
    parts[0]
  const bodies = parts.map((part) => bodyOf(part, { ...place, isRelated: place.isRelated || part !== main }))
  return joined(bodies)
}

/**
 * Joins parts one below the other. Where one has only text and another html, both are shown: each is converted to the
 * other form, unless it is too long for that.
 */
function joined(all: readonly Body[]): Body {
  const bodies = all.filter(({ text, html }) => !isBlank(text) || !isBlank(html))
  const [only] = bodies
  if (bodies.length < 2)
    return only ?? all.find(({ text, html }) => text !== undefined || html !== undefined) ?? nothing
  const size = bodies.reduce((sum, { text = '', html = '' }) => sum + text.length + html.length, 0)
  const isMessageText = size < MAX_MESSAGE_TEXT_LENGTH
  const hasText = bodies.some(({ text }) => text !== undefined)
  const hasHtml = bodies.some(({ html }) => html !== undefined)
  return {
    text: hasText
      ? below(bodies.map(({ text, html }) => text ?? (html && isMessageText ? textFromHtml(html) : '')))
      : undefined,
    html: hasHtml
      ? below(bodies.map(({ text, html }) => html ?? (text && isMessageText ? htmlFromText(text) : '')))
      : undefined,
  }
}

const MAX_MESSAGE_TEXT_LENGTH = 512 * 1024

const below = (pieces: readonly string[]): string => pieces.filter((piece) => piece !== '').join('\n')

const isBlank = (text: string | undefined): boolean => text === undefined || !/\S/.test(text)

const htmlFromText = (text: string): string =>
  `<div style="white-space: pre-wrap">${text.replaceAll(/[&<>]/g, (mark) => entities[mark] ?? mark)}</div>`

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Decoded, with the line breaks of Unix. */
function textOf(part: Part): string {
  const { parameters, type } = part
  const charset = parameters.get('charset')
  const isWide = /^(?:utf-?16|utf-?32|ucs|unicode)/i.test(charset ?? '')
  const content = contentOf(part)
  const text = isWide
    ? decodeText(charset, content).replaceAll(/\r\n?/g, '\n')
    : decodeText(charset, withUnixBreaks(content))
  const isFlowed = type === 'text/plain' && parameters.get('format')?.toLowerCase() === 'flowed'
  if (!isFlowed || text.length > MAX_MESSAGE_TEXT_LENGTH) return text
  return unflow(text, parameters.get('delsp')?.toLowerCase() === 'yes')
}

/** In bytes, as all charsets but the wide ones allow: replacing ten million of them in a text takes much memory. */
function withUnixBreaks(bytes: Buffer): Buffer {
  if (!bytes.includes(CR)) return bytes
  const out = Buffer.allocUnsafe(bytes.length)
  let end = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte !== CR) out[end++] = byte
    else if (bytes[at + 1] !== LF) out[end++] = LF
  }
  return out.subarray(0, end)
}

const [LF, CR] = [0x0a, 0x0d]

function attachmentFrom(part: Part, { isRelated }: Place): ReadAttachment {
  const content = contentOf(part)
  const disposition = part.disposition?.value.toLowerCase()
  const isInline = disposition === 'inline' || (disposition !== 'attachment' && isRelated)
  return {
    filename: filenameOf(part),
    contentType: part.type,
    contentId: part.contentId,
    disposition: isInline ? 'inline' : 'attachment',
    content,
    sha256: hash('sha256', content, 'hex'),
  }
}

const MAX_FILENAME_LENGTH = 255

function filenameOf({ disposition, parameters }: Part): string | undefined {
  const written = disposition?.parameters.get('filename') ?? parameters.get('name') ?? ''
  const name = toSingleLine(written).trim().slice(0, MAX_FILENAME_LENGTH).toWellFormed()
  return name === '' ? undefined : name
}
