export { countAccepted, countEvents, countTried } from './counting.ts'
export { statisticsJobs } from './jobs.ts'
export { Statistics } from './service.ts'
export { presentMinute } from './store/numbers.ts'
