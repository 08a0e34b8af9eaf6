export { audienceRoutes } from './routes.ts'
export { Audiences } from './service.ts'
