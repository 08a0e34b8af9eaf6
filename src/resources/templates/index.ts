export type { FillableTemplate, TemplateParts } from './content.ts'
export { templateRoutes } from './routes.ts'
export type { TemplateVariable } from './schema.ts'
export { Templates } from './service.ts'
