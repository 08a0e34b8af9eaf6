export { KeyIdentifier } from './identify.ts'
export { Keys, operator } from './service.ts'
