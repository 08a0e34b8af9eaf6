export { Live } from './service.ts'
