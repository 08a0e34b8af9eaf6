/** Who may make a call: the part of the shell that knows keys, people, rates and projects, before the body is read. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, Caller, ProjectContext } from '../core/caller.ts'
import { DomainError } from '../core/errors.ts'
import { decodeId } from '../core/ids.ts'
import { hashToken } from '../core/secret-token.ts'
import { authenticate, requireScope, signedOut, type Identify, type KeyHashes } from './authenticate.ts'
import { single } from './header.ts'
import { personCaller, refuseForeignPage, requireSecondFactor, tokenIn, type Persons } from './persons.ts'
import { PROJECT_HEADER, projectOfCall, projectOfPerson } from './project-context.ts'
import { rateLimitHeaders, type RateLimiter } from './rate-limit.ts'
import type { ApiContext, Route } from './route.ts'

export interface AdmissionRules {
  identify: Identify
  /** People who are signed in; without it the API takes keys only. */
  persons?: Persons
  rateLimiter: RateLimiter
}

interface Access {
  caller: Caller
  actor: Actor
  project: ProjectContext | undefined
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
  const actor: Actor = { type: 'key', keyId: caller.keyId, requestId: request.id }
  request.access = { caller, actor, project: undefined }
  const allowance = await shell.rateLimiter.take(caller.keyId)
  if (allowance !== undefined) reply.headers(rateLimitHeaders(allowance))
  if (route.isForPersons) {
    throw new DomainError('person_required', 'Only a signed-in person can do this: open the portal.')
  }
  if (route.scope !== null) requireScope(caller, route.scope)
  request.access.project = projectOfCall(identity, header, route.context, route.method)
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
  const named = header === undefined ? undefined : decodeId('prj', header)
  const session = await persons?.identify(hashToken(token), named)
  if (persons === undefined || session === undefined) throw signedOut()
  refuseForeignPage(request, persons.publicUrl)
  const allowance = await rateLimiter.take(session.sessionId)
  if (allowance !== undefined) reply.headers(rateLimitHeaders(allowance))
  requireSecondFactor(session)
  const caller = personCaller(session, header !== undefined, route)
  const { personId, sessionId } = caller
  const actor: Actor = { type: 'person', personId, sessionId, requestId: request.id }
  request.access = { caller, actor, project: projectOfPerson(session, route.context, route.method) }
}
