import { hash } from 'node:crypto'
import { attachmentPart, type Attachment } from './attachment.ts'
import { base64Length } from './base64.ts'
import { wordsHeader, type Header } from './headers.ts'
import { parameterHeader, plainParameter } from './parameters.ts'
import { encodeQuotedPrintable, SOFT_BREAK } from './quoted-printable.ts'

/**
 * What a message contains, before it is anybody's. `text` and `html` are given in literals with a slot between each
 * two of them, so a text without slots is a list of one.
 */
export interface MergeContent {
  text?: readonly string[] | undefined
  html?: readonly string[] | undefined
  attachments?: readonly Attachment[] | undefined
}

/** The place of a value that differs from one recipient to the next. */
export interface Slot {
  of: 'text' | 'html'
  index: number
}

/** Bytes of the body; bytes that still have to be encoded; or a slot, which always has whole lines around it. */
export type Piece = Buffer | { base64: Buffer } | Slot

/** A part of a message, or all of it. */
export interface Part {
  headers: Header[]
  pieces: Piece[]
}

/**
 * RFC 2046 §5.1. What the reader chooses from is innermost, images that belong to the html are bound to it, and
 * attachments come last:
 *
 *   mixed ( alternative ( text, related ( html, inline images ) ), attachments )
 *
 * where each bracket is only there if it holds more than one thing. The boundaries depend on the seed alone, so the
 * same message composed again is the same bytes. No part can contain one: `=_` is not possible in quoted-printable
 * nor base64 text.
 */
export function layOut({ text, html, attachments = [] }: MergeContent, seed: string): Part {
  const digest = hash('sha256', seed, 'hex').slice(0, 32)
  const isInline = (attachment: Attachment) => html !== undefined && attachment.disposition === 'inline'
  const asPart = (attachment: Attachment) => encodedPart(attachment, digest)
  const inline = attachments.filter(isInline).map(asPart)
  const attached = attachments.filter((attachment) => !isInline(attachment)).map(asPart)

  const htmlPart = html && multipart('related', digest, [textPart('html', html), ...inline])
  const textOnly = text && textPart('text', text)
  const readable = [textOnly, htmlPart].filter((part) => part !== undefined)
  const body = multipart('alternative', digest, readable.length === 0 ? [textPart('text', [''])] : readable)
  return multipart('mixed', digest, [body, ...attached])
}

export function pieceLength(piece: Piece): number {
  if (Buffer.isBuffer(piece)) return piece.length
  return 'base64' in piece ? base64Length(piece.base64.length) : 0
}

const textHeaders = (type: string): Header[] => [
  parameterHeader('Content-Type', type, [plainParameter(['charset', 'utf-8'])]),
  wordsHeader('Content-Transfer-Encoding', ['quoted-printable']),
]

/** The same in every message. */
const headersOf = { text: textHeaders('text/plain'), html: textHeaders('text/html') }

function textPart(of: Slot['of'], literals: readonly string[]): Part {
  return {
    headers: headersOf[of],
    pieces: literals.flatMap((literal, index): Piece[] => [
      ...(index === 0 ? [] : [{ of, index: index - 1 }, SOFT_BREAK]),
      encodeQuotedPrintable(literal),
      ...(index === literals.length - 1 ? [] : [SOFT_BREAK]),
    ]),
  }
}

function encodedPart(attachment: Attachment, digest: string): Part {
  const { headers, verbatim } = attachmentPart(attachment, digest)
  return { headers, pieces: [verbatim ? attachment.content : { base64: attachment.content }] }
}

type Kind = 'mixed' | 'related' | 'alternative'

function multipart(kind: Kind, digest: string, parts: readonly Part[]): Part {
  const [only] = parts
  if (only && parts.length === 1) return only
  // The kind stands before the digest: no boundary may begin with another one (RFC 2046 §5.1.2).
  const boundary = `=_${kind}_${digest}`
  const parameters: [string, string][] = [...(kind === 'related' ? [relatedType] : []), ['boundary', boundary]]
  return {
    headers: [parameterHeader('Content-Type', `multipart/${kind}`, parameters.map(plainParameter))],
    pieces: [...parts.flatMap((part, index) => delimited(part, boundary, index === 0)), ascii(`\r\n--${boundary}--`)],
  }
}

/** RFC 2387 §3.1: the type of the part that the others belong to. */
const relatedType: [string, string] = ['type', 'text/html']

/** The line break before a delimiter belongs to the delimiter: a part keeps the end it has. */
const delimited = ({ headers, pieces }: Part, boundary: string, isFirst: boolean): Piece[] => [
  ascii(`${isFirst ? '' : '\r\n'}--${boundary}\r\n${headers.map(({ line }) => line).join('')}\r\n`),
  ...pieces,
]

const ascii = (text: string): Buffer => Buffer.from(text, 'utf8')
