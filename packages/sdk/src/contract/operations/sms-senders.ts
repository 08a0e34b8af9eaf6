// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  SmsSender,
  SmsSenderPage,
  CreateSmsSender,
  UpdateSmsSender,
} from '../shapes/sms-senders.ts'

export interface SmsSendersOperations {
  /** List the numbers and names that SMS come from. */
  'GET /sms/senders': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?:
        | 'draft'
        | 'submitted'
        | 'in_review'
        | 'approved'
        | 'rejected'
        | 'suspended'
        | 'expired'
        | 'active'
    }
    body: undefined
    reply: SmsSenderPage
    scope: 'sms:manage'
    context: 'project'
    reads: true
  }
  /** Draft a sender. The operator activates it. */
  'POST /sms/senders': {
    params: undefined
    query: undefined
    body: CreateSmsSender
    reply: SmsSender
    scope: 'sms:manage'
    context: 'project'
  }
  /** Read one sender. */
  'GET /sms/senders/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: SmsSender
    scope: 'sms:manage'
    context: 'project'
    reads: true
  }
  /** Edit a draft, submit it, or take it back. */
  'PATCH /sms/senders/:id': {
    params: { id: string }
    query: undefined
    body: UpdateSmsSender
    reply: SmsSender
    scope: 'sms:manage'
    context: 'project'
  }
}
