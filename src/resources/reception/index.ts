export { Reception } from './service.ts'
export { traceOf, type StoredSession } from './session.ts'
export { readReceived, readRush, RUSH_MS } from './unread.ts'
