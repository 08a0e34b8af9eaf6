import { keepEvents } from '../events/retention.ts'
import { forgetOldIdempotencyKeys } from '../http/idempotency.ts'
import { define, jobKind, type JobDefinition } from '../jobs/define.ts'
import { forgetEndedJobs } from '../jobs/forget-ended.ts'
import { domainJobs } from '../resources/domains/index.ts'
import { emailJobs } from '../resources/emails/index.ts'
import { webhookJobs } from '../resources/webhooks/index.ts'
import type { Database } from '../storage/postgres.ts'
import { sweepBlobs } from '../storage/sweep-blobs.ts'
import type { House } from './compose.ts'

/** Every kind of background work with its handler. Two of one name keep the worker from starting. */
export const allJobs = (db: Database, house: House): JobDefinition[] => [
  forgetEndedJobs(db),
  define(jobKind('http.forget-idempotency-keys'), async () => void (await forgetOldIdempotencyKeys(db)), {
    cron: '17 * * * *',
  }),
  ...domainJobs(house.domains),
  ...emailJobs(house.deliveries, house.retention),
  ...webhookJobs(house.webhooks, house.config.retainWebhookDeliveriesDays),
  define(
    jobKind('storage.sweep-blobs'),
    (_, { signal }) => sweepBlobs(house.vault.blobs, [(addresses) => house.retention.usedBlobs(addresses)], signal),
    { cron: '23 4 * * *' },
  ),
  define(jobKind('events.keep'), () => keepEvents(db, house.config.retainEventsDays), { cron: '31 2 * * *' }),
]
