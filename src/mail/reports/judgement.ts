import { providerOf } from '../providers.ts'
import { classOf } from '../reply-class.ts'
import { quotedReply, replyFrom, type Reply } from '../reply.ts'
import type { RecipientReport } from './kinds.ts'

export interface Evidence {
  action: RecipientReport['action']
  /** The Status field of a delivery status. */
  status?: string | undefined
  /** The Diagnostic-Code field, or what stands beside the recipient. */
  diagnostic: string | undefined
  /** Who refused. */
  host?: string | undefined
  /** All that the report says to people, for where nothing else is. */
  words: string
}

const LONGEST = 1_000

/** A failure is judged as if the server had said it to us: see `reply-rules.ts`. */
export function judge(evidence: Evidence): Pick<RecipientReport, 'status' | 'diagnostic' | 'isHard'> {
  const diagnostic = oneLine(evidence.diagnostic?.replace(/^\s*(?:smtp|x-[\w-]+|unix)\s*;/i, '') ?? '')
  const quoted = diagnostic === '' ? undefined : quotedReply(withinQuotes(diagnostic))
  const status = isTelling(evidence.status) ? evidence.status : (quoted?.enhanced ?? evidence.status)
  const isHard = evidence.action === 'failed' && meansNobody(evidence, quoted, diagnostic)
  return { status, diagnostic: diagnostic === '' ? undefined : diagnostic, isHard }
}

/** `5.1.0 - Unknown address error 550-'5.7.1 Access denied' (delivery attempts: 0)`: gateways guess first. */
function withinQuotes(diagnostic: string): string {
  const [, code, words] = /^\d\.\d\.\d+ - .{0,80}?([245]\d\d)-?'(.*)'/.exec(diagnostic) ?? []
  return code === undefined ? diagnostic : `${code} ${words}`
}

/** `5.0.0` says no more than that it failed. */
const isTelling = (status: string | undefined): boolean => status !== undefined && !/^\d\.0\.0$/.test(status)

function meansNobody(evidence: Evidence, quoted: Reply | undefined, diagnostic: string): boolean {
  const reply = quoted ?? impliedReply(evidence, diagnostic)
  const enhanced = reply.enhanced ?? (isTelling(evidence.status) ? evidence.status : undefined)
  // `550 4.4.7 expired`: a server gave up on something that was temporary all the time.
  if (reply.code < 500 || enhanced?.startsWith('4') || gaveUp.test(reply.text)) return false
  if (quoted === undefined && unsure.test(reply.text)) return false
  const provider = evidence.host === undefined ? undefined : providerOf(evidence.host.toLowerCase())
  return classOf({ ...reply, enhanced }, { provider, isEarly: early.test(diagnostic) }) === 'recipient'
}

/** Nobody is quoted: there is a status, or only words. */
function impliedReply({ status, words }: Evidence, diagnostic: string): Reply {
  const code = status?.startsWith('4') ? 450 : 550
  return replyFrom(code, [diagnostic === '' ? oneLine(words) : diagnostic])
}

const gaveUp =
  /\b(?:in the queue too long|queue\.expired|message expired|delivery time (?:expired|out)|retry (?:timeout|time)|timed? ?out|connection (?:refused|reset)|not tried again|could not (?:be )?connect\w*)\b/i

/** Words of a program that knows no more, or that it may be different soon. */
const unsure = /not found, try again|try again later|temporar(?:y|ily)\b|\b(?:may|might) not (?:exist|be|have)\b/i

/** Exim and Postfix say after which command it was. */
const early = /(?:after|in (?:reply|response) to) (?:the )?(?:mail from|ehlo|helo|starttls|initial connection|connect)/i

export const oneLine = (text: string): string =>
  text
    .slice(0, 4 * LONGEST)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
    .toWellFormed()
