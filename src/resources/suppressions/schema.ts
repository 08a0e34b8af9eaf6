import { Type, type Static } from 'typebox'
import type { EmailId, ProjectId, SuppressionId } from '../../core/ids.ts'
import {
  Deleted,
  EmailAddress,
  EmailInput,
  IdOf,
  listQuery,
  named,
  Nullable,
  PageOf,
  Timestamp,
  TimestampInput,
} from '../../shapes/shapes.ts'

export const suppressionReasons = ['bounce', 'spam', 'manual'] as const

export type SuppressionReason = (typeof suppressionReasons)[number]

export const SuppressionView = named(
  'Suppression',
  Type.Object({
    id: IdOf('sup'),
    email: EmailAddress,
    reason: Type.Enum(suppressionReasons),
    messageId: Nullable(IdOf('em')),
    note: Nullable(Type.String()),
    createdAt: Timestamp,
  }),
)

export type SuppressionView = Static<typeof SuppressionView>

export const SuppressionPage = PageOf(SuppressionView)

export const ListSuppressions = Type.Object(
  {
    ...listQuery,
    email: Type.Optional(EmailInput),
    reason: Type.Optional(Type.Enum(suppressionReasons)),
    createdAfter: Type.Optional(TimestampInput),
  },
  { additionalProperties: false },
)

export type ListSuppressions = Static<typeof ListSuppressions>

const Note = Type.String({ maxLength: 1_000 })

export const AddSuppression = named(
  'AddSuppression',
  Type.Object({ email: EmailInput, note: Type.Optional(Note) }, { additionalProperties: false }),
)

export type AddSuppression = Static<typeof AddSuppression>

/** The address may stand in the query too: many clients cannot send a body with DELETE. */
export const RemoveSuppressionQuery = Type.Object({ email: Type.Optional(EmailInput) }, { additionalProperties: false })

export const RemoveSuppression = named(
  'RemoveSuppression',
  Type.Object(
    {
      email: Type.Optional(EmailInput),
      confirmedOptIn: Type.Optional(
        Type.Boolean({ description: 'That the person asked for mail again; kept in the audit log.' }),
      ),
      note: Type.Optional(Note),
    },
    { additionalProperties: false },
  ),
)

export type RemoveSuppression = Static<typeof RemoveSuppression>

export const RemovedSuppressionView = named('DeletedSuppression', Deleted('sup'))

export type RemovedSuppressionView = Static<typeof RemovedSuppressionView>

export interface Suppression {
  id: SuppressionId
  projectId: ProjectId
  email: string
  reason: SuppressionReason
  messageId: EmailId | null
  note: string | null
  createdAt: Date
}
