export { Reception } from './service.ts'
export { readReceived } from './process-job.ts'
