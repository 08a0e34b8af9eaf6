import { timingSafeEqual, createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../core/errors.ts'
import { isWithin, type Network } from '../net/networks.ts'
import { isForwarded } from './client-address.ts'
import type { Metrics } from './metrics.ts'
import { prepare, sendPrepared, type Prepared } from './prepared.ts'

interface PublicPages {
  /** The OpenAPI document of an installation that is reached under this address. */
  document(address: string): Record<string, unknown>
  /** The page for people that shows the document. */
  reference(document: Record<string, unknown>): Promise<string>
  /** The address under which people reach this installation, if its operator has set it. */
  address: string | undefined
  metrics: Metrics
  readers: MetricsReaders
}

/** Who may read the metrics: clients in one of these networks, and clients that send the token. */
export interface MetricsReaders {
  networks: readonly Network[]
  /** A request from there was forwarded, whatever its headers say. */
  proxies: readonly Network[]
  token: string | undefined
}

/** What is open to everybody beside the API: its description, for machines and for people, and the metrics. */
export function addPublicPages(
  server: FastifyInstance,
  { document, reference, address, metrics, readers }: PublicPages,
): void {
  // The document is made for the first request that asks for it: after most starts none does. Only the connection
  // knows which port the client has reached, because the supervisor may hold the port.
  const documentFor = ({ raw }: FastifyRequest) => document(address ?? `http://localhost:${raw.socket.localPort}`)
  const json = once(async (request) => prepare(JSON.stringify(documentFor(request))))
  const html = once(async (request) => prepare(await reference(documentFor(request))))
  server.get('/openapi.json', async (request, reply) =>
    sendPrepared(request, reply.type('application/json; charset=utf-8'), await json(request)),
  )
  server.get('/docs', async (request, reply) =>
    sendPrepared(request, reply.type('text/html; charset=utf-8').headers(docsHeaders), await html(request)),
  )
  server.get('/metrics', async (request, reply) => {
    // A path that some people may not read does not exist for them.
    if (!mayRead(request, readers)) throw new DomainError('not_found', 'There is no such route.')
    return reply.type(metrics.registry.contentType).send(await metrics.text())
  })
}

/** Where there is no portal, whoever comes without knowing where to go is led to the reference. */
export const leadToReference = (server: FastifyInstance): void =>
  void server.get('/', (_request, reply) => reply.redirect('/docs'))

const docsHeaders = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

/** Requests that come while the page is being made wait for it; after a failure the next request tries again. */
function once(make: (request: FastifyRequest) => Promise<Prepared>): (request: FastifyRequest) => Promise<Prepared> {
  let made: Promise<Prepared> | undefined
  return (request) =>
    (made ??= make(request).catch((error: unknown) => {
      made = undefined
      throw error
    }))
}

/** The proxy's address says nothing about who is behind it: what was forwarded needs the token. */
function mayRead({ headers, raw }: FastifyRequest, { networks, proxies, token }: MetricsReaders): boolean {
  const [, given] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (token !== undefined && given !== undefined) return timingSafeEqual(digest(given), digest(token))
  const remote = raw.socket.remoteAddress ?? ''
  return isWithin(remote, networks) && !isWithin(remote, proxies) && !isForwarded(headers)
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
