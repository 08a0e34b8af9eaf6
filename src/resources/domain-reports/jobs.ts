import { define, jobKind, type JobDefinition } from '../../jobs/define.ts'
import { nameReportSources } from './job-kinds.ts'
import type { DomainReports } from './service.ts'

export const domainReportJobs = (reports: DomainReports): JobDefinition[] => [
  // Every ten minutes as well, for those whose time has come again.
  define(nameReportSources, (_, { signal }) => reports.nameSources(signal), { cron: '*/10 * * * *', catchUpMs: 0 }),
  define(jobKind('domain-reports.forget'), () => reports.forget(), { cron: '53 3 * * *' }),
]
