export { domainReportJobs } from './jobs.ts'
export { DomainReports } from './service.ts'
