import type { Field } from '../parse/fields.ts'
import { messageIdOf, readMimeMessage, type MimeMessage } from '../parse/mime-message.ts'
import { contentOf } from '../parse/parts.ts'
import { isAutomaticReply } from './automatic.ts'
import { readBounceText } from './bounce-text.ts'
import { readDeliveryStatus } from './delivery-status.ts'
import { daemonIn, type Envelope } from './daemon.ts'
import { readFeedback } from './feedback.ts'
import type { RecipientReport, Report, Returned } from './kinds.ts'
import { returnedIn } from './returned.ts'
import { splitAtReturned } from './returned-text.ts'

/** `envelope` is what SMTP said, where the caller knows it. */
export const readReport = (message: MimeMessage, envelope: Envelope = {}): Report =>
  reportIn(message, envelope, MAX_DEPTH)

/** Some gateways wrap the report that they got into one of their own. */
const MAX_DEPTH = 1

function reportIn(message: MimeMessage, envelope: Envelope, depth: number): Report {
  const returned = returnedIn(message)
  const feedback = readFeedback(message, returned)
  if (feedback !== undefined) return { ...feedback, returned: withId(returned) }
  const recipients = readDeliveryStatus(message)
  if (recipients.length > 0) return aboutDelivery(recipients, returned)
  if (isAutomaticReply(message, envelope)) return { kind: 'automatic reply' }
  if (daemonIn(message, envelope) === undefined) return { kind: 'none' }
  const wrapped = depth > 0 ? wrappedReport(message, depth) : undefined
  if (wrapped !== undefined) return wrapped
  const failed = readBounceText(message, returned)
  if (failed.length > 0) return aboutDelivery(failed, returned)
  return (depth > 0 ? reportInText(message, depth) : undefined) ?? { kind: 'none' }
}

function aboutDelivery(recipients: readonly RecipientReport[], returned: readonly Field[] | undefined): Report {
  const has = (wanted: RecipientReport['action']): boolean => recipients.some(({ action }) => action === wanted)
  const kind = has('failed') ? 'bounce' : has('delayed') ? 'delay' : 'receipt'
  return { kind, recipients, returned: withId(returned) }
}

const withId = (fields: readonly Field[] | undefined): Returned | undefined =>
  fields && { messageId: messageIdOf(fields), fields }

/** Other servers put it below words that name no recipient. */
function reportInText({ text }: MimeMessage, depth: number): Report | undefined {
  const { returned } = splitAtReturned(text ?? '')
  const report = returned === undefined ? undefined : reportIn(readMimeMessage(Buffer.from(returned)), {}, depth - 1)
  return report?.kind === 'bounce' || report?.kind === 'delay' ? report : undefined
}

function wrappedReport({ root }: MimeMessage, depth: number): Report | undefined {
  const inside = root.parts.find(({ type }) => type === 'message/rfc822')
  if (inside === undefined) return undefined
  const message = readMimeMessage(contentOf(inside))
  if (message.root.type !== 'multipart/report') return undefined
  const report = reportIn(message, {}, depth - 1)
  return report.kind === 'none' ? undefined : report
}
