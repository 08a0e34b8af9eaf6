/** A received message as it is kept: what was read in it, and nothing that has to be computed again. */
import type { Mailbox } from '../address.ts'
import type { ReadAttachment } from './contents.ts'
import type { Field } from './fields.ts'
import { readMimeMessage } from './mime-message.ts'
import { strippedTextOf } from './stripped-text.ts'
import { noticeIn, type Notice } from '../reports/notice.ts'
import { readReport } from '../reports/report.ts'
import { aggregateReportIn, type AggregateReport } from '../aggregate/aggregate-report.ts'

export interface ParsedMessage {
  from: Mailbox | null
  to: Mailbox[]
  cc: Mailbox[]
  replyTo: Mailbox[]
  subject: string | null
  messageId: string | null
  inReplyTo: string | null
  references: string[]
  headers: { name: string; value: string }[]
  html: string | null
  text: string | null
  strippedText: string | null
  attachments: readonly ReadAttachment[]
  notice: Notice
  /** Looked for only in mail to a report address. */
  aggregate: AggregateReport | { kind: 'none'; because: string } | undefined
}

export interface ParseOptions {
  /** The envelope sender is empty for the null sender. */
  envelopeFrom: string
  /** Only this server may write Authentication-Results under this name. */
  hostname: string
  /** Our mail goes by a relay. */
  isRelayed: boolean
  /** It came to the report address of a domain. */
  isDomainReport?: boolean
}

export function parseMessage(bytes: Buffer, options: ParseOptions): ParsedMessage {
  const { envelopeFrom, hostname, isRelayed, isDomainReport = false } = options
  const message = readMimeMessage(bytes)
  return {
    from: message.from === undefined ? null : mailbox(message.from),
    to: message.to.slice(0, MAX_ADDRESSES).map(mailbox),
    cc: message.cc.slice(0, MAX_ADDRESSES).map(mailbox),
    replyTo: message.replyTo.slice(0, MAX_ADDRESSES).map(mailbox),
    subject: message.subject ?? null,
    messageId: message.messageId ?? null,
    inReplyTo: message.inReplyTo ?? null,
    references: message.references.slice(0, MAX_ADDRESSES),
    headers: message.fields.filter((field) => !isForged(field, hostname)).map(({ name, value }) => ({ name, value })),
    html: message.html ?? null,
    text: message.text ?? null,
    strippedText: strippedTextOf(message) ?? null,
    attachments: message.attachments,
    notice: noticeIn(readReport(message, { from: envelopeFrom }), { isRelayed }),
    aggregate: isDomainReport ? aggregateReportIn(message) : undefined,
  }
}

/** Further addresses of a field are left out. The headers have all of them. */
const MAX_ADDRESSES = 1_000

const mailbox = ({ email, name }: Mailbox): Mailbox => ({ email, name })

/** RFC 8601 §5: a field from outside that claims our name is forged. */
const isForged = ({ name, raw }: Field, hostname: string): boolean =>
  name.toLowerCase() === 'authentication-results' && authservId(raw) === hostname

/** RFC 8601 §2.2: the id is a word, perhaps quoted, perhaps behind comments, which may be nested. */
function authservId(raw: string): string | undefined {
  let [at, depth] = [0, 0]
  for (; at < raw.length; at++) {
    const mark = raw[at]
    if (mark === '\\' && depth > 0) at++
    else if (mark === '(') depth++
    else if (mark === ')' && depth > 0) depth--
    else if (depth === 0 && mark !== ' ' && mark !== '\t') break
  }
  const [, quoted, plain] = /^(?:"((?:[^"\\]|\\.)*)"|([^\s;()"]+))/.exec(raw.slice(at)) ?? []
  return (quoted?.replaceAll(/\\(.)/g, '$1') ?? plain)?.toLowerCase().replace(/\.$/, '')
}
