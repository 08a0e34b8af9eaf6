// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  TlsReports,
} from '../shapes/domains.ts'
import type {
  ReceivingDomain,
  ReceivingDomainPage,
  CreateReceivingDomain,
  DeletedReceivingDomain,
  ReceivedEmailPage,
  ReceivedEmail,
  ReceivedAttachmentPage,
} from '../shapes/receiving.ts'

export interface ReceivingOperations {
  /** List the project's receiving domains. */
  'GET /receiving/domains': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** A domain name in any script; it comes back in lower case and ASCII. Only for a custom domain. */
      name?: string
      status?: 'pending' | 'verified' | 'failed'
    }
    body: undefined
    reply: ReceivingDomainPage
    scope: 'receiving:write'
    context: 'project'
    reads: true
  }
  /** Add a receiving domain: a managed one that works at once, or one of your own with DNS records to create. */
  'POST /receiving/domains': {
    params: undefined
    query: undefined
    body: CreateReceivingDomain
    reply: ReceivingDomain
    scope: 'receiving:write'
    context: 'project'
  }
  /** Read one receiving domain, with what the last check saw. */
  'GET /receiving/domains/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: ReceivingDomain
    scope: 'receiving:write'
    context: 'project'
    reads: true
  }
  /** Look at the DNS now and answer what was found. */
  'POST /receiving/domains/:id/verify': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: ReceivingDomain
    scope: 'receiving:write'
    context: 'project'
  }
  /** Read what other servers reported about encrypted delivery to the domain. */
  'GET /receiving/domains/:id/tls-reports': {
    params: { id: string }
    query: {
      /** A day in UTC, or a time (ISO 8601 with an offset) for the day that it is in. */
      from?: string
      /** A day in UTC, or a time (ISO 8601 with an offset) for the day that it is in. */
      to?: string
    }
    body: undefined
    reply: TlsReports
    scope: 'receiving:read'
    context: 'project'
    reads: true
  }
  /** Remove a receiving domain. What came in before stays readable. */
  'DELETE /receiving/domains/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: DeletedReceivingDomain
    scope: 'receiving:write'
    context: 'project'
  }
  /** List received emails; `to` is who it was delivered to, `from` who the message says wrote it. */
  'GET /receiving/emails': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** An email address. */
      to?: string
      /** An email address. */
      from?: string
      /** An id that starts with `rdm_`. */
      domainId?: string
      /** ISO 8601 with an offset or `Z`. */
      receivedAfter?: string
      /** What SPF said of the server that brought it. */
      spf?:
        | 'pass'
        | 'fail'
        | 'softfail'
        | 'neutral'
        | 'none'
        | 'policy'
        | 'temperror'
        | 'permerror'
      /** What became of its signatures. */
      dkim?:
        | 'pass'
        | 'fail'
        | 'softfail'
        | 'neutral'
        | 'none'
        | 'policy'
        | 'temperror'
        | 'permerror'
      /** Whether the address in From is true. */
      dmarc?:
        | 'pass'
        | 'fail'
        | 'softfail'
        | 'neutral'
        | 'none'
        | 'policy'
        | 'temperror'
        | 'permerror'
    }
    body: undefined
    reply: ReceivedEmailPage
    scope: 'receiving:read'
    context: 'project'
    reads: true
  }
  /** Read one received email: its body, its headers, and what its sender could prove. */
  'GET /receiving/emails/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: ReceivedEmail
    scope: 'receiving:read'
    context: 'project'
    reads: true
  }
  /** Download the message: our trace field, then to the byte what came in. */
  'GET /receiving/emails/:id/raw': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Blob
    downloads: 'message/rfc822'
    scope: 'receiving:read'
    context: 'project'
    reads: true
  }
  /** List the attachments of a received email, in the order in which it has them. */
  'GET /receiving/emails/:id/attachments': {
    params: { id: string }
    query: {
      /** Rows per page; 100 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    body: undefined
    reply: ReceivedAttachmentPage
    scope: 'receiving:read'
    context: 'project'
    reads: true
  }
  /** Download an attachment. */
  'GET /receiving/emails/:id/attachments/:attachmentId': {
    params: { id: string; attachmentId: string }
    query: undefined
    body: undefined
    reply: Blob
    downloads: '*/*'
    scope: 'receiving:read'
    context: 'project'
    reads: true
  }
}
