import {
  createClient,
  type Credential,
  type CredentialOptions,
  type NewCredentialOptions,
  type Reply,
  type Session,
  type SignedOut,
} from '@posthouse/sdk'
import { problemOf } from '../../kit/problem.ts'

const { call } = createClient()

/** Whether somebody is signed in here, and if not, what this installation offers. */
export type Visit = { session: Session } | { signedOut: SignedOut }

export async function visit(): Promise<Visit> {
  try {
    return { session: await call('GET /session') }
  } catch (error) {
    const { status, extra } = problemOf(error)
    if (status === 401) return { signedOut: extra as unknown as SignedOut }
    throw error
  }
}

export interface Password {
  email: string
  password: string
  totp?: string
  recoveryCode?: string
}

export const signIn = (body: Password): Promise<Session> => call('POST /session/password', { body })

export const signInByPasskey = (credential: Credential): Promise<Session> =>
  call('POST /session/passkey', { body: { credential } })

export const passkeyOptions = (): Promise<CredentialOptions> => call('POST /session/passkey/options')

/** A new way in: one of both. */
export type NewWay = { password: string } | { credential: Credential }

export type SetUp = NewWay & { name: string; email: string } & ({ token: string } | { secret: string })

export const setUp = (body: SetUp): Promise<Session> => call('POST /session/setup', { body })

export type Invitation = Reply<'POST /session/invitation/read'>

export const readInvitation = (token: string): Promise<Invitation> =>
  call('POST /session/invitation/read', { body: { token } })

export const join = (body: NewWay & { token: string; name: string }): Promise<Session> =>
  call('POST /session/invitation', { body })

export const askForLink = (email: string): Promise<unknown> => call('POST /session/recovery', { body: { email } })

export const recover = (body: NewWay & { token: string; totp?: string; recoveryCode?: string }): Promise<unknown> =>
  call('POST /session/recovery/finish', { body })

/**
 * What the browser needs to make a passkey for somebody whom the server does not know yet. The handle is random: the server
 * finds people by the id of their passkey.
 */
export async function newPasskeyOptions(account: { name: string; email: string }): Promise<NewCredentialOptions> {
  const user = { id: randomHandle(), name: account.email.trim(), displayName: account.name.trim() }
  return { ...(await passkeyOptions()), user }
}

const randomHandle = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
