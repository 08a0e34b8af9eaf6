/** Requests outside of the API, by which people come in: from our own pages only, signed in or not. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, Session, Visitor } from '../core/caller.ts'
import { DomainError } from '../core/errors.ts'
import { hashToken } from '../core/secret-token.ts'
import { signedOut } from './authenticate.ts'
import { clientAddress, householdOf } from './client-address.ts'
import { isOwnHost, refuseForeignPage, requireConfirmation, tokenIn, type Persons } from './persons.ts'
import { rateLimitHeaders, type RateLimiter } from './rate-limit.ts'
import type { Route } from './route.ts'

export interface Entered {
  visitor: Visitor
  session: Session | undefined
  actor: Actor | undefined
}

interface Shell {
  persons?: Persons
  rateLimiter: RateLimiter
}

export async function enter(
  { persons, rateLimiter }: Shell,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Entered> {
  if (persons === undefined || !isOwnHost(request.headers.host, persons.publicUrl)) {
    throw new DomainError('not_found', 'There is no such route.')
  }
  reply.header('cache-control', 'no-store')
  const visitor = visitorOf(request, persons)
  const session = route.context === 'session' ? await sessionOf(visitor, persons) : undefined
  refuseForeignPage(request, persons.publicUrl)
  if (session === undefined) return { visitor, session, actor: undefined }
  const { personId, sessionId } = session
  const allowance = await rateLimiter.take(sessionId)
  if (allowance !== undefined) reply.headers(rateLimitHeaders(allowance))
  if (route.needsConfirmation) requireConfirmation(session)
  return { visitor, session, actor: { type: 'person', personId, sessionId, requestId: request.id } }
}

function visitorOf(request: FastifyRequest, { publicUrl, proxies }: Persons): Visitor {
  const { headers, raw } = request
  const token = tokenIn(request, publicUrl)
  const address = clientAddress(raw.socket.remoteAddress ?? '', headers['x-forwarded-for']?.toString(), proxies)
  return {
    address,
    household: householdOf(address),
    userAgent: headers['user-agent'] ?? '',
    tokenHash: token === undefined ? undefined : hashToken(token),
    requestId: request.id,
  }
}

async function sessionOf({ tokenHash }: Visitor, { identify }: Persons): Promise<Session> {
  const session = tokenHash && (await identify(tokenHash, undefined))
  if (session === undefined) throw signedOut()
  return session
}
