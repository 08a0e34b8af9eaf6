export { projectRoutes } from './routes.ts'
export { Projects } from './service.ts'
