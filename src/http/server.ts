/**
 * The shell every request passes. The order is part of the contract: route (404, 405), key (401), rate (429), scope
 * (403), project, then the body (415, 413, invalid JSON), its shape (400), and only then the service.
 */
import type { Readable } from 'node:stream'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type preParsingHookHandler,
  type RouteOptions,
} from 'fastify'
import { DomainError, invalid, notFound } from '../core/errors.ts'
import type { FileContent } from '../core/file-content.ts'
import type { Log } from '../core/log.ts'
import { decodeId, encodeId, idPrefixes, newId } from '../core/ids.ts'
import { decodeReference, type MailReference } from '../core/mail-reference.ts'
import { withoutKeySecrets } from '../core/key-secret.ts'
import { withoutTokens } from '../core/secret-token.ts'
import { requireSending } from '../core/roles.ts'
import { scopes } from '../core/scopes.ts'
import type { AddressLimiter } from './address-limit.ts'
import { admit, admitAgain, type AdmissionRules, type Admitted } from './admit.ts'
import { KeyHashes } from './authenticate.ts'
import { enter, type Entered } from './door.ts'
import { isOwnHost } from './persons.ts'
import { BodyRoom, FREE_BYTES, type RoomLimits } from './body-room.ts'
import { isStorable, parseJson } from '../shapes/json.ts'
import { closeUnread, endUnasked } from './closing.ts'
import { errorReply, toDomainError } from './errors.ts'
import { single } from './header.ts'
import { MAX_HEADER_BYTES, refuseMalformedHttp } from './malformed.ts'
import { IDEMPOTENCY_HEADER, idempotencyKeyProblems, readIdempotencyKey } from './idempotency.ts'
import type { Metrics } from './metrics.ts'
import { methodsByPath } from './methods.ts'
import { withPlusHint } from './plus-signs.ts'
import { Answer, isAtDoor, isOfApi, urlOf, type Route } from './route.ts'
import { serializerOf } from './serializer.ts'
import {
  BODY_PATIENCE_MS,
  endSlowBody,
  isStream,
  MAX_UPLOAD_MS,
  refuseUpload,
  sendDownload,
  sendEvents,
  tooLarge,
  uploadOf,
} from './streams.ts'
import { Turns } from './turns.ts'
import { giveUpUnread, type UnreadLimits } from './unread.ts'
import { bodyCheck, queryCheck } from '../shapes/validation.ts'

export interface Shell extends AdmissionRules {
  routes: readonly Route[]
  /** Limits requests that need no key; health answers every client. */
  addressLimiter?: AddressLimiter
  metrics: Metrics
  logger: Log
  /** A body may take this long, and an upload be silent for this long; `BODY_PATIENCE_MS` unless given. */
  bodyPatienceMs?: number
  /** The memory that large bodies may take; `BodyRoom` has the defaults. */
  bodyRoom?: RoomLimits
  /** How long and how many bytes of answers may wait for clients that do not read. */
  unread?: UnreadLimits
}

declare module 'fastify' {
  interface FastifyRequest {
    entered: Entered | undefined
  }
}

export function createServer(shell: Shell): FastifyInstance {
  const server = Fastify({
    // We write one line per answer ourselves; Fastify would make a logger for every request.
    logger: false,
    genReqId: () => encodeId('req', newId<'req'>()),
    // While we shut down, requests on open connections are still served and their connections closed.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // For the longest upload; every other body has much less, see `endSlowBody`.
    requestTimeout: MAX_UPLOAD_MS,
    keepAliveTimeout: 72_000,
    // No parameter can be longer than the request line: a very long id is an id that never existed, like any other.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2_000,
      // We look ourselves, see `refuseHost`: Node's own refusal has no body, and it lets two of them pass.
      requireHostHeader: false,
    },
    frameworkErrors: (error, request, reply) => refuse(shell.logger, request, reply, error),
    clientErrorHandler: refuseMalformedHttp,
  })
  // HTTP allows to ignore an expectation that is not known; Node's own refusal has neither our shape nor a request id.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))
  server.setSerializerCompiler(({ schema }) => serializerOf(schema as object))
  server.decorateRequest('access', undefined)
  server.decorateRequest('entered', undefined)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => parseJson(body),
  )
  const methods = methodsByPath(shell.routes)
  const turns = new Turns()
  server.addHook('onRequest', (request, reply, done) => turns.wait(request, reply, done))
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    // No cache may keep what a key opens. The route decides: a request may spell its address as a whole URL.
    if (isOfApi(request.routeOptions.url ?? request.url)) reply.header('cache-control', 'no-store')
    refuseHost(request)
    if (!isOfApi(request.routeOptions.url)) shell.addressLimiter?.take(request)
    // Here, not in a handler: Fastify reads the body before a handler, and would refuse that instead of the path.
    const isOwn = (): boolean => isOwnHost(request.headers.host, shell.persons?.publicUrl)
    done(request.is404 ? methods.refusal(request.url, isOwn()) : undefined)
  })
  const stopLooking = giveUpUnread(server.server, shell.unread)
  server.addHook('onClose', async () => stopLooking())
  const endSilent = endUnasked(server.server)
  server.addHook('preClose', async () => endSilent())
  server.addHook('onResponse', (request, reply, done) => {
    recordAnswer(shell, request, reply)
    done()
  })
  server.setErrorHandler((error, request, reply) => refuse(shell.logger, request, reply, error))
  const shared = { hashes: new KeyHashes(), room: new BodyRoom(shell.bodyRoom) }
  for (const route of shell.routes) addRoute(server, shell, shared, route)
  return server
}

function addRoute(
  server: FastifyInstance,
  shell: Shell,
  { hashes, room }: { hashes: KeyHashes; room: BodyRoom },
  route: Route,
): void {
  refuseUndeclared(route)
  const checkBody = bodyCheck(route.body, route.bodyIsOptional)
  const checkQuery = queryCheck(route.query)
  const [onlyStatus] = Object.keys(route.reply).map(Number)
  const { bodyPatienceMs = BODY_PATIENCE_MS } = shell
  const options: RouteOptions = {
    method: route.method,
    url: urlOf(route),
    bodyLimit: route.bodyLimit,
    schema: route.downloads.length > 0 || route.streams ? {} : { response: route.reply },
    onRequest: async (request, reply) => {
      if (route.uploads.length === 0) endSlowBody(request, bodyPatienceMs, refuseMalformedHttp)
      // What matters of an empty body is that it is empty, whatever its type is called.
      if (route.uploads.length === 0 && request.headers['content-length'] === '0')
        delete request.headers['content-type']
      if (isAtDoor(route)) request.entered = await enter(shell, route, request, reply)
      else if (route.context !== 'none') await admit(shell, hashes, route as Admitted, request, reply)
      if (route.method !== 'GET' && request.headers['content-encoding'] !== undefined) {
        throw new DomainError('unsupported_media_type', 'Send the body as it is, without a Content-Encoding.')
      }
      if (route.uploads.length > 0) refuseUpload(request, route)
    },
    ...(route.uploads.length === 0 && route.bodyLimit > FREE_BYTES ? { preParsing: inRoom(room) } : {}),
    handler: async (request, reply) => {
      const upload = route.uploads.length > 0 ? uploadOf(request, route, bodyPatienceMs) : undefined
      const body = checkBody(upload ? undefined : route.readBody(request.body))
      const query = checkQuery(request.query)
      const key = idempotencyKeyIn(route, request)
      const problems = [...body.problems, ...query.problems, ...(key === undefined ? [] : idempotencyKeyProblems(key))]
      if (problems.length > 0) throw invalid([...problems, ...route.furtherProblems(body.value)])
      const caller = request.access?.caller
      if (caller?.type === 'person' && route.isLeaving(body.value, query.value)) requireSending(caller.role)
      const result = await route.handle({
        ...request.access,
        ...request.entered,
        admitAgain: () => admitAgain(shell, hashes, route as Admitted, request),
        params: decodeParams(route, request),
        query: query.value,
        body: body.value,
        upload,
        idempotency:
          key === undefined ? undefined : readIdempotencyKey(key, `${route.method} ${route.path}`, body.value),
      })
      if (route.downloads.length > 0) return sendDownload(request, reply, result as FileContent)
      if (route.streams) return sendEvents(request, reply, result as AsyncIterable<string>)
      if (!(result instanceof Answer)) return reply.code(onlyStatus ?? 200).send(result)
      return reply.code(result.status).headers(result.headers).send(result.body)
    },
  }
  if (route.uploads.length === 0) server.route(options)
  else void server.register(async (scope) => addUploadRoute(scope, route, options))
}

const inRoom =
  (room: BodyRoom): preParsingHookHandler =>
  (request, reply, payload, done) =>
    done(null, room.counted(request, reply, payload as Readable))

function idempotencyKeyIn({ honoursIdempotencyKey, ownIdempotencyHeader: own }: Route, { headers }: FastifyRequest) {
  if (own === undefined) return honoursIdempotencyKey ? single(headers[IDEMPOTENCY_HEADER]) : undefined
  const key = single(headers[own.header])
  if (key === undefined) throw new DomainError(own.missing, `Send a key of your own in the header ${own.header}.`)
  if (idempotencyKeyProblems(key).length === 0) return key
  throw new DomainError(own.malformed, `The header ${own.header} takes 1 to 256 printable ASCII characters.`)
}

/** The route gets a scope of its own in which nothing else is a body: everywhere else these types are refused. */
function addUploadRoute(scope: FastifyInstance, { uploads }: Route, options: RouteOptions): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser([...uploads], (_request, _payload, done) => done(null))
  scope.route(options)
}

/** Every route must declare who may call it, or the server does not start: a slip would open a route to strangers. */
function refuseUndeclared({ method, path, scope, context }: Route): void {
  const isOpen = context === 'none' || isAtDoor({ context })
  const declared = isOpen ? scope === null : scope !== null && scopes.includes(scope)
  if (!declared) throw new Error(`${method} ${path} does not declare the scope that it requires`)
}

/**
 * RFC 9112 §3.2: a request has one Host, or none in HTTP/1.0. Of two a proxy may believe one and we the other. Counted in
 * the list of all headers as they came; elsewhere Node shows the first only.
 */
function refuseHost({ raw: { rawHeaders, httpVersion } }: FastifyRequest): void {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return
  throw invalid([{ path: '/headers/host', message: hosts === 0 ? 'is required' : 'must be sent once only' }])
}

function recordAnswer({ metrics, logger }: Shell, request: FastifyRequest, reply: FastifyReply): void {
  // Only the pattern of the path is logged, because a path may have addresses and cursors in it.
  const route = request.routeOptions.url ?? 'unknown'
  const status = reply.statusCode
  const ms = reply.elapsedTime
  // A stream ends when its client leaves; how long that took says nothing about us.
  metrics.request(request.method, route, status, isStream(reply) ? 0 : ms)
  const caller = callerName(request)
  // What only read something is rarely asked about, and there is the most of it.
  const level = request.method === 'GET' && status < 400 ? 'debug' : 'info'
  logger[level](
    { requestId: request.id, method: request.method, route, status, ms: Math.round(ms * 10) / 10, ...caller },
    'answered',
  )
}

function callerName({ access, entered }: FastifyRequest): Readonly<Record<string, string>> {
  const actor = access?.actor ?? entered?.actor
  if (actor?.type === 'key') return { key: encodeId('key', actor.keyId) }
  return actor?.type === 'person' ? { person: encodeId('per', actor.personId) } : {}
}

/** A malformed id is answered like one that never existed. */
function decodeParams(route: Route, request: FastifyRequest): Record<string, string | MailReference> {
  const given = request.params as Record<string, string>
  return Object.fromEntries(
    Object.entries(route.params).map(([name, kind]) => {
      const value = decodeParam(kind, given[name] ?? '')
      if (value === undefined) throw notFound(kind === 'text' ? name : idPrefixes[kind === 'message' ? 'em' : kind])
      return [name, value]
    }),
  )
}

function decodeParam(kind: Route['params'][string], text: string): string | MailReference | undefined {
  if (kind === 'message') return decodeReference(text)
  if (kind !== 'text') return decodeId(kind, text)
  // What cannot be stored names nothing that is.
  return isStorable(text) ? text : undefined
}

function refuse(logger: Log, request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const error = told(toDomainError(thrown), request)
  if (error.code === 'internal_error') logger.error({ requestId: request.id, err: thrown }, 'request failed')
  if (error.code === 'unavailable')
    logger.warn({ requestId: request.id, reason: thrown instanceof Error ? thrown.message : undefined }, 'unavailable')
  const { status, headers, body } = errorReply(error, request.id)
  if (isSendingMuch(request)) closeUnread(request.raw, reply.raw)
  // Serialised here: Fastify would look for a schema per status, and every refusal has the same shape.
  return reply
    .code(status)
    .headers({ ...headers, 'x-request-id': request.id })
    .type('application/json; charset=utf-8')
    .serializer((refusal: unknown) => withoutTokens(withoutKeySecrets(JSON.stringify(refusal))))
    .send(body)
}

/** Adds what only the request knows: how large its body may be, and which values in its query have a plus. */
function told(error: DomainError, { url, routeOptions: { bodyLimit } }: FastifyRequest): DomainError {
  const isUntold = error.code === 'payload_too_large' && error.extra['limitBytes'] === undefined
  if (isUntold && bodyLimit !== undefined) return tooLarge(bodyLimit)
  return withPlusHint(error, url)
}

/** A large body that we refused to read is not read to its end either, just to use the connection again. */
function isSendingMuch({ raw, headers }: FastifyRequest): boolean {
  const isLarge = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > WORTH_READING
  return isLarge && !raw.complete
}

const WORTH_READING = 64 * 1024
