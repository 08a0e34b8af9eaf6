export { templateRoutes } from './routes.ts'
export { Templates } from './service.ts'
