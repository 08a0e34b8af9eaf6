export { Reception } from './service.ts'
export { readReceived, readRush, RUSH_MS } from './unread.ts'
