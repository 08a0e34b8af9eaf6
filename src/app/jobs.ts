import { forgetDialogues } from '../events/dialogues.ts'
import { keepEvents } from '../events/retention.ts'
import { forgetOldIdempotencyKeys } from '../storage/idempotency.ts'
import { define, jobKind, type JobDefinition } from '../jobs/define.ts'
import { forgetEndedJobs } from '../jobs/forget-ended.ts'
import { automationJobs } from '../resources/automations/index.ts'
import { broadcastJobs } from '../resources/broadcasts/index.ts'
import { contactJobs } from '../resources/contacts/index.ts'
import { domainReportJobs } from '../resources/domain-reports/index.ts'
import { domainJobs } from '../resources/domains/index.ts'
import { emailJobs } from '../resources/emails/index.ts'
import { peopleJobs } from '../resources/people/index.ts'
import { queueJobs } from '../resources/queue/index.ts'
import { receivingJobs } from '../resources/receiving/index.ts'
import { sessionJobs } from '../resources/sessions/index.ts'
import { smsJobs } from '../resources/sms/index.ts'
import { statisticsJobs } from '../resources/statistics/index.ts'
import { tagJobs } from '../resources/tags/index.ts'
import { webhookJobs } from '../resources/webhooks/index.ts'
import type { Database } from '../storage/postgres.ts'
import { sweepBlobs, type UsedBlobs } from '../storage/sweep-blobs.ts'
import type { Services } from './compose.ts'

/** Every kind of background work with its handler. Two of one name keep the worker from starting. */
export const allJobs = (db: Database, services: Services): JobDefinition[] => [
  forgetEndedJobs(db),
  define(jobKind('http.forget-idempotency-keys'), async () => void (await forgetOldIdempotencyKeys(db)), {
    cron: '17 * * * *',
  }),
  ...sessionJobs(services.sessions),
  ...peopleJobs(services.people),
  ...domainJobs(services.domains),
  ...domainReportJobs(services.domainReports),
  ...contactJobs(db, services.contacts, services.imports),
  ...tagJobs(db, services.tags),
  ...emailJobs(services.deliveries, services.retention),
  ...broadcastJobs(services.sendingBroadcasts),
  ...automationJobs(db, services.automations),
  ...webhookJobs(services.webhooks, services.config.retainWebhookDeliveriesDays),
  ...receivingJobs(services.receivingDomains, services.receivedEmails, services.receivedProcessor),
  ...smsJobs(services.sms.housekeeping),
  ...queueJobs(services.queue, services.queueReports),
  ...statisticsJobs(services.statistics),
  define(
    jobKind('storage.sweep-blobs'),
    (_, { signal }) => sweepBlobs(services.vault.blobs, blobOwners(services), signal),
    {
      cron: '23 4 * * *',
    },
  ),
  define(jobKind('events.keep'), () => keepEvents(db, services.config.retainEventsDays), { cron: '31 2 * * *' }),
  define(jobKind('events.forget-dialogues'), () => forgetDialogues(db, services.config.retainDialoguesDays), {
    cron: '37 2 * * *',
  }),
]

/** Everybody who keeps blobs: what none of them knows is deleted. */
const blobOwners = ({ retention, receivedEmails }: Services): UsedBlobs[] => [
  (addresses) => retention.usedBlobs(addresses),
  (addresses) => receivedEmails.usedBlobs(addresses),
]
