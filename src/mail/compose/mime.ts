import { hash } from 'node:crypto'
import { attachmentPart, type Attachment } from './attachment.ts'
import { base64Length } from '../base64.ts'
import { wordsHeader, type Header } from '../headers.ts'
import { parameterHeader, plainParameter } from '../parameters.ts'
import { encodeQuotedPrintable } from '../quoted-printable.ts'

export interface Content {
  text?: string | undefined
  html?: string | undefined
  attachments?: readonly Attachment[] | undefined
}

/** Bytes of the body, or bytes that still have to be encoded. */
export type Piece = Buffer | { base64: Buffer }

/** A Part is a part of a message, or the whole message. */
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
export function layOut({ text, html, attachments = [] }: Content, seed: string): Part {
  const digest = hash('sha256', seed, 'hex').slice(0, 32)
  const isInline = (attachment: Attachment) => html !== undefined && attachment.disposition === 'inline'
  const asPart = (attachment: Attachment) => encodedPart(attachment, digest)
  const inline = attachments.filter(isInline).map(asPart)
  const attached = attachments.filter((attachment) => !isInline(attachment)).map(asPart)

  const readable: Part[] = []
  if (text !== undefined || html === undefined) readable.push(textPart('text', text ?? ''))
  if (html !== undefined) readable.push(multipart('related', digest, [textPart('html', html), ...inline]))
  const body = multipart('alternative', digest, readable)
  return multipart('mixed', digest, [body, ...attached])
}

export const pieceLength = (piece: Piece): number =>
  Buffer.isBuffer(piece) ? piece.length : base64Length(piece.base64.length)

const textHeaders = (type: string): Header[] => [
  parameterHeader('Content-Type', type, [plainParameter(['charset', 'utf-8'])]),
  wordsHeader('Content-Transfer-Encoding', ['quoted-printable']),
]

/** These headers are the same in every message. */
const headersOf = { text: textHeaders('text/plain'), html: textHeaders('text/html') }

const textPart = (of: keyof typeof headersOf, text: string): Part => ({
  headers: headersOf[of],
  pieces: [encodeQuotedPrintable(text)],
})

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

/** RFC 2387 §3.1: `type` is the type of the part that the others belong to. */
const relatedType: [string, string] = ['type', 'text/html']

/** The line break before a delimiter belongs to the delimiter: a part keeps the end it has. */
const delimited = ({ headers, pieces }: Part, boundary: string, isFirst: boolean): Piece[] => [
  ascii(`${isFirst ? '' : '\r\n'}--${boundary}\r\n${headers.map(({ line }) => line).join('')}\r\n`),
  ...pieces,
]

const ascii = (text: string): Buffer => Buffer.from(text, 'utf8')
