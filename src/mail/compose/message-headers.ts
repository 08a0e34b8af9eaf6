import type { Mailbox } from '../address.ts'
import { addressHeader, dateHeader, separated, textHeader, wordsHeader, type Header } from '../headers.ts'

/**
 * MessageHeaders holds the values of the header fields of one message. `composeBody` makes the fields about its
 * content.
 */
export interface MessageHeaders {
  from: Mailbox
  to: readonly Mailbox[]
  cc?: readonly Mailbox[]
  replyTo?: readonly Mailbox[]
  subject: string
  /** Fixed when the message is accepted, as is the id: a second attempt must be the same message, byte by byte. */
  date: Date
  messageId: string
  inReplyTo?: string | undefined
  unsubscribe?: Unsubscribe | undefined
  feedbackId?: string | undefined
  complaints?: Complaints | undefined
  /** `customHeaderProblems` has checked these. */
  custom?: Readonly<Record<string, string>>
}

export interface Unsubscribe {
  url: string
  mailto?: string | undefined
}

export interface Complaints {
  /** Providers send their reports to this address. */
  address: string
  /** Comes back in the copy of the message and says, signed by us, which one it was. */
  reference: string
}

export const composeHeaders = (message: MessageHeaders, contentHeaders: readonly Header[]): Header[] => [
  addressHeader('From', [message.from]),
  ...addressHeaders('To', message.to),
  ...addressHeaders('Cc', message.cc),
  ...addressHeaders('Reply-To', message.replyTo),
  textHeader('Subject', message.subject),
  dateHeader('Date', message.date),
  wordsHeader('Message-ID', [message.messageId]),
  ...threadHeaders(message),
  ...(message.unsubscribe ? unsubscribeHeaders(message.unsubscribe) : []),
  ...(message.feedbackId === undefined ? [] : [wordsHeader('Feedback-ID', [message.feedbackId])]),
  ...(message.complaints ? complaintHeaders(message.complaints) : []),
  ...Object.entries(message.custom ?? {}).map(([name, value]) => textHeader(name, value.replaceAll(/^ +| +$/g, ''))),
  ...contentHeaders,
]

const addressHeaders = (name: string, addresses: readonly Mailbox[] = []): Header[] =>
  addresses.length === 0 ? [] : [addressHeader(name, addresses)]

/** RFC 5322 §3.6.4 asks for both. A caller that knows the whole thread may give its References. */
function threadHeaders({ inReplyTo, custom = {} }: MessageHeaders): Header[] {
  if (inReplyTo === undefined) return []
  const hasReferences = Object.keys(custom).some((name) => name.toLowerCase() === 'references')
  return ['In-Reply-To', ...(hasReferences ? [] : ['References'])].map((name) => wordsHeader(name, [inReplyTo]))
}

/** RFC 2369 §3.2 and RFC 8058 §3.1: the URL comes first, and one click there is a POST. */
function unsubscribeHeaders({ url, mailto }: Unsubscribe): Header[] {
  const targets = [url, ...(mailto === undefined ? [] : [`mailto:${mailto}`])]
  if (targets.some((target) => !/^[!-;=?-~]+$/.test(target)))
    throw new Error('An unsubscribe link must be a plain URL.')
  const links = targets.map((target) => [`<${target}>`])
  return [
    wordsHeader('List-Unsubscribe', separated(links, ',')),
    wordsHeader('List-Unsubscribe-Post', ['List-Unsubscribe=One-Click']),
  ]
}

/** RFC 9477 §3: a provider sends a report only where the DKIM signature covers these two. */
const complaintHeaders = ({ address, reference }: Complaints): Header[] => [
  wordsHeader('CFBL-Address', [`${address};`, 'report=arf']),
  wordsHeader('CFBL-Feedback-ID', [reference]),
]
