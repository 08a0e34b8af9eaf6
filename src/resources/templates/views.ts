import { encodeId } from '../../core/ids.ts'
import type { Template, TemplateView } from './schema.ts'

export const templateView = (template: Template): TemplateView => ({
  id: encodeId('tpl', template.id),
  name: template.name,
  alias: template.alias,
  subject: template.subject,
  html: template.html,
  text: template.text,
  variables: template.variables,
  starter: template.starter,
  version: template.version,
  createdAt: template.createdAt.toISOString(),
  updatedAt: template.updatedAt.toISOString(),
})
