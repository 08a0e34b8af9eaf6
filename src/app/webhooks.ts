import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { WebhookDeliverer } from '../delivery/webhooks/deliver.ts'
import { Poster } from '../net/post.ts'
import type { Services } from './compose.ts'
import type { NetworkSettings } from './delivery.ts'

interface Deps {
  clock: Clock
  log: Log
  /** How many processes share the endpoints. */
  processes: () => number
  outside: Partial<NetworkSettings>
}

/** As long as the specification lets a receiver take. */
const ANSWER_WITHIN_MS = 5_000

/** The deliverer of webhooks, with its way to the outside. */
export function webhookDeliverer(
  { dns, egress, webhookDeliveries }: Services,
  { clock, log, processes, outside: { authorities } }: Deps,
) {
  const poster = new Poster({ dns, egress, timeoutMs: ANSWER_WITHIN_MS, ...(authorities ? { authorities } : {}) })
  const deliverer = new WebhookDeliverer({
    deliveries: webhookDeliveries,
    poster,
    log,
    clock,
    random: Math.random,
    processes,
  })
  return { deliverer, poster }
}
