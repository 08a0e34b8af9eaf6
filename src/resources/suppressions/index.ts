export { suppressionRoutes } from './routes.ts'
export type { Suppression } from './schema.ts'
export { Suppressions } from './service.ts'
