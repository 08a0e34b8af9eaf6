// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  AcceptedEmail,
} from '../shapes/emails.ts'
import type {
  BroadcastPage,
  Broadcast,
  CreateBroadcast,
  UpdateBroadcast,
  DeletedBroadcast,
  SendBroadcast,
  ScheduleBroadcast,
  TestBroadcast,
  OutstandingRecipientPage,
  BroadcastRecipientPage,
  BroadcastLinks,
} from '../shapes/broadcasts.ts'

export interface BroadcastsOperations {
  /** List the project's broadcasts, newest first, without what they say. */
  'GET /broadcasts': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?: 'draft' | 'scheduled' | 'sending' | 'paused' | 'sent' | 'cancelled'
      /** An id that starts with `aud_`. */
      audienceId?: string
    }
    body: undefined
    reply: BroadcastPage
    scope: 'broadcasts:write'
    context: 'project'
    reads: true
  }
  /** Create a draft for an audience. Subject, html, text and preview are templates. */
  'POST /broadcasts': {
    params: undefined
    query: undefined
    body: CreateBroadcast
    reply: Broadcast
    scope: 'broadcasts:write'
    context: 'project'
  }
  /** Read a broadcast, with what became of its recipients. */
  'GET /broadcasts/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Broadcast
    scope: 'broadcasts:write'
    context: 'project'
    reads: true
  }
  /** Change a draft. */
  'PATCH /broadcasts/:id': {
    params: { id: string }
    query: undefined
    body: UpdateBroadcast
    reply: Broadcast
    scope: 'broadcasts:write'
    context: 'project'
  }
  /** Delete a draft or scheduled broadcast. */
  'DELETE /broadcasts/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: DeletedBroadcast
    scope: 'broadcasts:write'
    context: 'project'
  }
  /** Send a draft to those who are subscribed to its audience and not suppressed, now. */
  'POST /broadcasts/:id/send': {
    params: { id: string }
    query: undefined
    body: SendBroadcast | undefined
    reply: Broadcast
    scope: 'broadcasts:write'
    context: 'project'
    leaves: true
  }
  /** Schedule a draft, or move a scheduled broadcast to another time. */
  'POST /broadcasts/:id/schedule': {
    params: { id: string }
    query: undefined
    body: ScheduleBroadcast
    reply: Broadcast
    scope: 'broadcasts:write'
    context: 'project'
    leaves: true
  }
  /**
   * Cancel a scheduled broadcast: it is a draft again. Or end one that is being sent or paused: no further recipient
   * gets it.
   */
  'POST /broadcasts/:id/cancel': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Broadcast
    scope: 'broadcasts:write'
    context: 'project'
  }
  /** Let no further message of a broadcast leave. */
  'POST /broadcasts/:id/pause': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Broadcast
    scope: 'broadcasts:write'
    context: 'project'
  }
  /** Go on with a paused broadcast. */
  'POST /broadcasts/:id/resume': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Broadcast
    scope: 'broadcasts:write'
    context: 'project'
    leaves: true
  }
  /** Send what the broadcast says as an ordinary email, filled in for the first recipient. */
  'POST /broadcasts/:id/test': {
    params: { id: string }
    query: undefined
    body: TestBroadcast
    reply: AcceptedEmail
    scope: 'broadcasts:write'
    context: 'project'
    leaves: true
  }
  /** List every recipient that has not come to an end yet, and where it is. */
  'GET /broadcasts/:id/reconciliation': {
    params: { id: string }
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    body: undefined
    reply: OutstandingRecipientPage
    scope: 'broadcasts:write'
    context: 'project'
    reads: true
  }
  /**
   * List everybody who was in the audience when the broadcast started: those who got it and those who did not. Where a
   * filter lets few through, a page may be short or empty although `hasMore` is true: go on with `nextCursor`.
   */
  'GET /broadcasts/:id/recipients': {
    params: { id: string }
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
        | 'unsubscribed'
      /** An email address. */
      email?: string
    }
    body: undefined
    reply: BroadcastRecipientPage
    scope: 'broadcasts:write'
    context: 'project'
    reads: true
  }
  /** Download the recipients of a broadcast, with the filters of the list. The download is recorded in the log. */
  'GET /broadcasts/:id/recipients/export': {
    params: { id: string }
    query: {
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
        | 'unsubscribed'
      /** An email address. */
      email?: string
      /** csv if omitted. */
      format?: 'csv' | 'ndjson'
    }
    body: undefined
    reply: Blob
    downloads: 'text/csv' | 'application/x-ndjson'
    scope: 'broadcasts:write'
    context: 'project'
    reads: true
  }
  /** List the links of a broadcast that people followed. */
  'GET /broadcasts/:id/links': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: BroadcastLinks
    scope: 'broadcasts:write'
    context: 'project'
    reads: true
  }
}
