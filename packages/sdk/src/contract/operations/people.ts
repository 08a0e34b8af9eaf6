// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  WorkspacePersonPage,
  InvitationPage,
  CreateInvitation,
  NewInvitation,
  WithdrawnInvitation,
  WorkspacePerson,
  UpdatePerson,
  RemovePerson,
  RemovedPerson,
  PersonSessionPage,
  EndedSessions,
  RecoveryLink,
} from '../shapes/people.ts'

export interface PeopleOperations {
  /** List the people of the workspace. */
  'GET /people': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** A part of the name or of the address. */
      q?: string
      /** Who has this role, in the workspace or in a project. */
      role?: 'owner' | 'admin' | 'developer' | 'marketer' | 'author' | 'viewer'
      /** An id that starts with `prj_`. */
      projectId?: string
    }
    body: undefined
    reply: WorkspacePersonPage
    scope: 'people:write'
    context: 'workspace'
    reads: true
  }
  /** List the open invitations. Their links are never shown again. */
  'GET /people/invitations': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    body: undefined
    reply: InvitationPage
    scope: 'people:write'
    context: 'workspace'
    reads: true
  }
  /**
   * Invite a person, with a role that is no wider than that of the caller. Only this answer holds the link, which is
   * good for seven days.
   */
  'POST /people/invitations': {
    params: undefined
    query: undefined
    body: CreateInvitation
    reply: NewInvitation
    scope: 'people:write'
    context: 'workspace'
    needsConfirmation: true
  }
  /** Make a new link, good for another seven days. The one before stops working. */
  'POST /people/invitations/:id/renew': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: NewInvitation
    scope: 'people:write'
    context: 'workspace'
    needsConfirmation: true
  }
  /** Withdraw an invitation: its link stops working. */
  'DELETE /people/invitations/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: WithdrawnInvitation
    scope: 'people:write'
    context: 'workspace'
  }
  /** Read one person, with the API keys that they made. */
  'GET /people/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: WorkspacePerson
    scope: 'people:write'
    context: 'workspace'
    reads: true
  }
  /**
   * Change what a person may do, or disable the person, who is then signed out everywhere. The last owner who can sign
   * in stays one.
   */
  'PATCH /people/:id': {
    params: { id: string }
    query: undefined
    body: UpdatePerson
    reply: WorkspacePerson
    scope: 'people:write'
    context: 'workspace'
    needsConfirmation: true
  }
  /** Remove a person, who is then signed out everywhere. API keys that the person made are kept or revoked. */
  'DELETE /people/:id': {
    params: { id: string }
    query: {
      /** What becomes of the API keys that they made, and of those that these made; `keep` if omitted. */
      keys?: 'keep' | 'revoke'
    }
    body: RemovePerson | undefined
    reply: RemovedPerson
    scope: 'people:write'
    context: 'workspace'
    needsConfirmation: true
  }
  /** List where a person is signed in. */
  'GET /people/:id/sessions': {
    params: { id: string }
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    body: undefined
    reply: PersonSessionPage
    scope: 'people:write'
    context: 'workspace'
    reads: true
  }
  /** Sign a person out everywhere. */
  'DELETE /people/:id/sessions': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: EndedSessions
    scope: 'people:write'
    context: 'workspace'
    needsConfirmation: true
  }
  /**
   * Make a link by which a person who cannot sign in chooses a new password or passkey, for owners. It is good once,
   * for an hour, and takes the place of the one before; codes of an authenticator are still asked for.
   */
  'POST /people/:id/recovery': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: RecoveryLink
    scope: 'people:write'
    context: 'workspace'
    isForPersons: true
    needsConfirmation: true
  }
}
