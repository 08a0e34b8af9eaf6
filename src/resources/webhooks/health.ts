import type { ProjectId, WebhookId } from '../../core/ids.ts'
import type { Database } from '../../storage/postgres.ts'
import type { Attempt, Health } from './schema.ts'
import * as store from './store/health.ts'

/** The health of an endpoint, read from the newest of its deliveries, however many there are. */
export async function healthOf(db: Database, project: ProjectId, endpoint: WebhookId): Promise<Health> {
  const [{ failingSince, pending }, lastDelivered, attempts] = await Promise.all([
    store.present(db.reads, project, endpoint),
    store.lastDelivered(db.reads, project, endpoint),
    store.recentAttempts(db.reads, project, endpoint),
  ])
  return {
    lastDeliveredAt: lastDelivered.at?.toISOString() ?? null,
    failingSince: failingSince?.toISOString() ?? null,
    pending,
    ...ratesOf(attempts.map(({ attempt }) => attempt)),
  }
}

const PERCENTILE = 0.95

function ratesOf(attempts: readonly Attempt[]): Pick<Health, 'successRate24h' | 'p95Ms'> {
  const durations = attempts.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b)
  const slowest = durations[Math.ceil(PERCENTILE * durations.length) - 1]
  if (slowest === undefined) return { successRate24h: null, p95Ms: null }
  const acknowledged = attempts.filter(({ error }) => error === null).length
  return { successRate24h: acknowledged / attempts.length, p95Ms: slowest }
}
