import { asUuid, decodeId } from '../../core/ids.ts'
import { decodeReference } from '../../core/mail-reference.ts'
import type { AboutMessage } from './store/deliveries.ts'

/** No message has this id. */
const NOBODY = asUuid('0'.repeat(32))

/** What `messageId` in events names. An id that is none names a message that nothing happened to. */
export function messageOf(text: string): AboutMessage {
  const email = decodeReference(text)
  if (email !== undefined) return { id: email.emailId, wireId: text.includes('.') ? text : undefined }
  return { id: decodeId('rcv', text) ?? decodeId('sms', text) ?? NOBODY, wireId: undefined }
}
