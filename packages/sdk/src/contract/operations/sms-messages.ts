// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  SmsPage,
  AcceptedSms,
  SendSms,
  SmsDryRun,
  Sms,
} from '../shapes/sms-messages.ts'

export interface SmsMessagesOperations {
  /** List SMS, without numbers and texts. */
  'GET /sms/messages': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?:
        | 'queued'
        | 'deferred'
        | 'submitting'
        | 'sent'
        | 'delivered'
        | 'undelivered'
        | 'failed'
        | 'expired'
        | 'unconfirmed'
        | 'received'
      direction?: 'outbound' | 'inbound'
      category?:
        | 'authentication'
        | 'transactional'
        | 'marketing'
        | 'conversational'
        | 'keyword_reply'
      /** An id that starts with `smspg_`. */
      programId?: string
      /** An id that starts with `smssn_`. */
      senderId?: string
      recipientRef?: string
      /** A phone number in E.164 form, e.g. `+12025550100`. */
      recipient?: string
      /** ISO 8601 with an offset or `Z`. */
      createdAfter?: string
      /** ISO 8601 with an offset or `Z`. */
      createdBefore?: string
    }
    body: undefined
    reply: SmsPage
    scope: 'sms:read'
    context: 'project'
    reads: true
  }
  /** Send one SMS, or with `dryRun` hear what would become of it. */
  'POST /sms/messages': {
    params: undefined
    query: undefined
    body: SendSms
    reply: SmsDryRun | AcceptedSms
    scope: 'sms:send'
    context: 'project'
    leaves: true
  }
  /** Read one SMS with its number, text, parts and history. Who does so is remembered. */
  'GET /sms/messages/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Sms
    scope: 'sms:read'
    context: 'project'
    reads: true
    isSensitive: true
  }
}
