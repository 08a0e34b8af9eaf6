import type { KeyId, PersonId, ProjectId, SessionId, WorkspaceId } from './ids.ts'
import type { Role } from './roles.ts'
import type { Grant } from './scopes.ts'

export const projectStatuses = ['active', 'paused', 'archived'] as const
export type ProjectStatus = (typeof projectStatuses)[number]

/** The projects of a workspace that a caller can see; null is all of them, also those that come later. */
export interface Visibility {
  workspaceId: WorkspaceId
  projectIds: readonly ProjectId[] | null
}

/** An API key, as it stood in the database when the request arrived. */
export interface KeyCaller extends Grant, Visibility {
  type: 'key'
  keyId: KeyId
  /** The project the key is bound to; null for a workspace key. */
  projectId: ProjectId | null
  expiresAt: Date | null
}

/**
 * Somebody who is signed in. The grant is what their role allows in the project of the call, and the visibility is where
 * they hold the scope that the call requires.
 */
export interface PersonCaller extends Grant, Visibility {
  type: 'person'
  personId: PersonId
  sessionId: SessionId
  /** The widest role that they have for this call. */
  role: Role
  /** All roles that they have: of the workspace, and of single projects. */
  workspaceRole: Role | null
  projectRoles: ReadonlyMap<ProjectId, Role>
}

export type Caller = KeyCaller | PersonCaller

/** A project-local call is about the data of this project. */
export interface ProjectContext {
  id: ProjectId
  workspaceId: WorkspaceId
  status: ProjectStatus
  /** The project takes part in the SMS beta; known only of a project that a request names. */
  smsInvited?: boolean
}

/** A live key, and the project that it is bound to or that the request names, if that is in its workspace. */
export interface Identity {
  caller: KeyCaller
  project: ProjectContext | undefined
}

export const confirmationWays = ['passkey', 'password', 'totp'] as const
export type ConfirmationWay = (typeof confirmationWays)[number]

/** Within so many seconds of a confirmation a person may do what needs one. */
export const CONFIRMED_SECONDS = 600

/** A live session with its person's roles, and the project that the request names, if that is in their workspace. */
export interface Session {
  personId: PersonId
  sessionId: SessionId
  workspaceId: WorkspaceId
  workspaceRole: Role | null
  projectRoles: ReadonlyMap<ProjectId, Role>
  /** Whether the person has proven within the last minutes that it is them. */
  isConfirmed: boolean
  /** How this person can prove it. */
  ways: readonly ConfirmationWay[]
  /** The workspace asks for a second factor, and the person has none. */
  lacksSecondFactor: boolean
  project: ProjectContext | undefined
}

/** Somebody who is perhaps not signed in, as far as the request says who it is. */
export interface Visitor {
  /** Where the client is: the socket's address, or what a proxy of ours says. */
  address: string
  /** What counts as one client: the address, or all of the network that one IPv6 client can use. */
  household: string
  userAgent: string
  /** The token of the cookie that came along, good or not. */
  tokenHash: Buffer | undefined
  requestId: string
}

/**
 * The actor in the audit log: a key or a person through the API, the operator at the command line, or the recipient of a
 * mail by a link in it.
 */
export type Actor =
  | { type: 'key'; keyId: KeyId; requestId: string }
  | { type: 'person'; personId: PersonId; sessionId: SessionId | null; requestId: string }
  | { type: 'operator' }
  | { type: 'recipient' }

/** The actor's name for what it makes: the columns that say by which key or by which person something was made. */
export const madeBy = (actor: Actor): { keyId: KeyId | null; personId: PersonId | null } => ({
  keyId: actor.type === 'key' ? actor.keyId : null,
  personId: actor.type === 'person' ? actor.personId : null,
})
