export { Intake } from './service.ts'
export { processReceived } from './process-job.ts'
