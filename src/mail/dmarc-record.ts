/** A DMARC record, part by part (RFC 7489 §6.3, and the tags that its successor added). */

export const dmarcPolicies = ['none', 'quarantine', 'reject'] as const

export type DmarcPolicy = (typeof dmarcPolicies)[number]

/** What is wrong with a part: receivers ignore it, or the whole record where it is the version or the policy. */
export const dmarcProblems = ['unknown', 'malformed', 'repeated', 'misplaced'] as const

export type DmarcProblem = (typeof dmarcProblems)[number]

export interface DmarcPart {
  tag: string
  value: string
  problem: DmarcProblem | null
}

export interface DmarcRecord {
  /** Null when receivers do not act on the record. */
  policy: DmarcPolicy | null
  parts: DmarcPart[]
}

const MAX_PARTS = 30

export function parseDmarcRecord(text: string): DmarcRecord {
  const pieces = text
    .split(';')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .slice(0, MAX_PARTS)
  const tags = pieces.map(tagOf)
  const parts = pieces.map((piece, place) => {
    const tag = tagOf(piece)
    const value = piece.includes('=') ? piece.slice(piece.indexOf('=') + 1).trim() : ''
    return { tag, value, problem: problemOf(tag, value, place, tags) }
  })
  return { policy: policyOf(parts), parts }
}

const tagOf = (piece: string): string => (piece.split('=')[0] ?? '').trim().toLowerCase()

const policyWord = /^(none|quarantine|reject)$/i
const switchWord = /^[yn]$/i
const mode = /^[rs]$/i
/** Where reports go: addresses, each with the largest size that it takes. */
const uris = /^[a-z][a-z0-9+.-]*:[^\s,!]+(![0-9]+[kmgt]?)?(\s*,\s*[a-z][a-z0-9+.-]*:[^\s,!]+(![0-9]+[kmgt]?)?)*$/i

const forms: Readonly<Record<string, RegExp>> = {
  v: /^DMARC1$/,
  p: policyWord,
  sp: policyWord,
  np: policyWord,
  rua: uris,
  ruf: uris,
  adkim: mode,
  aspf: mode,
  pct: /^(100|[1-9]?[0-9])$/,
  fo: /^[01ds](:[01ds])*$/i,
  rf: /^[a-z0-9-]+(:[a-z0-9-]+)*$/i,
  ri: /^[0-9]{1,10}$/,
  t: switchWord,
  psd: /^[ynu]$/i,
}

function problemOf(tag: string, value: string, place: number, tags: readonly string[]): DmarcProblem | null {
  if (!Object.hasOwn(forms, tag)) return 'unknown'
  if (tags.indexOf(tag) !== place) return 'repeated'
  if (forms[tag]?.test(value) !== true) return 'malformed'
  return tag === 'v' && place !== 0 ? 'misplaced' : null
}

/**
 * RFC 7489 §6.6.3: a record that does not begin with its version is none; one without a good policy counts as `none` if
 * it says where reports go.
 */
function policyOf(parts: readonly DmarcPart[]): DmarcPolicy | null {
  const good = (tag: string): DmarcPart | undefined => parts.find((part) => part.tag === tag && part.problem === null)
  if (good('v') === undefined) return null
  const policy = good('p')?.value.toLowerCase()
  if (policy !== undefined) return dmarcPolicies.find((each) => each === policy) ?? null
  return good('rua') === undefined ? null : 'none'
}
