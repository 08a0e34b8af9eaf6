import { define, jobKind, type JobDefinition } from '../../jobs/define.ts'
import type { SmsHousekeeping } from './housekeeping.ts'

export const smsJobs = (housekeeping: SmsHousekeeping): JobDefinition[] => [
  define(jobKind('sms.sweep'), () => housekeeping.sweep(), { cron: '* * * * *' }),
  define(jobKind('sms.purge-bodies'), () => housekeeping.purge(), { cron: '47 3 * * *' }),
  define(jobKind('sms.check-ledger'), () => housekeeping.checkLedger(), { cron: '7 * * * *' }),
]
