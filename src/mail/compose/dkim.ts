import { hash, sign, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { relaxedHeader } from './canonical.ts'
import { wordsHeader, type Header } from '../headers.ts'

/**
 * DKIM signatures (RFC 6376, and RFC 8463 for Ed25519): relaxed/relaxed, the whole body, no `l=`. Everything about a
 * message that a person sees or a provider acts upon is covered.
 */

export interface SigningKey {
  readonly domain: string
  readonly selector: string
  /**
   * The key is RSA or Ed25519. Callers keep the object: reading it from bytes each time adds half of the cost of a
   * signature.
   */
  readonly privateKey: KeyObject
}

export interface ToSign {
  headers: readonly Header[]
  bodyHash: string
  /** The time of signing becomes `t=`. */
  at: Date
}

/** The `DKIM-Signature` fields to put before the headers, one for each key. None of them covers another. */
export function signatures(message: ToSign, keys: readonly SigningKey[]): Promise<Header[]> {
  if (keys.length === 0) return Promise.resolve([])
  const covered = coverage(message.headers)
  return Promise.all(keys.map((key) => signature(message, covered, key)))
}

/**
 * These are signed once more than they occur (§8.15), so that no host on the way can add a second one: a mail program
 * may show either.
 */
const oversigned = ['from', 'to', 'subject', 'date', 'message-id', 'reply-to']

/** Signed where they are. RFC 8058 §4 asks for the two of List-Unsubscribe, RFC 9477 §3.1 for those of CFBL. */
const signedIfPresent = [
  ...'cc in-reply-to references mime-version content-type content-transfer-encoding list-id'.split(' '),
  ...'list-unsubscribe list-unsubscribe-post feedback-id cfbl-address cfbl-feedback-id'.split(' '),
]

interface Coverage {
  /** The names are in the order of `h=`. */
  names: string[]
  /** The text has the signed fields, canonicalised. */
  text: string
}

function coverage(headers: readonly Header[]): Coverage {
  const names: string[] = []
  let text = ''
  const byName = Map.groupBy(headers, ({ name }) => name.toLowerCase())
  for (const name of [...oversigned, ...signedIfPresent]) {
    // §5.4.2: a field that occurs more than once is signed from the last one upwards.
    for (const header of byName.get(name)?.toReversed() ?? []) {
      names.push(name)
      text += `${relaxedHeader(header)}\r\n`
    }
  }
  return { names: [...names, ...oversigned], text }
}

async function signature({ bodyHash, at }: ToSign, covered: Coverage, key: SigningKey): Promise<Header> {
  const [algorithm, seconds] = [algorithmOf(key.privateKey), Math.floor(at.getTime() / 1000)]
  const tags = [
    ...`v=1; a=${algorithm}; c=relaxed/relaxed; d=${key.domain}; s=${key.selector}; t=${seconds};`.split(' '),
    ...headerList(covered.names),
    `bh=${bodyHash};`,
  ]
  // §3.7: the signature covers its own field with an empty `b=` and without the line break.
  const unsigned = `${FIELD.toLowerCase()}:${tags.join(' ')} b=`
  const value = await signBytes(Buffer.from(`${covered.text}${unsigned}`, 'utf8'), key.privateKey)
  return wordsHeader(FIELD, [...tags, ...folded(`b=${value.toString('base64')}`)])
}

const FIELD = 'DKIM-Signature'

function algorithmOf({ asymmetricKeyType }: KeyObject): string {
  if (asymmetricKeyType === 'ed25519') return 'ed25519-sha256'
  if (asymmetricKeyType === 'rsa') return 'rsa-sha256'
  throw new Error(`DKIM has no algorithm for keys of type ${asymmetricKeyType}.`)
}

/** Returns `h=` with white space after some of the colons, where the field may be folded (§3.5). */
function headerList(names: readonly string[]): string[] {
  const lines: string[] = []
  let line = 'h='
  for (const name of names) {
    if (line.length + name.length > MAX_WORD_LENGTH) {
      lines.push(line)
      line = ''
    }
    line += `${name}:`
  }
  return [...lines, `${line.slice(0, -1)};`]
}

const MAX_WORD_LENGTH = 72

const folded = (value: string): string[] => value.match(/.{1,72}/g) ?? []

const inThreadPool = promisify(sign)

/**
 * RSA takes milliseconds and is done in the thread pool. Ed25519 takes less than the way there and back, and signs the
 * hash instead of the data (RFC 8463 §3).
 */
async function signBytes(data: Buffer, key: KeyObject): Promise<Buffer> {
  if (key.asymmetricKeyType === 'ed25519') return sign(null, hash('sha256', data, 'buffer'), key)
  return inThreadPool('sha256', data, key)
}
