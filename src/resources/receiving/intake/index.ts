export { Reception } from './service.ts'
export { readReceived } from './unread.ts'
