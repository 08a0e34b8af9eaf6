import type { FastifyInstance } from 'fastify'
import { DomainError } from '../core/errors.ts'
import { mayReadMetrics, type Metrics, type Network } from './metrics.ts'

interface PublicPages {
  document: Record<string, unknown>
  metrics: Metrics
  metricsAllow: readonly Network[]
}

/** What is open to everybody beside the API: its description, for machines and for people, and the metrics. */
export function addPublicPages(server: FastifyInstance, { document, metrics, metricsAllow }: PublicPages): void {
  const json = JSON.stringify(document, undefined, 2)
  // Loaded and made when somebody first reads it: most starts are not followed by a reader.
  let html: Promise<string> | undefined
  const reference = async (): Promise<string> => (await import('./reference/page.ts')).referencePage(document)
  server.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(json))
  server.get('/docs', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
      })
      .send(await (html ??= reference())),
  )
  server.get('/', (_request, reply) => reply.redirect('/docs'))
  server.get('/metrics', async (request, reply) => {
    const forwarded = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined
    // A path that some people may not read does not exist for them.
    if (!mayReadMetrics(request.socket.remoteAddress ?? '', forwarded, metricsAllow)) {
      throw new DomainError('not_found', 'There is no such route.')
    }
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}
