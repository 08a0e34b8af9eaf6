import { parseOptionalTimestamp } from '../../core/clock.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { decodeId, type Id, type IdPrefix } from '../../core/ids.ts'
import { addressKey, parseAddress } from '../../mail/address.ts'
import type { EmailFilter, ListEmails } from './schema/list.ts'

export function filterOf(query: ListEmails): EmailFilter {
  const [, name, value = ''] = /^([^:]+):(.*)$/s.exec(query.tag ?? '') ?? []
  if (query.tag !== undefined && name === undefined) {
    throw invalid([{ path: '/query/tag', message: 'must be written as name:value, for example kind:welcome' }])
  }
  return {
    status: query.status,
    to: query.to === undefined ? undefined : keyOf(query.to, '/query/to'),
    from: query.from === undefined ? undefined : keyOf(query.from, '/query/from'),
    tag: name === undefined ? undefined : { name, value },
    batchId: idOf('bat', query.batchId, 'batch'),
    domainId: idOf('dom', query.domainId, 'domain'),
    templateId: idOf('tpl', query.templateId, 'template'),
    broadcastId: idOf('brd', query.broadcastId, 'broadcast'),
    automationId: idOf('aut', query.automationId, 'automation'),
    source: query.source,
    words: query.q === undefined ? undefined : wordsOf(query.q),
    createdAfter: parseOptionalTimestamp(query.createdAfter, '/query/createdAfter'),
    createdBefore: parseOptionalTimestamp(query.createdBefore, '/query/createdBefore'),
  }
}

/** Whether a subject has all these words, however they are written. */
export const says = (subject: string, words: readonly string[]): boolean => {
  const folded = fold(subject)
  return words.every((word) => folded.includes(word))
}

const MAX_WORDS = 10

function wordsOf(q: string): string[] {
  const words = fold(q)
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length > 0 && words.length <= MAX_WORDS) return words
  throw invalid([{ path: '/query/q', message: `must have 1 to ${MAX_WORDS} words` }])
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

/** A malformed id is answered like one that never existed. */
function idOf<P extends IdPrefix>(prefix: P, text: string | undefined, thing: string): Id<P> | undefined {
  if (text === undefined) return undefined
  const id = decodeId(prefix, text)
  if (id === undefined) throw notFound(thing)
  return id
}

function keyOf(text: string, path: string): string {
  const parsed = parseAddress(text)
  if (!parsed.ok) throw invalid([{ path, message: parsed.problem }])
  return addressKey(parsed.value)
}
