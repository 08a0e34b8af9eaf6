export type { Suppression } from './schema.ts'
export { Suppressions } from './service.ts'
