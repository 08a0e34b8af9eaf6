/**
 * These rules say when a site is left alone, or one domain's mail is kept away from it, and for how long; and when a
 * mail is tried again. They are data, and the first that fits counts.
 */
import type { Limits } from '../../dispatch/queue.ts'
import type { Attempt, Result } from '../../smtp/client/attempt.ts'

export type Backoff =
  /** Mail of this sender domain is held back at the site for a while; mail of other domains goes on. */
  | { kind: 'hold'; ms: number }
  /** The site gets nothing at all for a while. */
  | { kind: 'suspend'; ms: number }
  /** The site gets less at a time, or more slowly, for a while. */
  | { kind: 'restrict'; limits: Partial<Limits>; ms: number }

interface BackoffRule {
  /** One of the names in `mail/replies/providers.ts`; a rule without it is for all sites. */
  site?: string
  /** It is matched against code, enhanced code and text together. */
  reply: RegExp
  /** The rule counts only for replies before the content was sent: later ones may be about a link in it. */
  isEarly?: true
  backoff: Backoff
}

const minutes = (count: number): number => count * 60_000
const suspend = (forMinutes: number): Backoff => ({ kind: 'suspend', ms: minutes(forMinutes) })
const hold = (forMinutes: number): Backoff => ({ kind: 'hold', ms: minutes(forMinutes) })
const atMost = (concurrency: number, forMinutes: number): Backoff => ({
  kind: 'restrict',
  limits: { concurrency },
  ms: minutes(forMinutes),
})
const perSecond = (rate: number, forMinutes: number): Backoff => ({
  kind: 'restrict',
  limits: { perSecond: rate, burst: 1 },
  ms: minutes(forMinutes),
})

export const backoffRules: readonly BackoffRule[] = [
  // These are about one sender's domain: its signature, its SPF record, its links, its reputation.
  { site: 'google', reply: /^\d+ \d\.7\.\d+ .*\b(dkim|spf|url|from|sending|sender) domain/i, backoff: hold(30) },
  {
    reply:
      /\bdbl\.spamhaus|spamhaus dbl|\bdomain\b.{0,40}\b(listed|block(ed)?list|black ?list(ed)?|blocked|reputation)|\breputation\b.{0,30}\bdomain/i,
    isEarly: true,
    backoff: hold(60),
  },
  {
    reply:
      /(rate|limit|quota|too (many|fast|much)|throttl|defer).{0,60}\b((sender|sending|from) (domain|address(?!\W{0,2}\d))|(your|from this) domain)|\b(sender|from|sending) (domain|address)\b.{0,60}(rate|limit|quota|too (many|fast)|throttl)|\bMI:FRC\b|sender frequency/i,
    backoff: hold(15),
  },
  // These are about our address, not one sender's domain: every further mail would fail, and make it worse.
  { site: 'google', reply: /^\d+ \d\.7\.(28|0|1) .*(unusual rate|rate limited|low reputation)/i, backoff: suspend(15) },
  { site: 'google', reply: /^5\d\d 5\.7\.(25|28)\b/, backoff: suspend(30) },
  { site: 'microsoft', reply: /RP-00[1-3]|\b4\.7\.(500|65[0-1])\b|server busy/i, backoff: suspend(10) },
  { site: 'microsoft', reply: /\b4\.7\.652\b|exceeded .*connections/i, backoff: atMost(2, 30) },
  { site: 'microsoft', reply: /\(S3\d{3}\)|\b5\.7\.(511|60[6-9]|708)\b/, backoff: suspend(60) },
  { site: 'yahoo', reply: /\[TS0?3\]|\[TSS0?9\]|permanently deferred/i, backoff: suspend(240) },
  { site: 'yahoo', reply: /\[(TSS?|GL)\d+\]|user complaints|unusual traffic/i, backoff: suspend(30) },
  { site: 'yahoo', reply: /\[BL\d+\]/, backoff: suspend(60) },
  { site: 'apple', reply: /\[(CS|HM|HME)\d+\]/, backoff: suspend(15) },
  { site: 'comcast', reply: /\bRL\d{3,}|\bBL\d{3,}/, backoff: suspend(15) },
  { site: 'orange', reply: /OFR.?0*(103|104|109)|too many connections/i, backoff: atMost(1, 30) },
  { site: 'orange', reply: /OFR/, backoff: suspend(15) },
  { site: 'united-internet', reply: /too many connections|connection limit/i, backoff: atMost(1, 30) },
  // These are for all other sites, by the words that many of them use.
  {
    reply:
      /too many (concurrent |simultaneous |open )?(smtp )?(connections|sessions)|connection limit|max\w* connections/i,
    backoff: atMost(1, 10),
  },
  {
    reply: /rate limit|too (fast|many (messages|mails|emails|recipients))|slow down|throttl|exceed\w* .{0,20}\brate\b/i,
    backoff: perSecond(0.5, 10),
  },
  { isEarly: true, reply: /spamhaus|\bblock ?list|\bblack ?list|blocked using|poor reputation/i, backoff: suspend(30) },
  { reply: /^421 /, backoff: suspend(1) },
]

const CONNECT_FAILED: Backoff = suspend(2)
const CONNECT_TIMED_OUT: Backoff = suspend(15)

/** What an attempt means for other mail to the same site; undefined when it says nothing about the site. */
export function backoffFor(site: string, { result }: Pick<Attempt, 'result'>): Backoff | undefined {
  if (result.kind === 'lost') return afterLoss(result)
  if (result.kind === 'returned') return result.afterMs ? { kind: 'suspend', ms: result.afterMs } : undefined
  if (result.kind !== 'refused' || result.stage === 'dns') return undefined
  const { code, enhanced = '-', text } = result.reply
  // Such a reply is about one address or one mailbox (RFC 3463 §3.2, §3.3), however it is worded.
  if (code !== 421 && /^\d\.[12]\./.test(enhanced)) return undefined
  const reply = `${code} ${enhanced} ${text}`
  const isEarly = result.stage !== 'body' && result.stage !== 'dot'
  return backoffRules.find(
    (rule) => (rule.site ?? site) === site && (isEarly || !rule.isEarly) && rule.reply.test(reply),
  )?.backoff
}

/**
 * A site that cannot be reached or does not greet is left alone. A later loss of the connection may be about one mail.
 */
function afterLoss({ stage, timedOut }: Result & { kind: 'lost' }): Backoff | undefined {
  if (stage === 'connect' && timedOut) return CONNECT_TIMED_OUT
  return stage === 'connect' || stage === 'greeting' || stage === 'ehlo' ? CONNECT_FAILED : undefined
}

const HOUR_MS = 3_600_000
const retries: readonly number[] = [1, 5, 15, 30, 60, 120, 240].map(minutes)
const SPREAD = 0.15

/** A mail is given up so long after it was accepted. */
export const expiryMs = { transactional: 48 * HOUR_MS, broadcast: 72 * HOUR_MS } as const

/**
 * Says how long a mail waits after so many attempts. A server that asks us to come back at a certain time is obeyed,
 * never early, but not for longer than the longest of our own pauses.
 */
export function retryDelayMs(attempts: number, random: () => number, askedMs?: number): number {
  const longest = retries.at(-1) ?? 0
  if (askedMs !== undefined) return Math.round(Math.min(longest, Math.max(1_000, askedMs)) * (1 + SPREAD * random()))
  const usual = retries[Math.max(0, attempts - 1)] ?? longest
  return Math.round(usual * (1 - SPREAD + 2 * SPREAD * random()))
}
