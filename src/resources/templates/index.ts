export {
  askedBy,
  deliveredFor,
  TemplatePostponed,
  type ForWhom,
  type RenderAnswers,
  type Renderer,
  type RenderOutcome,
  type RenderQuestion,
} from './renderer.ts'
export { templateRoutes } from './routes.ts'
export type { TemplateVariable } from './schema.ts'
export { Templates } from './service.ts'
