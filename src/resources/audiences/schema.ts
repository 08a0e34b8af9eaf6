import { Type, type Static } from 'typebox'
import type { AudienceId, ProjectId } from '../../core/ids.ts'
import { Deleted, IdOf, listQuery, Name, named, Nullable, PageOf, Timestamp } from '../../shapes/shapes.ts'

const CountsView = named(
  'AudienceCounts',
  Type.Object({
    total: Type.Integer(),
    subscribed: Type.Integer(),
    unsubscribed: Type.Integer(),
  }),
)

export const AudienceView = named(
  'Audience',
  Type.Object({
    id: IdOf('aud'),
    name: Type.String(),
    description: Nullable(Type.String()),
    counts: CountsView,
    createdAt: Timestamp,
  }),
)

export type AudienceView = Static<typeof AudienceView>

export const AudiencePage = PageOf(AudienceView)

export const DeletedAudience = named('DeletedAudience', Deleted('aud'))

export type DeletedAudience = Static<typeof DeletedAudience>

export const ListAudiences = Type.Object(listQuery, { additionalProperties: false })

const Description = Nullable(Type.String({ maxLength: 2_000 }))

export const CreateAudience = named(
  'CreateAudience',
  Type.Object(
    { name: Name, description: Type.Optional(Description) },
    { additionalProperties: false, examples: [{ name: 'Newsletter' }] },
  ),
)

export type CreateAudience = Static<typeof CreateAudience>

export const UpdateAudience = named(
  'UpdateAudience',
  Type.Object(
    { name: Type.Optional(Name), description: Type.Optional(Description) },
    { additionalProperties: false, examples: [{ description: 'Once a month.' }] },
  ),
)

export type UpdateAudience = Static<typeof UpdateAudience>

export interface Audience {
  id: AudienceId
  projectId: ProjectId
  name: string
  description: string | null
  total: number
  subscribed: number
  createdAt: Date
}
