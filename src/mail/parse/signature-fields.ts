/** Counts the signatures in the header of a message, and can remove some of them. */

/** Real headers are shorter; the library takes half a minute for two megabytes. Fields beyond this are not looked at. */
export const MAX_HEADER_LENGTH = 100 * 1024

export interface Signature {
  kind: 'dkim' | 'arc'
  /** The position counts the signatures of one kind from the top. */
  at: number
}

export interface Signatures {
  /**
   * The list begins at the top. `limit` is the number of octets of the body that the signature covers (RFC 6376 §3.5,
   * `l=`).
   */
  dkim: readonly { limit: string | undefined }[]
  /** Sets of ARC fields. */
  arc: number
  headerBytes: number
  /** Of the longest signature, or of the longest name of any other field. */
  longest: number
}

export function signaturesIn(message: Buffer): Signatures {
  const fields = fieldsOf(message)
  return {
    dkim: fields
      .filter((field) => nameOf(field) === 'dkim-signature')
      .map((field) => ({ limit: /[;:]\s*l\s*=\s*(\w*)/i.exec(field)?.[1] })),
    arc: fields.filter((field) => nameOf(field) === 'arc-seal').length,
    headerBytes: headerEnd(message),
    longest: Math.max(...fields.map((field) => (kinds.has(nameOf(field)) ? field.length : field.indexOf(':')))),
  }
}

/** The header must not be too long. All other bytes stay as they are. */
export function withoutSignatures(message: Buffer, isLeftOut: (signature: Signature) => boolean): Buffer {
  const counts = { dkim: 0, arc: 0 }
  const fields = fieldsOf(message)
  const kept = fields.filter((field) => {
    const kind = kinds.get(nameOf(field))
    return kind === undefined || !isLeftOut({ kind, at: counts[kind]++ })
  })
  if (kept.length === fields.length) return message
  return Buffer.concat([Buffer.from(kept.join(''), 'latin1'), message.subarray(headerEnd(message))])
}

const kinds: ReadonlyMap<string, Signature['kind']> = new Map([
  ['dkim-signature', 'dkim'],
  ['arc-seal', 'arc'],
  ['arc-message-signature', 'arc'],
  ['arc-authentication-results', 'arc'],
])

/**
 * Each with its line ends, divided as `mailauth` divides them: what it judges must be what we count. A line begins a
 * field if it is a name and a colon, which may stand behind a fold; every other line belongs to the field above it.
 */
const fieldsOf = (message: Buffer): string[] =>
  message
    .toString('latin1', 0, Math.min(headerEnd(message), MAX_HEADER_LENGTH))
    .split(/(?<=\n)(?=[!-9;-~]+[ \t\r]*(?:\n[ \t\r]*)?:)/)

const nameOf = (field: string): string =>
  field
    .slice(0, Math.max(0, field.indexOf(':')))
    .replaceAll(/\r?\n/g, '')
    .trim()
    .toLowerCase()

/** Where the empty line is, or the end of a message that has none. */
function headerEnd(message: Buffer): number {
  if (message[0] === 10 || (message[0] === 13 && message[1] === 10)) return 0
  const ends = [message.indexOf('\n\r\n'), message.indexOf('\n\n')].filter((at) => at !== -1)
  return ends.length === 0 ? message.length : Math.min(...ends) + 1
}
