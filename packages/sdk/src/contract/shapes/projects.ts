// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface Project {
  id: string
  accountId: string
  name: string
  status: 'active' | 'paused' | 'archived'
  quota: Quota
  sms: ProjectSms
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  pausedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  archivedAt: string | null
}

export interface ProjectPage {
  data: Project[]
  hasMore: boolean
  nextCursor: string | null
}

export interface ProjectSms {
  invited: boolean
  live: boolean
}

export interface Quota {
  /** Recipients; null is unlimited. */
  emailsPerDay: number | null
  /** Recipients; null is unlimited. */
  emailsPerMonth: number | null
}

export interface CreateProject {
  name: string
  quota?: QuotaChange
}

export interface QuotaChange {
  /** Recipients; null is unlimited. */
  emailsPerDay?: number | null
  /** Recipients; null is unlimited. */
  emailsPerMonth?: number | null
}

export interface ProjectUsage {
  emailsPerDay: QuotaUse
  emailsPerMonth: QuotaUse
}

export interface QuotaUse {
  /** Recipients so far. */
  used: number
  /** Recipients; null is unlimited. */
  limit: number | null
  /** ISO 8601 in UTC, with milliseconds. */
  resetsAt: string
}

export interface UpdateProject {
  name?: string
  /** `paused` holds all sending until `active`. */
  status?: 'active' | 'paused'
  quota?: QuotaChange
}

export interface ProjectTrace {
  projectId: string
  /** ISO 8601 in UTC, with milliseconds. */
  until: string
}

export interface TraceProject {
  minutes: number
}
