export { Audiences } from './service.ts'
