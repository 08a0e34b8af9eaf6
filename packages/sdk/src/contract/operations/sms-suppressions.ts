// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  SmsSuppression,
  SmsSuppressionPage,
  AddSmsSuppression,
} from '../shapes/sms-suppressions.ts'

export interface SmsSuppressionsOperations {
  /** List the numbers that must not be texted, and why. */
  'GET /sms/suppressions': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** A phone number in E.164 form, e.g. `+12025550100`. */
      phone?: string
      status?: 'active' | 'lifted'
      /** An id that starts with `smspg_`. */
      programId?: string
    }
    body: undefined
    reply: SmsSuppressionPage
    scope: 'sms:manage'
    context: 'project'
    reads: true
  }
  /** Put a number on the list. */
  'POST /sms/suppressions': {
    params: undefined
    query: undefined
    body: AddSmsSuppression
    reply: SmsSuppression
    scope: 'sms:manage'
    context: 'project'
  }
  /** Read one entry. */
  'GET /sms/suppressions/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: SmsSuppression
    scope: 'sms:manage'
    context: 'project'
    reads: true
  }
}
