import { Type, type Static } from 'typebox'
import type { ProjectId, TemplateId } from '../../core/ids.ts'
import {
  Deleted,
  IdOf,
  listQuery,
  Name,
  named,
  Nullable,
  OneLine,
  PageOf,
  saying,
  Timestamp,
} from '../../shapes/shapes.ts'

const VariableView = named(
  'TemplateVariable',
  Type.Object({ name: Type.String(), required: Type.Boolean(), fallback: Nullable(Type.String()) }),
)

export type TemplateVariable = Static<typeof VariableView>

export const TemplateView = named(
  'Template',
  Type.Object({
    id: IdOf('tpl'),
    name: Type.String(),
    alias: Nullable(Type.String()),
    subject: Type.String(),
    html: Type.String(),
    text: Type.String(),
    variables: Type.Array(VariableView),
    starter: Nullable(Type.String({ description: 'The starter that it was made from.' })),
    version: Type.Integer(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)

export type TemplateView = Static<typeof TemplateView>

export const TemplatePage = PageOf(TemplateView)

export const DeletedTemplate = named('DeletedTemplate', Deleted('tpl'))

export type DeletedTemplate = Static<typeof DeletedTemplate>

/** Never of the form of an id: a send names a template by either. */
const Alias = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^(?!tpl_)[A-Za-z0-9][A-Za-z0-9._-]*$',
  description: 'What a send can call it by; unique in the project.',
  ...saying('must be made of letters, digits, ., _ and -, and not begin like an id; for example welcome-mail'),
})

const Variable = named(
  'TemplateVariableInput',
  Type.Object(
    {
      name: Type.String({
        minLength: 1,
        maxLength: 100,
        // JSON has no field `__proto__` here, so a variable of that name could never be given.
        pattern: '^(?!(.*\\.)?__proto__(\\.|$))[A-Za-z_][A-Za-z0-9_-]*(\\.[A-Za-z_][A-Za-z0-9_-]*)*$',
        description: 'As the template reads it: `firstName`, `order.total`.',
        ...saying('must be the name of a variable, like firstName or order.total'),
      }),
      required: Type.Optional(Type.Boolean({ description: 'Whether a send without it is refused.' })),
      fallback: Type.Optional(
        Nullable(Type.String({ maxLength: 10_000, description: 'What stands in for it when a send leaves it out.' })),
      ),
    },
    { additionalProperties: false },
  ),
)

const fields = {
  alias: Type.Optional(Nullable(Alias)),
  // One line: it becomes a header field.
  subject: Type.Optional(Type.String({ maxLength: 5_000, ...OneLine })),
  html: Type.Optional(Type.String({ maxLength: 1_000_000 })),
  text: Type.Optional(Type.String({ maxLength: 1_000_000 })),
  variables: Type.Optional(Type.Array(Variable, { maxItems: 200 })),
}

export const CreateTemplate = named(
  'CreateTemplate',
  Type.Object(
    { name: Name, ...fields },
    {
      additionalProperties: false,
      examples: [
        {
          name: 'Order shipped',
          subject: 'Order {{ number }} has shipped',
          html: '<p>Dear {{ name }}, it is on its way.</p>',
        },
      ],
    },
  ),
)

export type CreateTemplate = Static<typeof CreateTemplate>

export const UpdateTemplate = named(
  'UpdateTemplate',
  Type.Object(
    { name: Type.Optional(Name), ...fields },
    { additionalProperties: false, examples: [{ subject: 'Your order {{ number }} has shipped' }] },
  ),
)

export type UpdateTemplate = Static<typeof UpdateTemplate>

export const ListTemplates = Type.Object(
  { ...listQuery, alias: Type.Optional(Type.String({ maxLength: 100 })) },
  { additionalProperties: false },
)

export type ListTemplates = Static<typeof ListTemplates>

export const SeedTemplates = named(
  'SeedTemplates',
  Type.Object(
    {
      reset: Type.Optional(
        Type.Boolean({ description: 'Whether starters that were edited are put back as they were.' }),
      ),
    },
    { additionalProperties: false },
  ),
)

export type SeedTemplates = Static<typeof SeedTemplates>

export const SeededView = named(
  'SeededTemplates',
  Type.Object(
    {
      created: Type.Integer({ description: 'How many were missing.' }),
      restored: Type.Integer({ description: 'How many were put back as they were.' }),
      data: Type.Array(TemplateView, { description: 'All starters of the project.' }),
    },
    { description: 'The starters of the project, and how many of them are new.' },
  ),
)

export type SeededView = Static<typeof SeededView>

export const PreviewTemplate = named(
  'PreviewTemplate',
  Type.Object(
    { variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())) },
    { additionalProperties: false, examples: [{ variables: { number: 1042, name: 'Ada' } }] },
  ),
)

export type PreviewTemplate = Static<typeof PreviewTemplate>

export const PreviewView = named(
  'TemplatePreview',
  Type.Object({ subject: Type.String(), html: Type.String(), text: Type.String() }),
)

export type PreviewView = Static<typeof PreviewView>

export interface Template {
  id: TemplateId
  projectId: ProjectId
  name: string
  alias: string | null
  subject: string
  html: string
  text: string
  variables: TemplateVariable[]
  starter: string | null
  version: number
  createdAt: Date
  updatedAt: Date
}
