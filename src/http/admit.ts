/** Who may make a call: the part of the shell that knows keys, people, rates and projects, before the body is read. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, Caller, Identity, KeyCaller, ProjectContext, Session } from '../core/caller.ts'
import { DomainError } from '../core/errors.ts'
import { decodeId, type ProjectId } from '../core/ids.ts'
import { grants, type Scope } from '../core/scopes.ts'
import { hashToken } from '../core/secret-token.ts'
import { authenticate, requireScope, signedOut, type Identify, type KeyHashes } from './authenticate.ts'
import { single } from './header.ts'
import { mayRead, personCaller, refuseForeignPage, requireSecondFactor, tokenIn, type Persons } from './persons.ts'
import { PROJECT_HEADER, projectOfCall, projectOfPerson } from './project-context.ts'
import { rateLimitHeaders, type RateLimiter } from './rate-limit.ts'
import type { ApiContext, Route } from './route.ts'

export interface AdmissionRules {
  identify: Identify
  /** People who are signed in; without it the API takes keys only. */
  persons?: Persons
  rateLimiter: RateLimiter
}

export interface Access {
  caller: Caller
  actor: Actor
  project: ProjectContext | undefined
  /** Whether the caller could read what this scope shows, in the project of the call. */
  mayRead(scope: Scope): boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    access: Access | undefined
  }
}

/** Checks everything that is known before the body is read, so that strangers cannot make us read one. */
export async function admit(
  shell: AdmissionRules,
  hashes: KeyHashes,
  route: Admitted,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const header = single(request.headers[PROJECT_HEADER])
  const token = request.headers.authorization === undefined ? sessionToken(shell, request) : undefined
  if (token !== undefined) await admitPerson(shell, token, header, route, request, reply)
  else await admitKey(shell, hashes, header, route, request, reply)
  const project = request.access?.project
  if (route.gate !== undefined && project !== undefined && !route.gate.isOpen(project)) {
    throw new DomainError(route.gate.code, route.gate.sentence)
  }
}

export type Admitted = Route & { context: ApiContext }

async function admitKey(
  shell: AdmissionRules,
  hashes: KeyHashes,
  header: string | undefined,
  route: Admitted,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const identity = await authenticate(request.headers.authorization, header, hashes, shell.identify)
  const { caller } = identity
  request.access = accessOfKey(caller, request)
  const allowance = await shell.rateLimiter.take(caller.keyId)
  if (allowance !== undefined) reply.headers(rateLimitHeaders(allowance))
  request.access.project = projectOfKey(identity, header, route)
}

const accessOfKey = (caller: KeyCaller, { id: requestId }: FastifyRequest): Access => ({
  caller,
  actor: { type: 'key', keyId: caller.keyId, requestId },
  project: undefined,
  mayRead: (scope) => grants(caller, scope),
})

function projectOfKey(identity: Identity, header: string | undefined, route: Admitted): ProjectContext | undefined {
  if (route.isForPersons) {
    throw new DomainError('person_required', 'Only a signed-in person can do this: open the portal.')
  }
  if (route.scope !== null) requireScope(identity.caller, route.scope)
  return projectOfCall(identity, header, route.context, route.method)
}

/** A request that names a key is the key's, whatever cookie comes with it. */
const sessionToken = ({ persons }: AdmissionRules, request: FastifyRequest): string | undefined =>
  persons && tokenIn(request, persons.publicUrl)

async function admitPerson(
  { persons, rateLimiter }: AdmissionRules,
  token: string,
  header: string | undefined,
  route: Admitted,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const session = await persons?.identify(hashToken(token), projectIn(header))
  if (persons === undefined || session === undefined) throw signedOut()
  refuseForeignPage(request, persons.publicUrl)
  const allowance = await rateLimiter.take(session.sessionId)
  if (allowance !== undefined) reply.headers(rateLimitHeaders(allowance))
  request.access = accessOfPerson(session, header, route, request)
}

const projectIn = (header: string | undefined): ProjectId | undefined =>
  header === undefined ? undefined : decodeId('prj', header)

function accessOfPerson(
  session: Session,
  header: string | undefined,
  route: Admitted,
  { id: requestId }: FastifyRequest,
): Access {
  requireSecondFactor(session)
  const caller = personCaller(session, header !== undefined, route)
  const { personId, sessionId } = caller
  return {
    caller,
    actor: { type: 'person', personId, sessionId, requestId },
    project: projectOfPerson(session, route.context, route.method),
    mayRead: (scope) => mayRead(session, scope),
  }
}

/**
 * Asks whether the caller of an answer that is still being sent would be admitted now, and throws what they would hear.
 * Nothing is taken from their rate, and it is no use of their key or session: they did not ask.
 */
export async function admitAgain(
  { identify, persons }: AdmissionRules,
  hashes: KeyHashes,
  route: Admitted,
  request: FastifyRequest,
): Promise<Access> {
  const header = single(request.headers[PROJECT_HEADER])
  const { authorization } = request.headers
  const token = authorization === undefined && persons ? tokenIn(request, persons.publicUrl) : undefined
  if (persons !== undefined && token !== undefined) {
    const session = await persons.identify(hashToken(token), projectIn(header), false)
    if (session === undefined) throw signedOut()
    return accessOfPerson(session, header, route, request)
  }
  const identity = await authenticate(authorization, header, hashes, (hash, named) => identify(hash, named, false))
  return { ...accessOfKey(identity.caller, request), project: projectOfKey(identity, header, route) }
}
