// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  Domain,
  DomainPage,
  CreateDomain,
  UpdateDomain,
  DeletedDomain,
  DmarcReports,
  DmarcAdvice,
  TlsReports,
} from '../shapes/domains.ts'

export interface DomainsOperations {
  /** List the project's sending domains. */
  'GET /domains': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** A domain name in any script; it comes back in lower case and ASCII. */
      name?: string
      status?: 'pending' | 'verified' | 'warning' | 'failed'
    }
    body: undefined
    reply: DomainPage
    scope: 'domains:read'
    context: 'project'
    reads: true
  }
  /** Add a sending domain. The answer lists the DNS records to create. */
  'POST /domains': {
    params: undefined
    query: undefined
    body: CreateDomain
    reply: Domain
    scope: 'domains:write'
    context: 'project'
  }
  /** Read one sending domain, with what the last check saw. */
  'GET /domains/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Domain
    scope: 'domains:read'
    context: 'project'
    reads: true
  }
  /** Download the records that are missing as lines of a zone file. */
  'GET /domains/:id/zone': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Blob
    downloads: 'text/plain'
    scope: 'domains:read'
    context: 'project'
    reads: true
  }
  /** Change whether opens and clicks are tracked, and on which host. */
  'PATCH /domains/:id': {
    params: { id: string }
    query: undefined
    body: UpdateDomain
    reply: Domain
    scope: 'domains:write'
    context: 'project'
  }
  /** Remove a sending domain. Mail that was accepted before is still delivered. */
  'DELETE /domains/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: DeletedDomain
    scope: 'domains:write'
    context: 'project'
  }
  /** Look at the DNS now and answer what was found. */
  'POST /domains/:id/verify': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Domain
    scope: 'domains:write'
    context: 'project'
  }
  /** Make a new DKIM key. The old one signs until the new record is found. */
  'POST /domains/:id/rotate-dkim': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Domain
    scope: 'domains:write'
    context: 'project'
  }
  /** Read what receivers reported about mail in the name of the domain, as sums; of the last 30 days if omitted. */
  'GET /domains/:id/dmarc': {
    params: { id: string }
    query: {
      /** A day in UTC, or a time (ISO 8601 with an offset) for the day that it is in. */
      from?: string
      /** A day in UTC, or a time (ISO 8601 with an offset) for the day that it is in. */
      to?: string
      /** `source` if omitted. */
      groupBy?: 'source' | 'reporter' | 'day'
    }
    body: undefined
    reply: DmarcReports
    scope: 'domains:read'
    context: 'project'
    reads: true
  }
  /** Read the next step for the DMARC policy, and what a strict one would have cost in the last 30 days. */
  'GET /domains/:id/dmarc/advice': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: DmarcAdvice
    scope: 'domains:read'
    context: 'project'
    reads: true
  }
  /** Read what other servers reported about encrypted delivery to the domain. */
  'GET /domains/:id/tls-reports': {
    params: { id: string }
    query: {
      /** A day in UTC, or a time (ISO 8601 with an offset) for the day that it is in. */
      from?: string
      /** A day in UTC, or a time (ISO 8601 with an offset) for the day that it is in. */
      to?: string
    }
    body: undefined
    reply: TlsReports
    scope: 'domains:read'
    context: 'project'
    reads: true
  }
}
