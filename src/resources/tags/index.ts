export { clearTag, tagJobs } from './jobs.ts'
export { tagRoutes } from './routes.ts'
export { Tags } from './service.ts'
