// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface Consent {
  source: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  at: string | null
  ip: string | null
  userAgent: string | null
  text: string | null
}

export interface Contact {
  id: string
  projectId: string
  audienceId: string
  email: string
  firstName: string | null
  lastName: string | null
  subscribed: boolean
  properties: Record<string, unknown>
  /** The names of the person's tags. */
  tags: string[]
  consent: Consent | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  unsubscribedAt: string | null
}

export interface ContactPage {
  data: Contact[]
  hasMore: boolean
  nextCursor: string | null
}

/** How the person asked for mail. All of it is kept. */
export interface ConsentInput {
  source?: string
  /** ISO 8601 with an offset or `Z`. */
  at?: string
  ip?: string
  userAgent?: string
  text?: string
}

export interface UpsertContact {
  /** An email address. */
  email: string
  firstName?: string | null
  lastName?: string | null
  /**
   * What else is known of the person, for templates. Those that are named are set, null removes one, all others stay.
   * At most 100 with names of up to 100 characters, and 64 KiB as JSON.
   */
  properties?:
  | Record<string, string | number | boolean | null | (string | number | boolean | null)[]>
  consent?: ConsentInput
  subscribed?: boolean
  /** That the person asked for mail; true if omitted. */
  optedIn?: boolean
}

export interface ContactImport {
  id: string
  projectId: string
  audienceId: string
  format: 'csv' | 'ndjson'
  /** What the caller said that columns hold. */
  map: Record<string, string> | null
  status: 'queued' | 'running' | 'completed' | 'failed'
  /** Why a failed one ended early. The rows before stay imported. */
  problem: string | null
  /** The size of the file. */
  bytes: number
  /** How much of it is done. */
  processedBytes: number
  rows: ContactImportRows
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  finishedAt: string | null
}

export interface ContactImportRows {
  processed: number
  /** New contacts. */
  created: number
  /** Contacts that were there and had something to change. */
  updated: number
  /** Rows that the report lists. */
  refused: number
}

export interface ContactImportPage {
  data: ContactImport[]
  hasMore: boolean
  nextCursor: string | null
}

export interface UpdateContact {
  firstName?: string | null
  lastName?: string | null
  /**
   * What else is known of the person, for templates. Those that are named are set, null removes one, all others stay.
   * At most 100 with names of up to 100 characters, and 64 KiB as JSON.
   */
  properties?:
  | Record<string, string | number | boolean | null | (string | number | boolean | null)[]>
  consent?: ConsentInput
  subscribed?: boolean
}

export interface DeletedContact {
  id: string
  deleted: true
}
