import { refused, understood, type Parsed } from './parsed.ts'

/** An id of this length still fits a header line whole, with its angle brackets. */
const MAX_LENGTH = 512

/** Returns `<em_…@example.com>`. The left side has to be unique for ever; callers make it from a UUID. */
export const messageId = (unique: string, domain: string): string => `<${unique}@${domain}>`

/**
 * An id that some other software made, with or without its angle brackets. RFC 5322 §3.6.4 is stricter than what is
 * sent in practice; all that threading needs is that it comes back unchanged.
 */
export function parseMessageId(input: string): Parsed<string> {
  const id = /^<(.*)>$/s.exec(input)?.[1] ?? input
  if (!/^[!-;=?-~]+$/.test(id) || !id.includes('@')) return refused('must be a message id such as <id@example.com>')
  return id.length > MAX_LENGTH ? refused(`must not be longer than ${MAX_LENGTH} characters`) : understood(`<${id}>`)
}
