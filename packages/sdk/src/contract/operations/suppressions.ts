// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  Suppression,
  SuppressionPage,
  AddSuppression,
  DeletedSuppression,
  RemoveSuppression,
} from '../shapes/suppressions.ts'

export interface SuppressionsOperations {
  /** List the addresses that the project does not mail, and why. */
  'GET /suppressions': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** An email address. */
      email?: string
      reason?: 'bounce' | 'spam' | 'manual'
      /** ISO 8601 with an offset or `Z`. */
      createdAfter?: string
    }
    body: undefined
    reply: SuppressionPage
    scope: 'suppressions:write'
    context: 'project'
    reads: true
  }
  /** Put an address on the list. */
  'POST /suppressions': {
    params: undefined
    query: undefined
    body: AddSuppression
    reply: Suppression
    scope: 'suppressions:write'
    context: 'project'
  }
  /** Take an address off the list, after the person asked for mail again. */
  'DELETE /suppressions': {
    params: undefined
    query: {
      /** An email address. */
      email?: string
    }
    body: RemoveSuppression | undefined
    reply: DeletedSuppression
    scope: 'suppressions:write'
    context: 'project'
    needsConfirmation: true
  }
}
