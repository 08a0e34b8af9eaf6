import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { BODY_PATIENCE_MS, endSlowBody } from '../http/streams.ts'
import { Poster } from '../net/post.ts'
import { HttpCarrier } from '../sms/http-carrier.ts'
import type { Services } from './compose.ts'
import { sinkOf } from './sms.ts'
import { carrierOf } from './sms-connections.ts'

const MAX_FORM_BYTES = 64 * 1024
const ANSWER_WITHIN_MS = 30_000

type ToConnection = { Params: { name: string; kind: string } }

/**
 * Where providers with an HTTP API tell us what became of messages, and hand over those that come in. They have no key
 * of ours: what they sign counts. Nothing is here unless a connection wants it and the installation is live.
 */
export async function addCarrierCallbacks(
  server: FastifyInstance,
  services: Services,
  clock: Clock,
  log: Log,
  bodyPatienceMs = BODY_PATIENCE_MS,
): Promise<void> {
  const { config, dns, egress } = services
  const poster = new Poster({ dns, egress, timeoutMs: ANSWER_WITHIN_MS })
  const carriers = new Map<string, HttpCarrier>()
  for (const [name, settings] of Object.entries(services.smsConnections)) {
    if (!config.smsLiveEnabled || settings.kind !== 'http' || settings.callbacks !== true) continue
    const carrier = carrierOf(name, settings, { config, dns, egress, poster, clock, log })
    if (!(carrier instanceof HttpCarrier)) continue
    await carrier.start(sinkOf(services, name))
    carriers.set(name, carrier)
  }
  if (carriers.size === 0) return
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addHook('onRequest', async (request) => endSlowBody(request, bodyPatienceMs, (_, socket) => socket.destroy()))
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer', bodyLimit: MAX_FORM_BYTES },
      async (_: unknown, body: Buffer) => body,
    )
    scope.post<ToConnection>('/carrier/http/:name/:kind', async (request, reply) => {
      const carrier = carriers.get(request.params.name)
      const { kind } = request.params
      if (carrier === undefined || (kind !== 'status' && kind !== 'inbound')) return reply.code(404).send()
      const signature = request.headers['x-twilio-signature']
      const answer = await carrier.callback({
        kind,
        query: queryOf(request),
        signature: typeof signature === 'string' ? signature : undefined,
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      })
      void reply.code(answer.status).header('cache-control', 'no-store')
      if (answer.contentType !== undefined) void reply.type(answer.contentType)
      return reply.send(answer.body)
    })
  })
}

const queryOf = ({ url }: FastifyRequest<ToConnection>): string | undefined => url.split('?')[1]
