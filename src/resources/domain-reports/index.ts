export { domainReportJobs } from './jobs.ts'
export { DomainReports } from './service.ts'
export type { ReadTls, TlsView } from './schema.ts'
