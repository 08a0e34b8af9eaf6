export {
  askedBy,
  deliveredFor,
  TemplatePostponed,
  type RenderContext,
  type RenderAnswers,
  type Renderer,
  type RenderOutcome,
  type RenderQuestion,
} from './renderer.ts'
export type { TemplateVariable } from './schema.ts'
export { Templates, type TemplateHooks } from './service.ts'
