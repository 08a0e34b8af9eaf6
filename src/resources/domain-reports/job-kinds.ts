import { jobKind } from '../../jobs/define.ts'

/** Asks the DNS about addresses that reports have named. */
export const nameReportSources = jobKind<object>('domain-reports.name-sources', { attempts: 3 })
