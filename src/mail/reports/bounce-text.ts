import { domainOf } from '../address.ts'
import { readEmails } from '../parse/addresses.ts'
import { firstField, type Field } from '../parse/fields.ts'
import type { MimeMessage } from '../parse/mime-message.ts'
import { textFromHtml } from '../text.ts'
import { quotedReply } from '../replies/reply.ts'
import { judge, oneLine } from './judgement.ts'
import type { RecipientReport } from './kinds.ts'
import { splitAtReturned } from './returned-text.ts'

/**
 * Reports in the words of a server: qmail, Exim, old Sendmail and Exchange, Domino, the large providers of former
 * years. They differ in everything but this: a line names the recipient, lines below or beside it say what happened,
 * and then the message follows.
 */
export function readBounceText(message: MimeMessage, returned: readonly Field[] = []): RecipientReport[] {
  const { words } = splitAtReturned(message.text ?? textFromHtml(message.html ?? ''))
  const subject = message.subject?.slice(0, MAX_LINE_LENGTH) ?? ''
  if (!failure.test(words) && !failure.test(subject)) return []
  const lines = words.split('\n').map((line) => line.slice(0, MAX_LINE_LENGTH))
  // The report names senders as well, but people also write to themselves.
  const others = namedIn(lines, strangers(message, returned))
  const named = others.length > 0 ? others : namedIn(lines, new Set())
  const failed = readEmails(firstField(message.fields, 'x-failed-recipients')?.raw ?? '')
  const recipients = [...new Set(failed.length > 0 ? failed : named.map(({ email }) => email))]
  const found = recipients.length > 0 ? recipients : onlyRecipient(returned, message, words)
  const action = isDelay(subject, words) ? 'delayed' : 'failed'
  const all = oneLine(words, MAX_WORDS_LENGTH)
  return found.slice(0, MAX_RECIPIENTS).map((recipient) => {
    const diagnostic = besides(recipient, found, named, lines)
    const status = found.length === 1 ? /\b[45]\d\d[ -]([45]\.\d{1,3}\.\d{1,3})\b/.exec(all)?.[1] : undefined
    return { recipient, action, ...judge({ action, status, diagnostic, words: all }) }
  })
}

/**
 * Returns the text behind each address that begins a line, for reports whose fields say nothing. Keys are addresses in
 * lower case.
 */
export function saidBeside(text: string): ReadonlyMap<string, string> {
  const said = new Map<string, string>()
  for (const line of text.split('\n', MAX_LINES)) {
    const [, email = '', rest = ''] = beginning.exec(line.slice(0, MAX_LINE_LENGTH)) ?? []
    const words = rest.replace(/^[>"')\]\s:]+/, '').trim()
    if (words !== '' && !said.has(email.toLowerCase())) said.set(email.toLowerCase(), words)
  }
  return said
}

const beginning = /^[\s<"']*([^\s<>"':;,@]{1,64}@[^\s<>"':;,@]{1,255})(.*)$/

const MAX_LINES = 2_000
const MAX_LINE_LENGTH = 500
const MAX_WORDS_LENGTH = 20_000
const MAX_RECIPIENTS = 1_000

/** The words are in the languages that servers use. */
const failure =
  /deliver|undeliver|fail|reject|return|bounce|unknown|not (?:be )?(?:found|sent|reach)|did not reach|error|unable|problem|full|exceed|zugestellt|zustell|fehler|remis|distribu|échec|entreg|consegn|recapit|bezorg|afgeleverd|доставлен|退信|送信|配信/i

interface Named {
  email: string
  line: number
  /** The address ends here in its line. */
  end: number
  /** The line begins with it. */
  isHead: boolean
}

const address =
  /[^\s<>()[\]",:;@']{1,64}@[a-z0-9\u00a1-\uffff](?:[a-z0-9.\u00a1-\uffff-]{0,252}[a-z0-9\u00a1-\uffff])?/giu

/** An address at the beginning of a line is the recipient; elsewhere it is only if no line begins with one. */
function namedIn(lines: readonly string[], others: ReadonlySet<string>): Named[] {
  const all = lines.flatMap((text, line) => namedOn(text, line, others))
  const heads = all.filter(({ isHead }) => isHead)
  if (heads.length > 0) return heads
  return all.filter(({ line }) => !isContact.test(lines[line] ?? ''))
}

const isContact = /\b(?:contact|assistance|questions?|help|support|for (?:more|further)|kontakt|hilfe|visit)\b/i

function namedOn(text: string, line: number, others: ReadonlySet<string>): Named[] {
  return Array.from(text.matchAll(address)).flatMap(({ 0: written, index }) => {
    const [email] = readEmails(written)
    const before = text.slice(0, index)
    if (email === undefined || others.has(email.toLowerCase()) || isSender.test(before.slice(-NEAR))) return []
    return [{ email, line, end: index + written.length, isHead: before.length < NEAR && isHeadOf.test(before) }]
  })
}

/** The label of an address stands at most this many characters before it. */
const NEAR = 60

/** Words that introduce who wrote, not who was written to. */
const isSender = /(?:\bfrom|sender|mail from|envelope-from|\bby|hello|dear|message-id)\s*:?\s*[<"'(]*$/i

/** Marks of a list or quotation marks, or a label, and nothing else in front. A reply code is such a label, too. */
const isHeadOf =
  /^[\s>*•·"'<([-]*(?:(?:(?:final-|original-|failed |intended )?recipient(?:s|\(s\))?|address(?:es)?|empfänger|destinataire|rcpt to|to|an|user|5\d\d(?: [45]\.\d\.\d+)?)\s*:?\s*[<"']*)?$/i

/** Returns the sender and reader of the report and the author of the message: none of them failed to be reached. */
function strangers(message: MimeMessage, returned: readonly Field[]): ReadonlySet<string> {
  const writer = ['from', 'sender', 'return-path'].flatMap((name) => readEmails(firstField(returned, name)?.raw ?? ''))
  const own = message.from === undefined ? [] : [message.from]
  return new Set([...[...own, ...message.to].map(({ email }) => email), ...writer].map((email) => email.toLowerCase()))
}

/**
 * A report that names no recipient is about the one to whom the message went, if it was one; but not about the reader
 * of the report: then the returned message is a report, too.
 */
function onlyRecipient(returned: readonly Field[], { to: readers }: MimeMessage, words: string): string[] {
  const to = readEmails(firstField(returned, 'to')?.raw ?? '')
  const isReader = readers.some(({ email }) => email.toLowerCase() === to[0]?.toLowerCase())
  if (to.length === 1) return isReader ? [] : to
  // Of several, those whose server is spoken of.
  const spoken = words.toLowerCase()
  return to.filter((email) => spoken.includes(domainOf(email).toLowerCase()))
}

/** Returns the lines from one recipient to the next. For a single recipient all lines count. */
function besides(recipient: string, all: readonly string[], named: readonly Named[], lines: readonly string[]): string {
  const isOwn = ({ email }: Named): boolean => email.toLowerCase() === recipient.toLowerCase()
  const own = named.find(isOwn)
  if (own === undefined) return lines.join('\n')
  const next = all.length > 1 ? named.find((other) => other.line > own.line && !isOwn(other)) : undefined
  const [first = '', ...rest] = untilNextServer(lines.slice(own.line, next?.line))
  const words =
    own.isHead && !/\d{3} /.test(first.slice(0, own.end)) ? first.slice(own.end).replace(/^[>"')\]\s:]+/, '') : first
  const section = paragraph([words, ...rest]).join('\n')
  return all.length > 1 || isRefusal(section) ? section : (spoken(lines) ?? section)
}

/** A text beside the recipient, or a refusal, ends with its paragraph; the next one is about something else. */
function paragraph(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line, at) => at > 0 && line.trim() === '')
  const first = end < 0 ? lines : lines.slice(0, end)
  return /\p{L}{2}\P{L}+\p{L}{2}/u.test((lines[0] ?? '').replaceAll(/\S+@\S+/g, '')) || isRefusal(first.join('\n'))
    ? first
    : lines
}

/** In the transcript of a session, the reply of another server is about another recipient. */
function untilNextServer(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => /^[ .>]{0,8}while talking to /i.test(line))
  return end < 0 ? lines : lines.slice(0, end)
}

const isRefusal = (text: string): boolean => (quotedReply(oneLine(text))?.code ?? 0) >= 400

/** The line in which a server is quoted, and the rest of its paragraph. */
function spoken(lines: readonly string[]): string | undefined {
  const at = lines.findIndex((line) => /^\s*[45]\d\d[ -]|[:>] ?[45]\d\d[ -]\S/.test(line))
  return at < 0 ? undefined : paragraph(lines.slice(at)).join('\n')
}

/** The server will go on trying. */
const isDelay = (subject: string, words: string): boolean => {
  const text = `${subject}\n${words}`
  return delayed.test(text) && !final.test(text)
}

const delayed =
  /will (?:continue|keep|be re-?tried|retry|try|attempt)|still (?:try|be|in)|(?:delivery|message) (?:\S+ ){0,3}(?:is |been )?delayed|not yet (?:been )?delivered|\(delay\)|has not (?:yet )?been delivered|do not need to re-?send|warning.{0,40}(?:could not|not yet|delay|hours)|incomplete|wird weiter versucht|verzögert/i
const final =
  /permanent (?:error|fatal|failure)|failed permanently|giv(?:en|ing) up|could not be delivered to one or more/i
