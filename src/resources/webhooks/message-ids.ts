import { asUuid, decodeId } from '../../core/ids.ts'
import { decodeReference } from '../../core/mail-reference.ts'
import type { AboutMessage } from './store/deliveries.ts'

/** No message has this id. */
const NO_MESSAGE = asUuid('0'.repeat(32))

/** The message that `messageId` in events names. A text that is no id names a message without events. */
export function messageOf(text: string): AboutMessage {
  const email = decodeReference(text)
  if (email !== undefined) return { id: email.emailId, wireId: text.includes('.') ? text : undefined }
  return { id: decodeId('rcv', text) ?? decodeId('sms', text) ?? NO_MESSAGE, wireId: undefined }
}
