// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface Template {
  id: string
  projectId: string
  name: string
  alias: string | null
  subject: string
  html: string
  text: string
  variables: TemplateVariable[]
  /** The starter that it was made from. */
  starter: string | null
  version: number
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

export interface TemplatePage {
  data: Template[]
  hasMore: boolean
  nextCursor: string | null
}

export interface TemplateVariable {
  name: string
  required: boolean
  fallback: string | null
}

export interface CreateTemplate {
  name: string
  /** What a send can call it by; unique in the project. */
  alias?: string | null
  subject?: string
  html?: string
  text?: string
  variables?: TemplateVariableInput[]
}

export interface TemplateVariableInput {
  /** As the template reads it: `firstName`, `order.total`. */
  name: string
  /** Whether a send without it is refused. */
  required?: boolean
  /** What stands in for it when a send leaves it out. */
  fallback?: string | null
}

export interface UpdateTemplate {
  name?: string
  /** What a send can call it by; unique in the project. */
  alias?: string | null
  subject?: string
  html?: string
  text?: string
  variables?: TemplateVariableInput[]
}

export interface DeletedTemplate {
  id: string
  deleted: true
}

export interface SeedTemplates {
  /** Whether starters that were edited are put back as they were. */
  reset?: boolean
}

/** The starters of the project, and how many of them are new. */
export interface SeededTemplates {
  /** How many were missing. */
  created: number
  /** How many were put back as they were. */
  restored: number
  /** All starters of the project. */
  data: Template[]
}

export interface PreviewTemplate {
  variables?: Record<string, unknown>
}

export interface TemplatePreview {
  subject: string
  html: string
  text: string
}
