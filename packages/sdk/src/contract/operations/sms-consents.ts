// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  SmsConsentPage,
  RecordSmsConsent,
  RecordedSmsConsent,
  SmsConsent,
} from '../shapes/sms-consents.ts'

export interface SmsConsentsOperations {
  /** List who agreed to be texted, and who took it back. */
  'GET /sms/consents': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** A phone number in E.164 form, e.g. `+12025550100`. */
      phone?: string
      /** An id that starts with `smspg_`. */
      programId?: string
      action?: 'granted' | 'revoked'
    }
    body: undefined
    reply: SmsConsentPage
    scope: 'sms:manage'
    context: 'project'
    reads: true
  }
  /** Record a consent, or that it was taken back. Records are never changed. */
  'POST /sms/consents': {
    params: undefined
    query: undefined
    body: RecordSmsConsent
    reply: RecordedSmsConsent
    scope: 'sms:manage'
    context: 'project'
  }
  /** Read one record with its evidence. Who does so is remembered. */
  'GET /sms/consents/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: SmsConsent
    scope: 'sms:manage'
    context: 'project'
    reads: true
    isSensitive: true
  }
}
