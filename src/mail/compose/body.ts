import { hash } from 'node:crypto'
import { encodeBase64 } from '../base64.ts'
import { isRelaxed, relaxedLines, withoutEmptyEnd } from './canonical.ts'
import { wordsHeader, type Header } from '../headers.ts'
import { layOut, pieceLength, type Content, type Piece } from './mime.ts'

/**
 * A body and the fields that describe it. It is ASCII with CRLF, and no line is longer than 998 or begins with a dot,
 * so it can be sent as it is; the same bytes serve any number of recipients.
 */
export interface ComposedBody {
  readonly contentHeaders: readonly Header[]
  readonly body: Buffer
  /** DKIM signs this hash: SHA-256 of the relaxed form, in base64. */
  readonly bodyHash: string
}

/** `seed` decides the boundaries: the same content and seed give the same bytes. */
export function composeBody(content: Content, seed: string): ComposedBody {
  const { headers, pieces } = layOut(content, seed)
  const encoded = [...pieces, lastBreak(pieces)].map(encodePiece)
  const body = Buffer.concat(encoded)
  // Every piece has whole lines, or is followed by a line break: each can be canonicalised by itself.
  const relaxed = isRelaxed(body) ? body : Buffer.concat(encoded.map(relaxedLines))
  return {
    contentHeaders: [wordsHeader('MIME-Version', ['1.0']), ...headers],
    body,
    bodyHash: sha256(withoutEmptyEnd(relaxed)),
  }
}

/** Returns the exact length of the body, without encoding its attachments. */
export function bodySize(content: Content, seed: string): number {
  const { pieces } = layOut(content, seed)
  return [...pieces, lastBreak(pieces)].reduce((size, piece) => size + pieceLength(piece), 0)
}

/** A message ends with a line break (RFC 5321 §4.1.1.4), unless there is nothing at all. */
function lastBreak(pieces: readonly Piece[]): Buffer {
  const last = pieces.at(-1)
  const isEmpty = pieces.every((piece) => pieceLength(piece) === 0)
  const hasEnd = Buffer.isBuffer(last) && last.subarray(-2).equals(CRLF)
  return isEmpty || hasEnd ? Buffer.alloc(0) : CRLF
}

const CRLF = Buffer.from('\r\n')

const encodePiece = (piece: Piece): Buffer => (Buffer.isBuffer(piece) ? piece : encodeBase64(piece.base64))

const sha256 = (bytes: Buffer): string => hash('sha256', bytes, 'base64')
