// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface ProjectRole {
  projectId: string
  role: 'admin' | 'developer' | 'marketer' | 'author' | 'viewer'
}

export interface WorkspacePersonPage {
  data: WorkspacePersonSummary[]
  hasMore: boolean
  nextCursor: string | null
}

export interface WorkspacePersonSummary {
  id: string
  name: string
  email: string
  status: 'active' | 'disabled'
  role: 'owner' | 'admin' | 'developer' | 'marketer' | 'author' | 'viewer' | null
  projects: ProjectRole[]
  /** Whether they have a passkey or codes of an authenticator. */
  secondFactor: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  lastSeenAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface Invitation {
  id: string
  email: string
  role: 'owner' | 'admin' | 'developer' | 'marketer' | 'author' | 'viewer' | null
  projects: ProjectRole[]
  /** Whether the link was sent to the address. */
  mailed: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string
}

export interface InvitationPage {
  data: Invitation[]
  hasMore: boolean
  nextCursor: string | null
}

export interface CreateInvitation {
  /** An email address. */
  email: string
  role?: 'owner' | 'admin' | 'developer' | 'marketer' | 'author' | 'viewer' | null
  /** All roles in single projects: those that are not named end. */
  projects?: ProjectRoleInput[]
}

export interface NewInvitation {
  id: string
  email: string
  role: 'owner' | 'admin' | 'developer' | 'marketer' | 'author' | 'viewer' | null
  projects: ProjectRole[]
  /** Whether the link was sent to the address. */
  mailed: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string
  /** Shown here and never again. */
  link: string
}

export interface ProjectRoleInput {
  /** An id that starts with `prj_`. */
  projectId: string
  role: 'admin' | 'developer' | 'marketer' | 'author' | 'viewer'
}

export interface WithdrawnInvitation {
  id: string
  deleted: true
}

export interface WorkspacePerson {
  id: string
  name: string
  email: string
  status: 'active' | 'disabled'
  role: 'owner' | 'admin' | 'developer' | 'marketer' | 'author' | 'viewer' | null
  projects: ProjectRole[]
  /** Whether they have a passkey or codes of an authenticator. */
  secondFactor: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  lastSeenAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** The live API keys that they made. */
  keys: string[]
}

export interface UpdatePerson {
  role?: 'owner' | 'admin' | 'developer' | 'marketer' | 'author' | 'viewer' | null
  /** All roles in single projects: those that are not named end. */
  projects?: ProjectRoleInput[]
  disabled?: boolean
}

export interface RemovePerson {
  /** What becomes of the API keys that they made, and of those that these made; `keep` if omitted. */
  keys?: 'keep' | 'revoke'
}

export interface RemovedPerson {
  id: string
  deleted: true
  revokedKeys: number
}

export interface PersonSession {
  id: string
  /** Browser and system, as the browser names them. */
  device: string
  /** The address that the session was started from. */
  address: string
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  lastSeenAt: string
}

export interface PersonSessionPage {
  data: PersonSession[]
  hasMore: boolean
  nextCursor: string | null
}

export interface EndedSessions {
  ended: number
}

export interface RecoveryLink {
  /** Shown here and never again. */
  link: string
  /** ISO 8601 in UTC, with milliseconds. */
  expiresAt: string
}
