/** People who are signed in as callers of the API: their cookie, where it counts, and what their roles allow a call. */
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { CONFIRMED_SECONDS, type PersonCaller, type Session } from '../core/caller.ts'
import { DomainError, notFound } from '../core/errors.ts'
import type { ProjectId } from '../core/ids.ts'
import { holds, isWider, requireSending, roleGrants, type Role } from '../core/roles.ts'
import type { Scope } from '../core/scopes.ts'
import type { Network } from '../net/networks.ts'
import type { Route } from './route.ts'

export interface Persons {
  /**
   * Looks the session up on every request: there is no cache to outlive its end. Where nobody has asked for anything, it
   * is no use of the session.
   */
  identify(tokenHash: Buffer, named: ProjectId | undefined, isUse?: boolean): Promise<Session | undefined>
  /** Where people reach the portal. */
  publicUrl: string
  /** The proxies whose `X-Forwarded-For` is believed. */
  proxies: readonly Network[]
}

type Asked = Pick<Route, 'scope' | 'reads' | 'isSensitive' | 'isForPersons' | 'needsConfirmation' | 'leaves'>

/** A browser keeps `__Host-` cookies for exactly one host, and sends them by TLS only. */
export const sessionCookie = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-posthouse' : 'posthouse'

/** Undefined where no cookie counts: none was sent, or under a host that is not ours. */
export function tokenIn({ headers }: FastifyRequest, publicUrl: string): string | undefined {
  if (!isOwnHost(headers.host, publicUrl)) return undefined
  const name = `${sessionCookie(publicUrl)}=`
  const pairs = headers.cookie?.split(';').map((pair) => pair.trim()) ?? []
  return pairs.find((pair) => pair.startsWith(name))?.slice(name.length)
}

/**
 * The portal exists under the host of PUBLIC_URL, on this machine, and under literal addresses. Any other name leads to us
 * because of a customer's link host, or because an attacker points a name at us.
 */
export function isOwnHost(header: string | undefined, publicUrl: string | undefined): boolean {
  const url = header === undefined ? null : URL.parse(`http://${header}`)
  if (url === null || publicUrl === undefined) return false
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return name === new URL(publicUrl).hostname || name === 'localhost' || isIP(name) !== 0
}

/**
 * A cookie is sent by the browser whatever page asks, and a POST without a body needs no permission of ours. So the page
 * must be one of our own.
 */
export function refuseForeignPage({ method, headers }: FastifyRequest, publicUrl: string): void {
  const site = headers['sec-fetch-site']
  const isReading = method === 'GET' || method === 'HEAD'
  if (
    isReading ? site !== 'cross-site' : site === 'same-origin' || isOwnOrigin(headers.origin, headers.host, publicUrl)
  )
    return
  throw new DomainError(
    'origin_refused',
    'This request comes from a page that is not ours. With an API key it needs no cookie.',
  )
}

function isOwnOrigin(origin: string | undefined, host: string | undefined, publicUrl: string): boolean {
  if (origin === undefined) return false
  return origin === new URL(publicUrl).origin || origin === `http://${host}` || origin === `https://${host}`
}

/** `names` is whether the call names a project. */
export function personCaller(session: Session, names: boolean, asked: Asked): PersonCaller {
  const { personId, sessionId, workspaceId, workspaceRole, projectRoles, project } = session
  if (names && (project === undefined || rolesIn(session, project.id).length === 0)) throw notFound('project')
  const held = heldFor(session, asked)
  if (held === undefined) throw insufficient(session, asked)
  if (asked.needsConfirmation) requireConfirmation(session)
  if (asked.leaves === true) requireSending(held.role)
  const { role, projectIds } = held
  const { fullAccess, scopes, contentAccess } = roleGrants[role]
  return {
    type: 'person',
    personId,
    sessionId,
    workspaceId,
    role,
    workspaceRole,
    projectRoles,
    projectIds,
    fullAccess,
    scopes,
    contentAccess,
  }
}

interface HeldRole {
  role: Role
  projectIds: readonly ProjectId[] | null
}

const rolesIn = ({ workspaceRole, projectRoles }: Session, project: ProjectId): Role[] =>
  [workspaceRole, projectRoles.get(project)].filter((role) => role != null)

/**
 * The role that the call is made with, and where it is held. In a named project it is the wider one of the person's two.
 * Without a name the workspace's counts; else all projects in which the scope is held, with the narrowest of those roles,
 * so that nothing done in one of them is wider than the role there.
 */
function heldFor(
  session: Session,
  { scope, reads, isSensitive }: Pick<Asked, 'scope' | 'reads' | 'isSensitive'>,
): HeldRole | undefined {
  const { workspaceRole, projectRoles, project } = session
  const isReading = reads && !isSensitive
  const inWorkspace =
    workspaceRole !== null && (scope === null || holds({ role: workspaceRole, isWorkspace: true }, scope, isReading))
      ? { role: workspaceRole, projectIds: null }
      : undefined
  const inProjects = [...projectRoles].filter(
    ([id, role]) =>
      (project === undefined || project.id === id) &&
      (scope === null || holds({ role, isWorkspace: false }, scope, isReading)),
  )
  const [first, ...others] = inProjects.map(([, role]) => role)
  if (first === undefined) return inWorkspace
  const narrowest = others.reduce((found, role) => (isWider(found, role) ? role : found), first)
  if (inWorkspace !== undefined && (project === undefined || !isWider(narrowest, inWorkspace.role))) return inWorkspace
  return { role: narrowest, projectIds: inProjects.map(([id]) => id) }
}

/** Whether the person could make a call that reads what this scope shows. */
export const mayRead = (session: Session, scope: Scope): boolean =>
  heldFor(session, { scope, reads: true, isSensitive: false }) !== undefined

function insufficient(session: Session, asked: Asked): DomainError {
  const scope = asked.scope as Scope
  const readOnly = !asked.reads && heldFor(session, { ...asked, reads: true, isSensitive: false }) !== undefined
  const sentence = readOnly
    ? `Your role can look at this and not change it (${scope}).`
    : `Your role does not include the scope ${scope}.`
  return new DomainError('insufficient_scope', sentence, { requiredScope: scope, ...(readOnly ? { readOnly } : {}) })
}

export function requireConfirmation({ isConfirmed, ways }: Session): void {
  if (isConfirmed) return
  throw new DomainError('confirmation_required', 'Confirm that it is you, then repeat the call.', {
    ways,
    withinSeconds: CONFIRMED_SECONDS,
  })
}

/** Where the workspace asks for a second factor, a person without one can do nothing but add one. */
export function requireSecondFactor({ lacksSecondFactor }: Session): void {
  if (!lacksSecondFactor) return
  throw new DomainError(
    'second_factor_required',
    'This workspace asks for a second factor: add a passkey or codes of an authenticator to your account first.',
    { factors: ['passkey', 'totp'] },
  )
}
