import { readEmails } from '../parse/addresses.ts'
import { firstField, readFields, type Field } from '../parse/fields.ts'
import type { MimeMessage } from '../parse/mime-message.ts'
import { contentOf, defaultLimits } from '../parse/parts.ts'
import { partsOf } from './returned.ts'

export interface Feedback {
  kind: 'complaint' | 'feedback'
  feedbackType: string
  recipients: string[]
}

/** RFC 5965, and what Microsoft sends in its place. */
export function readFeedback(message: MimeMessage, returned: readonly Field[] = []): Feedback | undefined {
  const part = partsOf(message.root).find(({ type }) => type === 'message/feedback-report')
  if (part !== undefined) {
    const { fields } = readFields(contentOf(part), 0, defaultLimits.headerBytes)
    const feedbackType =
      firstField(fields, 'feedback-type')
        ?.value.trim()
        .toLowerCase()
        .split(/[\s;(]/)[0] ?? ''
    return feedback(feedbackType === '' ? 'other' : feedbackType, [...recipientsIn(fields), ...recipientsIn(returned)])
  }
  return isMicrosoftComplaint(message, returned) ? feedback('abuse', recipientsIn(returned)) : undefined
}

/** RFC 6650 §3, RFC 6591 and RFC 6430: these types are no complaint. */
const noComplaint = new Set(['not-spam', 'auth-failure', 'dmarc'])

function feedback(feedbackType: string, found: readonly string[]): Feedback {
  const recipients = [...new Set(found.filter((email) => !isRedacted(email)))]
  return { kind: noComplaint.has(feedbackType) ? 'feedback' : 'complaint', feedbackType, recipients }
}

/**
 * Finds who complained, by the field names of RFC 5965 §3.2, AOL and Microsoft. The To of a copy may name others as
 * well.
 */
function recipientsIn(fields: readonly Field[]): string[] {
  const named = fields.filter(({ name }) => recipientNames.has(name.toLowerCase()))
  return named.slice(0, MAX_RECIPIENTS).flatMap(({ raw }) => readEmails(raw))
}

const MAX_RECIPIENTS = 100
const recipientNames = new Set([
  'original-rcpt-to',
  'removal-recipient',
  'x-hmxmroriginalrecipient',
  'x-original-rcpt-to',
])

const isRedacted = (email: string): boolean => /^(?:redacted|hidden|undisclosed|x{3,}|\*+)|redacted/i.test(email)

/** The Junk Email Reporting Program sends no report, only the message itself with one field added. */
const isMicrosoftComplaint = ({ from, subject = '', root }: MimeMessage, returned: readonly Field[]): boolean =>
  partsOf(root).some(({ type }) => type === 'message/rfc822') &&
  (/^complaint about message from /i.test(subject) || /^staff@(?:hotmail|outlook)\.com$/i.test(from?.email ?? '')) &&
  (firstField(returned, 'x-hmxmroriginalrecipient') !== undefined ||
    /^staff@(?:hotmail|outlook|live)\.com$/i.test(from?.email ?? ''))
