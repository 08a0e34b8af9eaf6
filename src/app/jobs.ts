import { keepEvents } from '../events/retention.ts'
import { forgetOldIdempotencyKeys } from '../http/idempotency.ts'
import { define, jobKind, type JobDefinition } from '../jobs/define.ts'
import { forgetEndedJobs } from '../jobs/forget-ended.ts'
import { automationJobs } from '../resources/automations/index.ts'
import { broadcastJobs } from '../resources/broadcasts/index.ts'
import { contactJobs } from '../resources/contacts/index.ts'
import { domainJobs } from '../resources/domains/index.ts'
import { emailJobs } from '../resources/emails/index.ts'
import { receivingJobs } from '../resources/receiving/index.ts'
import { smsJobs } from '../resources/sms/index.ts'
import { tagJobs } from '../resources/tags/index.ts'
import { webhookJobs } from '../resources/webhooks/index.ts'
import type { Database } from '../storage/postgres.ts'
import { sweepBlobs, type UsedBlobs } from '../storage/sweep-blobs.ts'
import type { House } from './compose.ts'

/** Every kind of background work with its handler. Two of one name keep the worker from starting. */
export const allJobs = (db: Database, house: House): JobDefinition[] => [
  forgetEndedJobs(db),
  define(jobKind('http.forget-idempotency-keys'), async () => void (await forgetOldIdempotencyKeys(db)), {
    cron: '17 * * * *',
  }),
  ...domainJobs(house.domains),
  ...contactJobs(db, house.contacts, house.imports),
  ...tagJobs(db, house.tags),
  ...emailJobs(house.deliveries, house.retention),
  ...broadcastJobs(house.sendingBroadcasts),
  ...automationJobs(db, house.automations),
  ...webhookJobs(house.webhooks, house.config.retainWebhookDeliveriesDays),
  ...receivingJobs(house.receivingDomains, house.receivedEmails, house.reading),
  ...smsJobs(house.sms.housekeeping),
  define(jobKind('storage.sweep-blobs'), (_, { signal }) => sweepBlobs(house.vault.blobs, blobOwners(house), signal), {
    cron: '23 4 * * *',
  }),
  define(jobKind('events.keep'), () => keepEvents(db, house.config.retainEventsDays), { cron: '31 2 * * *' }),
]

/** Everybody who keeps blobs: what none of them knows is deleted. */
const blobOwners = ({ retention, receivedEmails }: House): UsedBlobs[] => [
  (addresses) => retention.usedBlobs(addresses),
  (addresses) => receivedEmails.usedBlobs(addresses),
]
