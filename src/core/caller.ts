import type { KeyId, ProjectId, WorkspaceId } from './ids.ts'
import type { Grant } from './scopes.ts'

export const projectStatuses = ['active', 'paused', 'archived'] as const
export type ProjectStatus = (typeof projectStatuses)[number]

/** The caller is the API key of the request, as it stood in the database when the request arrived. */
export interface Caller extends Grant {
  keyId: KeyId
  workspaceId: WorkspaceId
  /** The project the key is bound to; null for a workspace key. */
  projectId: ProjectId | null
  expiresAt: Date | null
}

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
  caller: Caller
  project: ProjectContext | undefined
}

/**
 * The actor in the audit log: a key through the API, the operator at the command line, or the recipient of a mail by a
 * link in it.
 */
export type Actor = { type: 'key'; keyId: KeyId; requestId: string } | { type: 'operator' } | { type: 'recipient' }
