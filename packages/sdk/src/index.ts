export * from './client.ts'
export * from './contract/index.ts'
export * from './door.ts'
export { ApiError, NetworkError } from './errors.ts'
