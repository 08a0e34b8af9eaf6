// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  Scope,
} from './refusals.ts'

export interface ApiKey {
  id: string
  name: string
  fullAccess: boolean
  scopes: Scope[]
  contentAccess: ContentAccess
  projectId: string | null
  prefix: string
  last4: string
  /** The key or the person that made it; null for one of the command line. */
  createdBy: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  lastUsedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  revokedAt: string | null
}

export interface ApiKeyPage {
  data: ApiKey[]
  hasMore: boolean
  nextCursor: string | null
}

/**
 * Of which emails the key sees subject, bodies, variables, headers, attachments and the targets of clicked links: all
 * of them, those that it sent itself, or none. It sees the status of all of them.
 */
export type ContentAccess = 'all' | 'own' | 'none'

export interface CreateApiKey {
  name: string
  scopes?: Scope[]
  fullAccess?: boolean
  contentAccess?: ContentAccess
  /** An id that starts with `prj_`. */
  projectId?: string | null
  /** ISO 8601 with an offset or `Z`. */
  expiresAt?: string | null
}

export interface CreatedApiKey {
  id: string
  name: string
  fullAccess: boolean
  scopes: Scope[]
  contentAccess: ContentAccess
  projectId: string | null
  prefix: string
  last4: string
  /** The key or the person that made it; null for one of the command line. */
  createdBy: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  lastUsedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  revokedAt: string | null
  /** Shown here and never again. */
  secret: string
}

export interface RevokedApiKey {
  id: string
  deleted: true
  /** With `family=true`: how many keys stopped working with this call. */
  revokedCount?: number
}
