import { createHash, hash } from 'node:crypto'
import type { Attachment } from './attachment.ts'
import { encodeBase64 } from './base64.ts'
import { isRelaxed, relaxedBody, relaxedLines, withoutEmptyEnd } from './canonical.ts'
import { wordsHeader, type Header } from './headers.ts'
import { layOut, pieceLength, type MergeContent, type Piece, type Slot } from './mime.ts'
import { encodeQuotedPrintable } from './quoted-printable.ts'

export interface Content {
  text?: string | undefined
  html?: string | undefined
  attachments?: readonly Attachment[] | undefined
}

/**
 * A body and the fields that describe it. ASCII, CRLF, no line longer than 998 nor beginning with a dot, so it can be
 * sent as it is; the same bytes serve any number of recipients.
 */
export interface ComposedBody {
  readonly contentHeaders: readonly Header[]
  readonly body: Buffer
  /** SHA-256 of the relaxed form, in base64: what DKIM needs to know of a body. */
  readonly bodyHash: string
}

/** A body composed up to its slots, which is most of the work. */
export interface PreparedBody {
  readonly contentHeaders: readonly Header[]
  /** One more than there are slots. */
  readonly runs: readonly Run[]
  readonly slots: readonly Slot[]
}

/** Bytes between two slots, and their relaxed form: the same buffer where that is the same. */
interface Run {
  readonly raw: Buffer
  readonly relaxed: Buffer
}

/** One value for each slot. They have to be escaped for where they stand; here they are only encoded. */
export interface SlotValues {
  text?: readonly string[] | undefined
  html?: readonly string[] | undefined
}

/** `seed` decides the boundaries: the same content and seed give the same bytes. */
export const composeBody = (content: Content, seed: string): ComposedBody =>
  fillBody(prepareBody(withoutSlots(content), seed), {})

export function prepareBody(content: MergeContent, seed: string): PreparedBody {
  const { headers, pieces } = layOut(content, seed)
  const slots = pieces.filter(isSlot)
  const groups = splitAtSlots([...pieces, lastBreak(pieces)])
  const runs = groups.map((group, index) => asRun(group, index === groups.length - 1))
  return { contentHeaders: [wordsHeader('MIME-Version', ['1.0']), ...headers], runs, slots }
}

/**
 * Around a slot the text has soft line breaks, so a value begins a line of its own: what stands before and after it
 * was encoded, and canonicalised, long ago.
 */
export function fillBody({ contentHeaders, runs, slots }: PreparedBody, values: SlotValues): ComposedBody {
  const raw: Buffer[] = []
  const relaxed: Buffer[] = []
  for (const [index, run] of runs.entries()) {
    raw.push(run.raw)
    relaxed.push(run.relaxed)
    const slot = slots[index]
    if (slot === undefined) break
    const value = valueOf(slot, values)
    const encoded = encodeQuotedPrintable(value)
    raw.push(encoded)
    relaxed.push(/[ \t]/.test(value) ? relaxedLines(encoded) : encoded)
  }
  return { contentHeaders, body: joined(raw), bodyHash: sha256(relaxed) }
}

/** How long the body of this content will be, to the byte, without encoding its attachments. */
export function bodySize(content: Content, seed: string): number {
  const { pieces } = layOut(withoutSlots(content), seed)
  return [...pieces, lastBreak(pieces)].reduce((size, piece) => size + pieceLength(piece), 0)
}

/** For bodies that we did not compose. */
export const bodyHashOf = (body: Buffer): string => sha256([relaxedBody(body)])

const withoutSlots = ({ text, html, attachments }: Content): MergeContent => ({
  text: text === undefined ? undefined : [text],
  html: html === undefined ? undefined : [html],
  attachments,
})

/** A message ends with a line break (RFC 5321 §4.1.1.4), unless there is nothing at all. */
function lastBreak(pieces: readonly Piece[]): Buffer {
  const last = pieces.at(-1)
  const isEmpty = pieces.every((piece) => pieceLength(piece) === 0 && !isSlot(piece))
  const hasEnd = Buffer.isBuffer(last) && last.subarray(-2).equals(CRLF)
  return isEmpty || hasEnd ? Buffer.alloc(0) : CRLF
}

const CRLF = Buffer.from('\r\n')

const isSlot = (piece: Piece): piece is Slot => 'of' in piece

function splitAtSlots(pieces: readonly Piece[]): Buffer[][] {
  const groups: Buffer[][] = [[]]
  for (const piece of pieces) {
    if (isSlot(piece)) groups.push([])
    else groups.at(-1)?.push(Buffer.isBuffer(piece) ? piece : encodeBase64(piece.base64))
  }
  return groups
}

/** Every piece has whole lines, or is followed by a line break: each can be canonicalised by itself. */
function asRun(pieces: readonly Buffer[], isLast: boolean): Run {
  const raw = joined(pieces)
  const relaxed = isRelaxed(raw) ? raw : joined(pieces.map(relaxedLines))
  return { raw, relaxed: isLast ? withoutEmptyEnd(relaxed) : relaxed }
}

/** One buffer may be a whole message with its files: not copied without need. */
const joined = (pieces: readonly Buffer[]): Buffer => {
  const [only] = pieces
  return only && pieces.length === 1 ? only : Buffer.concat(pieces)
}

function valueOf({ of, index }: Slot, values: SlotValues): string {
  const value = values[of]?.[index]
  if (value === undefined) throw new Error(`The ${of} part has no value for its slot ${index}.`)
  return value
}

/** At once where it is one piece: that takes half the time of an object that is fed. */
function sha256(pieces: readonly Buffer[]): string {
  const [only] = pieces
  if (only && pieces.length === 1) return hash('sha256', only, 'base64')
  const fed = createHash('sha256')
  for (const piece of pieces) fed.update(piece)
  return fed.digest('base64')
}
