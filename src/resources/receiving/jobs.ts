import { define, jobKind, type JobDefinition } from '../../jobs/define.ts'
import { readReceived } from './intake/index.ts'
import type { ReceivingDomains } from './domains.ts'
import type { ReceivedEmails } from './emails.ts'
import type { Reading } from './processor.ts'

export const receivingJobs = (domains: ReceivingDomains, emails: ReceivedEmails, reading: Reading): JobDefinition[] => [
  define(jobKind('receiving.check-due', { attempts: 1 }), (_, { signal }) => domains.checkDue(signal), {
    cron: '* * * * *',
    catchUpMs: 0,
  }),
  define(readReceived, ({ messages }) => reading.readAll(messages)),
  define(jobKind('receiving.read-leftovers'), () => reading.readLeftovers(), { cron: '41 * * * *' }),
  define(jobKind('receiving.purge'), (_, { signal }) => emails.purge(signal), { cron: '*/10 * * * *' }),
]
