// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface AuditActor {
  type: 'key' | 'person' | 'operator' | 'recipient'
  /** Of a key or a person. */
  id: string | null
  name: string | null
}

export interface AuditEntry {
  id: string
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  actor: AuditActor
  action: string
  /** The id of what it was done to. */
  subject: string
  /** Its name today, or the name that it had. */
  subjectName: string | null
  projectId: string | null
  requestId: string | null
  details: Record<string, unknown>
  /** The same in words, to follow the name of the actor. */
  sentence: string
}

export interface AuditEntryPage {
  data: AuditEntry[]
  hasMore: boolean
  nextCursor: string | null
}
