// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface Audience {
  id: string
  projectId: string
  name: string
  description: string | null
  counts: AudienceCounts
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface AudienceCounts {
  total: number
  subscribed: number
  unsubscribed: number
}

export interface AudiencePage {
  data: Audience[]
  hasMore: boolean
  nextCursor: string | null
}

export interface CreateAudience {
  name: string
  description?: string | null
}

export interface UpdateAudience {
  name?: string
  description?: string | null
}

export interface DeletedAudience {
  id: string
  deleted: true
}
