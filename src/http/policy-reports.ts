/** What browsers tell us of breaches of the portal's content policy: a mistake of ours, or an attack that was held. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { isObject } from '../shapes/json-schema.ts'

export const REPORTS_PATH = '/policy-reports'

interface ReportOptions {
  onRequest(request: FastifyRequest): Promise<void>
  clock: Clock
  log: Log
}

const MAX_REPORT_BYTES = 16 * 1024
const MAX_LOGGED = 10
const WITHIN_MS = 60_000
const MAX_FIELD_LENGTH = 200

/** Everybody can send reports, so few of them are logged: at most ten a minute, and of each only what is short. */
export function addPolicyReports(server: FastifyInstance, { onRequest, clock, log }: ReportOptions): void {
  let logged: number[] = []
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/csp-report', 'application/json'],
      { parseAs: 'string', bodyLimit: MAX_REPORT_BYTES },
      async (_: FastifyRequest, text: string) => text,
    )
    scope.post(REPORTS_PATH, { onRequest }, async ({ body }, reply) => {
      const now = clock.now()
      logged = logged.filter((at) => at > now - WITHIN_MS)
      const report = reportIn(body)
      if (report !== undefined && logged.length < MAX_LOGGED) {
        logged.push(now)
        log.warn(report, 'content policy violated')
      }
      return reply.code(204).send()
    })
  })
}

function reportIn(body: unknown): Record<string, unknown> | undefined {
  try {
    const sent: unknown = JSON.parse(String(body))
    const report = isObject(sent) ? sent['csp-report'] : undefined
    if (!isObject(report)) return undefined
    return {
      directive: shortened(report['effective-directive'] ?? report['violated-directive']),
      blocked: pathOf(report['blocked-uri']),
      source: pathOf(report['source-file']),
      line: Number(report['line-number']) || undefined,
    }
  } catch {
    return undefined
  }
}

const shortened = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, MAX_FIELD_LENGTH) : undefined

/** Without query and fragment, which may hold addresses of people, or secrets. */
const pathOf = (value: unknown): string | undefined => shortened(value)?.replace(/[?#].*$/s, '')
