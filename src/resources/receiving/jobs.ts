import { define, jobKind, type JobDefinition } from '../../jobs/define.ts'
import { processDeferred, processReceived } from './intake/index.ts'
import type { ReceivingDomains } from './domains.ts'
import type { ReceivedEmails } from './emails.ts'
import type { ReceivedProcessor } from './processor.ts'

export const receivingJobs = (
  domains: ReceivingDomains,
  emails: ReceivedEmails,
  processor: ReceivedProcessor,
): JobDefinition[] => [
  define(jobKind('receiving.check-due', { attempts: 1 }), (_, { signal }) => domains.checkDue(signal), {
    cron: '* * * * *',
    catchUpMs: 0,
  }),
  define(processReceived, ({ messages }) => processor.processAll(messages)),
  // Once a minute as well, should its job be lost.
  define(processDeferred, () => processor.processDeferred(), { cron: '* * * * *', catchUpMs: 0 }),
  define(jobKind('receiving.read-leftovers'), () => processor.processLeftovers(), { cron: '41 * * * *' }),
  define(jobKind('receiving.purge'), (_, { signal }) => emails.purge(signal), { cron: '*/10 * * * *' }),
]
