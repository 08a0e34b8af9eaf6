import { providerOf } from '../replies/providers.ts'
import { classOf, classifyReply, type ReplyStage, type Classification } from '../replies/reply-class.ts'
import { quotedReply, replyFrom, type Reply } from '../replies/reply.ts'
import { commandIn, leftNobody, type Command } from './command.ts'
import type { RecipientReport } from './kinds.ts'

export interface Evidence {
  action: RecipientReport['action']
  /** The Status field of a delivery status has this value. */
  status?: string | undefined
  /** The Diagnostic-Code field, or what stands beside the recipient. */
  diagnostic: string | undefined
  /** This host refused the mail. */
  host?: string | undefined
  /** PowerMTA sets the category: `bad-mailbox`, `bad-domain`, `inactive-mailbox`, `spam-related` … */
  category?: string | undefined
  /** All text of the report for people, on one line. It counts where the report has no fields, and beside them. */
  words: string
  /** The diagnostic stands among those words, and the others may say more about the same. */
  isBeside?: boolean
}

const MAX_LENGTH = 1_000

/** A failure is judged as if the server had said it to us: see `reply-rules.ts`. */
export function judge(evidence: Evidence): Omit<RecipientReport, 'recipient' | 'action'> {
  const [, type = '', said = ''] = /^\s*(?:(smtp|x-[\w-]+|unix)\s*;)?(.*)$/is.exec(evidence.diagnostic ?? '') ?? []
  const diagnostic = oneLine(said)
  const quoted = diagnostic === '' ? undefined : quotedReply(withinQuotes(diagnostic))
  const status = statusOf(evidence, quoted)
  const circumstances = circumstancesOf(evidence, diagnostic)
  const meaning = quoted && classOf(quoted, circumstances)
  const told = { status, diagnostic: diagnostic === '' ? undefined : diagnostic, meaning }
  if (evidence.action !== 'failed') return { ...told, isGone: false, isByCode: false, isHard: false }
  const isProgram = /^(?:x-)?unix$/i.test(type)
  const { isGone, isByCode, isSure } = absence(evidence, quoted, circumstances)
  return { ...told, isGone, isByCode, isHard: isGone && isSure && !isProgram }
}

interface Heard {
  provider: string | undefined
  command: Command | undefined
  occasion: ReplyStage
  diagnostic: string
}

function circumstancesOf({ host, words }: Evidence, diagnostic: string): Heard {
  const command = commandIn(diagnostic, words)
  const provider = host === undefined ? undefined : providerOf(host.toLowerCase())
  const isPipelined = command === 'message' && leftNobody(diagnostic, words)
  return { provider, command, occasion: occasions[isPipelined ? 'recipient' : (command ?? 'unknown')], diagnostic }
}

const occasions: Readonly<Record<Command | 'unknown', ReplyStage>> = {
  hello: 'early',
  recipient: 'report',
  message: 'message',
  unknown: 'report',
}

/**
 * Gateways guess first and quote the real reply behind: `5.1.0 - Unknown address error 550-'5.7.1 Access denied'
 * (delivery attempts: 0)`.
 */
function withinQuotes(diagnostic: string): string {
  const [, code, words] = /^\d\.\d\.\d+ - .{0,80}?([245]\d\d)-?'(.*)'/.exec(diagnostic) ?? []
  return code === undefined ? diagnostic : `${code} ${words}`
}

/**
 * The reply of the server that refused counts more than the status of the reporting server, unless the latter changed
 * the class, which it does only for a reason.
 */
function statusOf({ status, diagnostic }: Evidence, quoted: Reply | undefined): string | undefined {
  const said = status === undefined || quoted?.enhanced?.[0] === status[0] ? quoted?.enhanced : undefined
  // Where a gateway guesses first, its guess is better than none.
  const guess = /^\s*(?:smtp;)?\s*([245]\.\d\.\d{1,3}) - /i.exec(diagnostic ?? '')?.[1]
  const all = [said, status, quoted?.enhanced, guess]
  return all.find(isTelling) ?? all.find((code) => code !== undefined)
}

/** `5.0.0` says no more than that it failed. */
const isTelling = (status: string | undefined): boolean => status !== undefined && !/^\d\.0\.0$/.test(status)

interface Absence {
  /** The address does not exist, as far as the report shows. */
  isGone: boolean
  isByCode: boolean
  /** And there cannot be much doubt. */
  isSure: boolean
}

function absence(evidence: Evidence, quoted: Reply | undefined, heard: Heard): Absence {
  const reply = quoted ?? impliedReply(evidence, heard.diagnostic)
  const enhanced = reply.enhanced ?? (isTelling(evidence.status) ? evidence.status : undefined)
  // A server gave up on an error that was temporary all the time: `550 4.4.7 expired`.
  if (reply.code < 500 || enhanced?.startsWith('4') || gaveUp.test(reply.text)) return somebody
  if (quoted === undefined && unsure.test(reply.text)) return somebody
  // RFC 3463 §3.5: no route leads to the domain. From a server that tries, and says no more, it is final.
  if (enhanced === '5.4.4' && reply.text === '') return { isGone: true, isByCode: false, isSure: true }
  const said = { ...reply, enhanced }
  const verdict = classifyReply(said, heard)
  if (verdict.class !== 'recipient') return somebody
  if (/^bad-(?:mailbox|domain)$/i.test(evidence.category ?? '')) return { isGone: true, isByCode: true, isSure: true }
  const isByCode = classOf(said, { ...heard, isRelayed: true }) === 'recipient'
  if (evidence.isBeside && quoted !== undefined && closed.test(evidence.words)) {
    return { isGone: true, isByCode, isSure: false }
  }
  return { isGone: true, isByCode, isSure: isSure(said, verdict, { ...heard, isQuoted: quoted !== undefined }) }
}

const somebody = { isGone: false, isByCode: false, isSure: false } as const satisfies Absence

interface Quotation {
  command: Command | undefined
  /** Another server said it; else the one that reports. */
  isQuoted: boolean
}

/**
 * A server that accepts the recipient and calls it unknown after the content may mean the message: filters often say
 * that. If the report does not say when, a server that answers RCPT mostly repeats the address. A closed account may be
 * opened again.
 */
function isSure(
  { code, text, enhanced }: Reply,
  { isByWording }: Classification,
  { command, isQuoted }: Quotation,
): boolean {
  // RFC 5321 §4.2.3: 551 means that the recipient has moved.
  if (enhanced?.startsWith('5.1.') || code === 551) return true
  if (closed.test(text) || late.test(text)) return false
  if (command === 'recipient') return true
  if (enhanced === '5.2.1') return false
  return !isByWording || (command === undefined && (isQuoted ? namesSomebody.test(text) : !bare.test(text)))
}

const closed = /\b(?:disabled|suspended|inactive|deactivated|discontinued|expired|locked|frozen)\b/i
/** Yahoo says it when it has the message, never before. */
const late = /does ?n[o']t have an? \S+ account/i
/** A server that repeats the address refuses it at RCPT. */
const namesSomebody = /^.{0,40}@/
/** Some programs say nothing more than this. */
const bare = /^\W*(?:user unknown|unknown user)\W*$/i

/**
 * No reply is quoted: there is a status, or only words. A status that says something needs no words of a form letter.
 */
function impliedReply({ status, words }: Evidence, diagnostic: string): Reply {
  const code = status?.startsWith('4') ? 450 : 550
  return replyFrom(code, [diagnostic === '' && !isTelling(status) ? oneLine(words) : diagnostic])
}

const gaveUp =
  /\b(?:in the queue too long|queue\.expired|message expired|delivery time (?:expired|out)|retry (?:timeout|time)|timed? ?out|connection (?:refused|reset)|not tried again|could not (?:be )?connect\w*)\b/i

/** Words of a program that knows no more, or that it may be different soon. */
const unsure = /not found, try again|try again later|temporar(?:y|ily)\b|\b(?:may|might) not (?:exist|be|have)\b/i

export const oneLine = (text: string, longest = MAX_LENGTH): string =>
  text
    .slice(0, 4 * longest)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed()
