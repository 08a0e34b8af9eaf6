// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface Suppression {
  id: string
  projectId: string
  email: string
  reason: 'bounce' | 'spam' | 'manual'
  messageId: string | null
  note: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface SuppressionPage {
  data: Suppression[]
  hasMore: boolean
  nextCursor: string | null
}

export interface AddSuppression {
  /** An email address. */
  email: string
  note?: string
}

export interface DeletedSuppression {
  id: string
  deleted: true
}

export interface RemoveSuppression {
  /** An email address. */
  email?: string
  /** That the person asked for mail again; kept in the audit log. */
  confirmedOptIn?: boolean
  note?: string
}
