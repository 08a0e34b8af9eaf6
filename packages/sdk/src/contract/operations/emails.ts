// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  AcceptedEmail,
  DryRun,
  SendEmail,
  Batch,
  SendBatch,
  EmailPage,
  Email,
  Dialogue,
  ResendEmail,
  ResentEmail,
  RescheduleEmail,
} from '../shapes/emails.ts'

export interface EmailsOperations {
  /** Queue one email, for now or for `sendAt`. */
  'POST /email/send': {
    params: undefined
    query: {
      /** Checks and renders everything, and stores nothing. */
      dryRun?: boolean
    }
    body: SendEmail
    reply: DryRun | AcceptedEmail
    scope: 'email:send'
    context: 'sender'
    leaves: true
  }
  /** Queue up to 100 emails. Those that policy refuses are named in the answer, the others are queued. */
  'POST /email/batch': {
    params: undefined
    query: undefined
    body: SendBatch | SendEmail[]
    reply: Batch
    scope: 'email:send'
    context: 'sender'
    leaves: true
  }
  /**
   * List emails, newest first. Where filters let few emails through, a page may be short or empty although `hasMore` is
   * true: go on with `nextCursor`.
   */
  'GET /emails': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?:
        | 'scheduled'
        | 'queued'
        | 'deferred'
        | 'sending'
        | 'delivered'
        | 'bounced'
        | 'filteredspam'
        | 'quarantined'
        | 'suppressed'
        | 'failed'
        | 'cancelled'
      /** An email address. */
      to?: string
      /** An email address. */
      from?: string
      /** A tag as `name:value`. */
      tag?: string
      /** An id that starts with `bat_`. */
      batchId?: string
      /** An id that starts with `dom_`. */
      domainId?: string
      /** An id that starts with `tpl_`. */
      templateId?: string
      /** An id that starts with `brd_`. */
      broadcastId?: string
      /** An id that starts with `aut_`. */
      automationId?: string
      source?: 'transactional' | 'broadcast' | 'automation'
      /**
       * Words that the subject has, all of them, in any order and case. Of broadcasts and automations the subject is
       * searched as it was written.
       */
      q?: string
      /** ISO 8601 with an offset or `Z`. */
      createdAfter?: string
      /** ISO 8601 with an offset or `Z`. */
      createdBefore?: string
    }
    body: undefined
    reply: EmailPage
    scope: 'email:send'
    context: 'sender'
    reads: true
  }
  /** Read an email: its status, what it says, and what happened to each recipient. */
  'GET /emails/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Email
    scope: 'email:send'
    context: 'sender'
    reads: true
  }
  /** Read what was said in SMTP in the attempt that an event of an email tells of. */
  'GET /emails/:id/dialogues/:eventId': {
    params: { id: string; eventId: string }
    query: undefined
    body: undefined
    reply: Dialogue
    scope: 'email:send'
    context: 'sender'
    reads: true
  }
  /**
   * Download the message as it left, or will leave, for one recipient: the first, unless the id or `recipient` names
   * another.
   */
  'GET /emails/:id/raw': {
    params: { id: string }
    query: {
      /** An email address. */
      recipient?: string
    }
    body: undefined
    reply: Blob
    downloads: 'message/rfc822'
    scope: 'email:send'
    context: 'sender'
    reads: true
    isSensitive: true
  }
  /** Download an attachment of an email. */
  'GET /emails/:id/attachments/:attachmentId': {
    params: { id: string; attachmentId: string }
    query: undefined
    body: undefined
    reply: Blob
    downloads: '*/*'
    scope: 'email:send'
    context: 'sender'
    reads: true
  }
  /**
   * Send the same content once more, to the same recipients or to others. Not for mail of broadcasts and automations.
   */
  'POST /emails/:id/resend': {
    params: { id: string }
    query: undefined
    body: ResendEmail | undefined
    reply: ResentEmail
    scope: 'email:send'
    context: 'sender'
    leaves: true
  }
  /** Try recipients that wait for another attempt now. */
  'POST /emails/:id/retry': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Email
    scope: 'email:send'
    context: 'sender'
    leaves: true
  }
  /** Cancel a scheduled email. */
  'POST /emails/:id/cancel': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Email
    scope: 'email:send'
    context: 'sender'
  }
  /** Move a scheduled email to another time. */
  'POST /emails/:id/reschedule': {
    params: { id: string }
    query: undefined
    body: RescheduleEmail
    reply: Email
    scope: 'email:send'
    context: 'sender'
  }
}
