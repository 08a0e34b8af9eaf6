import { Type } from 'typebox'
import { route } from './route.ts'
import { named } from '../shapes/shapes.ts'

const HealthView = named(
  'Health',
  Type.Object(
    { status: Type.Literal('ok'), version: Type.String(), uptimeSeconds: Type.Integer() },
    { description: 'The process is alive.' },
  ),
)

/** Liveness only: it must answer while the database is away, or an orchestrator would kill healthy processes. */
export const healthRoutes = (version: string) => [
  route({
    id: 'getHealth',
    method: 'GET',
    path: '/health',
    scope: null,
    context: 'none',
    summary: 'Whether this process is alive. Needs no key and does not ask the database.',
    reply: { 200: HealthView },
    handle: async () => ({ status: 'ok' as const, version, uptimeSeconds: Math.floor(process.uptime()) }),
  }),
]
