export { clearTag, tagJobs } from './jobs.ts'
export { Tags } from './service.ts'
