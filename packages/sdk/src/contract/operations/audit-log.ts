// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  AuditEntryPage,
} from '../shapes/audit-log.ts'

export interface AuditLogOperations {
  /**
   * List who did what, newest first. Where filters let few entries through, a page may be short or empty although
   * `hasMore` is true: go on with `nextCursor`.
   */
  'GET /audit-log': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** Who did it: the id of a key or of a person, `operator`, or `recipient` for links in mail. */
      actor?: string
      /** An action such as `key.revoked`, or the part before its dot for all of them: `key`. */
      action?: string
      /** The id of what it was done to. */
      subject?: string
      /** An id that starts with `prj_`. */
      projectId?: string
      /** The `X-Request-Id` of the call. */
      requestId?: string
      /** ISO 8601 with an offset or `Z`. */
      after?: string
      /** ISO 8601 with an offset or `Z`. */
      before?: string
    }
    body: undefined
    reply: AuditEntryPage
    scope: 'audit:read'
    context: 'workspace'
    reads: true
  }
  /** Download the activity log, with the filters of the list. The download is recorded in the log. */
  'GET /audit-log/export': {
    params: undefined
    query: {
      /** Who did it: the id of a key or of a person, `operator`, or `recipient` for links in mail. */
      actor?: string
      /** An action such as `key.revoked`, or the part before its dot for all of them: `key`. */
      action?: string
      /** The id of what it was done to. */
      subject?: string
      /** An id that starts with `prj_`. */
      projectId?: string
      /** The `X-Request-Id` of the call. */
      requestId?: string
      /** ISO 8601 with an offset or `Z`. */
      after?: string
      /** ISO 8601 with an offset or `Z`. */
      before?: string
      /** csv if omitted. */
      format?: 'csv' | 'ndjson'
    }
    body: undefined
    reply: Blob
    downloads: 'text/csv' | 'application/x-ndjson'
    scope: 'audit:read'
    context: 'workspace'
    reads: true
  }
}
