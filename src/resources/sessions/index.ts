export { SessionIdentifier } from './identify.ts'
export { sessionJobs } from './jobs.ts'
export { Sessions, type StartedSession } from './service.ts'
