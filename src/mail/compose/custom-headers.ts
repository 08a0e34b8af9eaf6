import { breaksLine } from '../headers.ts'

/** Fields that decide who a message is from, where it goes and how it is read, or that only servers on the way write. */
const structural: ReadonlySet<string> = new Set([
  ...'from sender reply-to to cc bcc apparently-to subject date message-id in-reply-to'.split(' '),
  ...'return-path errors-to return-receipt-to delivered-to envelope-to x-original-to'.split(' '),
  ...'received received-spf authentication-results x-original-authentication-results'.split(' '),
  ...'mime-version dkim-signature domainkey-signature bimi-location bimi-indicator'.split(' '),
  ...'feedback-id cfbl-address cfbl-feedback-id'.split(' '),
])
const structuralPrefixes = ['content-', 'arc-', 'resent-', 'x-posthouse-']

const MAX_HEADERS = 40
const MAX_NAME_LENGTH = 76
const MAX_VALUE_LENGTH = 4096

export interface CustomHeaderProblem {
  /** Undefined where it is about all of them. */
  name?: string
  problem: string
}

/**
 * Returns everything that is wrong with the headers that a caller wants to add. `reserved` names, in lower case,
 * further fields that we set in this kind of message, such as `list-unsubscribe` in a broadcast.
 */
export function customHeaderProblems(
  headers: Readonly<Record<string, string>>,
  reserved: readonly string[] = [],
): CustomHeaderProblem[] {
  const names = Object.keys(headers)
  const seen = new Set<string>()
  const problems: CustomHeaderProblem[] = []
  if (names.length > MAX_HEADERS) problems.push({ problem: `must not have more than ${MAX_HEADERS} headers` })
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase()
    const problem = nameProblem(name, reserved) ?? (seen.has(key) ? 'is given twice' : valueProblem(value))
    if (problem !== undefined) problems.push({ name, problem })
    seen.add(key)
  }
  return problems
}

function nameProblem(name: string, reserved: readonly string[]): string | undefined {
  // RFC 5322 §2.2 allows more punctuation, but software on the way fails with it.
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) return 'must be a name of letters, digits, hyphens and dots'
  if (name.length > MAX_NAME_LENGTH) return `must be a name of at most ${MAX_NAME_LENGTH} characters`
  const key = name.toLowerCase()
  const isOurs =
    structural.has(key) || reserved.includes(key) || structuralPrefixes.some((prefix) => key.startsWith(prefix))
  return isOurs ? 'is set by us or by servers on the way and cannot be given here' : undefined
}

function valueProblem(value: string): string | undefined {
  if (breaksLine(value)) return 'must not contain CR, LF or NUL'
  return Buffer.byteLength(value) > MAX_VALUE_LENGTH ? `must not be longer than ${MAX_VALUE_LENGTH} bytes` : undefined
}
