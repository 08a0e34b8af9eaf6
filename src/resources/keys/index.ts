export { KeyIdentifier } from './identify.ts'
export { keyRoutes } from './routes.ts'
export { Keys, operator } from './service.ts'
