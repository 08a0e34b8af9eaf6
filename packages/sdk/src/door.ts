/**
 * Signing in and out, and what people change about themselves: beside the API, below `/session`, for browsers alone.
 * No key opens any of it; a cookie says who calls.
 */
import type { Scope } from './contract/index.ts'

/** Roles in a workspace, the widest first. In a project there is no owner. */
export type Role = 'owner' | 'admin' | 'developer' | 'marketer' | 'author' | 'viewer'

export type Way = 'password' | 'passkey' | 'oidc'

export interface Passkey {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
}

export interface Account {
  id: string
  name: string
  email: string
  locale: string | null
  timeZone: string | null
  /** Whether single letters are keys of the portal. */
  singleKeys: boolean
  hasPassword: boolean
  passkeys: Passkey[]
  totp: boolean
  preferences: Record<string, unknown>
}

/** A project that the person can see, and what they may do there. */
export interface ReachableProject {
  id: string
  name: string
  status: 'active' | 'paused' | 'archived'
  can: Scope[]
  reads: Scope[]
  maySend: boolean
}

export interface Session {
  person: Account
  workspace: { id: string; name: string }
  roles: { workspace: Role | null; projects: { projectId: string; role: Role }[] }
  projects: ReachableProject[]
  /** The workspace asks for a second factor and the person has none: before adding one they can do nothing else. */
  lacksSecondFactor: boolean
  /** Until then the person need not confirm again who they are. */
  confirmedUntil: string
  expiresAt: string
  installation: {
    version: string
    publicUrl: string
    sandboxSender: string
    simulatorDomain: string
    systemSender: string | null
    sms: boolean
  }
}

/** What `GET /session` says, in `extra` of its 401, to a visitor who is not signed in. */
export interface SignedOut {
  /** Whether the workspace has an owner. */
  setUp: boolean
  ways: Way[]
  /** Where passkeys work: a page that was opened by an IP address has no passkeys. */
  publicUrl: string
}

/** `PublicKeyCredential.toJSON()` of the browser. */
export type Credential = Record<string, unknown>

/** What a browser needs to use a passkey; the challenge is in base64url. */
export interface CredentialOptions {
  challenge: string
  rpId: string
  /** In milliseconds. */
  timeout: number
}

/** What a browser needs to make a passkey. */
export interface NewCredentialOptions extends CredentialOptions {
  user: { id: string; name: string; displayName: string }
  /** Authenticators that have one of these make no second one. */
  excludeCredentials?: { id: string; type: 'public-key' }[]
}

export interface OpenSession {
  id: string
  current: boolean
  device: string
  address: string
  createdAt: string
  lastSeenAt: string
}

interface Nothing {
  params: undefined
  query: undefined
  body: undefined
}

type Door<Reply, Parts extends Partial<Record<keyof Nothing, unknown>> = Record<never, never>> = Omit<
  Nothing,
  keyof Parts
> &
  Parts & { reply: Reply }

type WithWayIn<T> = T & { password?: string; credential?: Credential }

export interface DoorOperations {
  'GET /session': Door<Session>
  'DELETE /session': Door<{ signedOut: true }>
  'POST /session/password': Door<
    Session,
    { body: { email: string; password: string; totp?: string; recoveryCode?: string } }
  >
  'POST /session/passkey/options': Door<CredentialOptions>
  'POST /session/passkey': Door<Session, { body: { credential: Credential } }>
  'POST /session/confirm': Door<
    { confirmedUntil: string },
    { body: { password?: string; totp?: string; credential?: Credential } }
  >
  /** With the token behind `#` in the printed link, or the secret that the operator has set. */
  'POST /session/setup': Door<
    Session,
    { body: WithWayIn<{ token?: string; secret?: string; name: string; email: string; workspaceName?: string }> }
  >
  'POST /session/invitation/read': Door<
    {
      email: string
      workspace: string
      role: Role | null
      projects: { projectId: string; name: string; role: Role }[]
      /** Null when the operator made the invitation, or when the inviter was removed. */
      invitedBy: string | null
      expiresAt: string
    },
    { body: { token: string } }
  >
  'POST /session/invitation': Door<Session, { body: WithWayIn<{ token: string; name: string }> }>
  'POST /session/recovery': Door<{ accepted: true }, { body: { email: string } }>
  /** With a code where the person has codes: a link replaces the password alone. */
  'POST /session/recovery/finish': Door<
    Session,
    { body: WithWayIn<{ token: string; totp?: string; recoveryCode?: string }> }
  >
  'PATCH /session/me': Door<
    Session,
    {
      body: {
        name?: string
        locale?: string | null
        timeZone?: string | null
        singleKeys?: boolean
        preferences?: Record<string, unknown>
      }
    }
  >
  'POST /session/me/password': Door<Session, { body: { password: string } }>
  'POST /session/me/passkeys/options': Door<NewCredentialOptions>
  'POST /session/me/passkeys': Door<Passkey, { body: { name: string; credential: Credential } }>
  'PATCH /session/me/passkeys/:id': Door<Passkey, { params: { id: string }; body: { name: string } }>
  'DELETE /session/me/passkeys/:id': Door<{ id: string; deleted: true }, { params: { id: string } }>
  'POST /session/me/totp': Door<{ secret: string; uri: string }>
  'POST /session/me/totp/confirm': Door<{ recoveryCodes: string[] }, { body: { code: string } }>
  'DELETE /session/me/totp': Door<Session>
  'GET /session/me/sessions': Door<
    { data: OpenSession[]; hasMore: boolean; nextCursor: string | null },
    { query: { limit?: number; cursor?: string } }
  >
  'DELETE /session/me/sessions/:id': Door<{ id: string; deleted: true }, { params: { id: string } }>
  /** Ends all sessions but this one. */
  'DELETE /session/me/sessions': Door<{ ended: number }>
}
