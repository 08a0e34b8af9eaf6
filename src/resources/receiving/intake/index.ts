export { networkOf } from './daily-limits.ts'
export { Intake } from './service.ts'
export { DEFER_MS, processDeferred, processReceived } from './process-jobs.ts'
