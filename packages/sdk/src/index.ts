export * from './client.ts'
export * from './contract.ts'
export * from './door.ts'
export { ApiError, NetworkError } from './errors.ts'
