export { statisticsJobs } from './jobs.ts'
export { Statistics } from './service.ts'
export { countAccepted, countEvents, countTried } from './store/count.ts'
