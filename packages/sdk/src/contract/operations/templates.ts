// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  Template,
  TemplatePage,
  CreateTemplate,
  UpdateTemplate,
  DeletedTemplate,
  SeedTemplates,
  SeededTemplates,
  PreviewTemplate,
  TemplatePreview,
} from '../shapes/templates.ts'

export interface TemplatesOperations {
  /** List the project's templates. */
  'GET /templates': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      alias?: string
    }
    body: undefined
    reply: TemplatePage
    scope: 'templates:write'
    context: 'project'
    reads: true
  }
  /** Create a template. Its parts are written in a subset of Liquid. */
  'POST /templates': {
    params: undefined
    query: undefined
    body: CreateTemplate
    reply: Template
    scope: 'templates:write'
    context: 'project'
  }
  /** Read one template. */
  'GET /templates/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Template
    scope: 'templates:write'
    context: 'project'
    reads: true
  }
  /** Change a template. Every change is a new version. */
  'PATCH /templates/:id': {
    params: { id: string }
    query: undefined
    body: UpdateTemplate
    reply: Template
    scope: 'templates:write'
    context: 'project'
  }
  /** Delete a template. Mail that was made from it stays as it is. */
  'DELETE /templates/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: DeletedTemplate
    scope: 'templates:write'
    context: 'project'
  }
  /** Make the starter templates that are missing. */
  'POST /templates/starters': {
    params: undefined
    query: SeedTemplates
    body: undefined
    reply: SeededTemplates
    scope: 'templates:write'
    context: 'project'
  }
  /** Show what a message made from this template would say. */
  'POST /templates/:id/preview': {
    params: { id: string }
    query: undefined
    body: PreviewTemplate
    reply: TemplatePreview
    scope: 'templates:write'
    context: 'project'
    reads: true
  }
}
