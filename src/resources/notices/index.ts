export { Notices } from './service.ts'
