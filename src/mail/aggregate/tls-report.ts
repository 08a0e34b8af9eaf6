/** Reads the JSON of an SMTP TLS report (RFC 8460 §4.4). */
import { checkedTotal, countOf, dayBetween, domainNamed, wordOf } from './report-words.ts'
import { Unreadable } from './unreadable.ts'

/** RFC 8460 §4.4, `policy-type`. Any other word counts as `other`. */
const policyTypes = ['tlsa', 'sts', 'no-policy-found']
/** RFC 8460 §4.3. Any other word counts as `other`: a reporter cannot make up results without end. */
const resultTypes = [
  'starttls-not-supported',
  'certificate-host-mismatch',
  'certificate-expired',
  'certificate-not-trusted',
  'validation-failure',
  'tlsa-invalid',
  'dnssec-invalid',
  'dane-required',
  'sts-policy-fetch-error',
  'sts-policy-invalid',
  'sts-webpki-invalid',
]
const OTHER = 'other'

/** Sessions with one result. */
export interface TlsSum {
  /** One of `policyTypes`, or `other`. */
  policy: string
  /** One of `resultTypes`, or `other`; empty for sessions that were all right. */
  failure: string
  /** The receiving host, where the report names one. */
  host: string
  sessions: number
}

export interface TlsReport {
  kind: 'tls'
  reporter: string
  reportId: string
  day: string
  /** A report may be about several domains. */
  domains: { domain: string; sums: TlsSum[] }[]
}

/** Real ones are small, and what JSON becomes in memory is much larger than its text. */
export const MAX_JSON_BYTES = 2 * 1024 * 1024
const MAX_DEPTH = 12
const MAX_POLICIES = 100
const MAX_SUMS = 200

/** Throws `Unreadable`. */
export function readTlsReport(json: string): TlsReport {
  const report = parsed(json)
  const range = objectIn(report, 'date-range')
  const [start, end] = [textIn(range, 'start-datetime'), textIn(range, 'end-datetime')]
  const reporter = wordOf(textIn(report, 'organization-name') || textIn(report, 'contact-info'))
  const reportId = wordOf(textIn(report, 'report-id'))
  if (reporter === '' || reportId === '') throw new Unreadable('it does not say whose it is')
  const day = dayBetween(Date.parse(start), Date.parse(end))
  return { kind: 'tls', reporter, reportId, day, domains: domainsIn(listIn(report, 'policies').slice(0, MAX_POLICIES)) }
}

function parsed(json: string): Json {
  if (json.length > MAX_JSON_BYTES) throw new Unreadable('it is too large')
  if (depthOf(json) > MAX_DEPTH) throw new Unreadable('it is nested too deep')
  try {
    const value: unknown = JSON.parse(json.replace(/^\ufeff/, ''))
    if (isObject(value)) return value
  } catch {
    throw new Unreadable('it is no JSON')
  }
  throw new Unreadable('no report')
}

/** Before it is parsed: a million brackets would become a million lists. */
function depthOf(json: string): number {
  let [depth, deepest, isText] = [0, 0, false]
  for (let at = 0; at < json.length && deepest <= MAX_DEPTH; at++) {
    const sign = json[at]
    if (isText && sign === '\\') at++
    else if (sign === '"') isText = !isText
    else if (isText) continue
    else if (sign === '{' || sign === '[') deepest = Math.max(deepest, ++depth)
    else if (sign === '}' || sign === ']') depth--
  }
  return deepest
}

function domainsIn(policies: readonly Json[]): TlsReport['domains'] {
  const domains = new Map<string, Map<string, TlsSum>>()
  let total = 0
  for (const given of policies) {
    const policy = objectIn(given, 'policy')
    const domain = domainNamed(textIn(policy, 'policy-domain'))
    if (domain === undefined) continue
    const sums = domains.get(domain) ?? new Map<string, TlsSum>()
    domains.set(domain, sums)
    for (const sum of sumsOf(given, listed(textIn(policy, 'policy-type') || 'no-policy-found', policyTypes))) {
      total = checkedTotal(total + sum.sessions)
      add(sums, sum)
    }
  }
  if (domains.size === 0) throw new Unreadable('it does not say about whom it is')
  return [...domains].map(([domain, sums]) => ({ domain, sums: [...sums.values()] }))
}

/** Without hosts and kinds of failures, for when there are too many of them. */
export function foldedTls(given: readonly TlsSum[]): TlsSum[] {
  const sums = new Map<string, TlsSum>()
  for (const sum of given) add(sums, sum, 0)
  return [...sums.values()]
}

function add(sums: Map<string, TlsSum>, sum: TlsSum, most = MAX_SUMS): void {
  const placed = sums.size < most ? sum : { ...sum, host: '', failure: sum.failure && OTHER }
  const key = JSON.stringify([placed.policy, placed.failure, placed.host])
  sums.set(key, { ...placed, sessions: placed.sessions + (sums.get(key)?.sessions ?? 0) })
}

/** The details may tell of fewer sessions than the summary counts; the rest failed in a way that is not told. */
function sumsOf(given: Json, policy: string): TlsSum[] {
  const summary = objectIn(given, 'summary')
  const successful = countOf(summary['total-successful-session-count']) ?? 0
  const failed = countOf(summary['total-failure-session-count']) ?? 0
  let left = failed
  const failures = listIn(given, 'failure-details').flatMap((detail): TlsSum[] => {
    const sessions = Math.min(left, countOf(detail['failed-session-count']) ?? 0)
    left -= sessions
    const host = domainNamed(textIn(detail, 'receiving-mx-hostname')) ?? ''
    return [{ policy, failure: listed(textIn(detail, 'result-type'), resultTypes), host, sessions }]
  })
  return [
    { policy, failure: '', host: '', sessions: successful },
    ...failures,
    { policy, failure: OTHER, host: '', sessions: left },
  ].filter(({ sessions }) => sessions > 0)
}

function listed(text: string, list: readonly string[]): string {
  const word = text.trim().toLowerCase()
  return list.find((one) => one === word) ?? OTHER
}

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const objectIn = (from: Json, name: string): Json => (isObject(from[name]) ? from[name] : {})

const listIn = (from: Json, name: string): Json[] => (Array.isArray(from[name]) ? from[name].filter(isObject) : [])

const textIn = (from: Json, name: string): string => (typeof from[name] === 'string' ? from[name] : '')
