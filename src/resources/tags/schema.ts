import { Type, type Static } from 'typebox'
import type { ErrorCode } from '../../core/errors.ts'
import type { ProjectId, TagId } from '../../core/ids.ts'
import { Deleted, EmailInput, IdOf, listQuery, named, PageOf, saying, Timestamp, VISIBLE } from '../../shapes/shapes.ts'

export const TagView = named(
  'ContactTag',
  Type.Object({
    id: IdOf('tag'),
    name: Type.String(),
    contactCount: Type.Integer({ description: 'How many people have it, each counted once.' }),
    createdAt: Timestamp,
  }),
)

export type TagView = Static<typeof TagView>

export const TagPage = PageOf(TagView)

export const DeletedTag = named('DeletedContactTag', Deleted('tag'))

export type DeletedTag = Static<typeof DeletedTag>

export const ListTags = Type.Object(listQuery, { additionalProperties: false })

/** The name of a tag; imports take the same names. */
const TagName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]+$',
  description: 'Unique in the project; upper and lower case are the same.',
  ...saying(VISIBLE),
})

export const CreateTag = named(
  'CreateContactTag',
  Type.Object({ name: TagName }, { additionalProperties: false, examples: [{ name: 'customer' }] }),
)

export type CreateTag = Static<typeof CreateTag>

export const UpdateTag = named(
  'UpdateContactTag',
  Type.Object(
    { name: Type.Optional(TagName) },
    { additionalProperties: false, examples: [{ name: 'regular customer' }] },
  ),
)

export type UpdateTag = Static<typeof UpdateTag>

const MAX_EMAILS = 1_000

const emails = Type.Optional(
  Type.Array(EmailInput, {
    minItems: 1,
    maxItems: MAX_EMAILS,
    description: 'Instead of `email`: many at once, each with a result of its own.',
  }),
)

/** The people that the call is about: `email` or `emails`. */
export const TagContacts = named(
  'TagContacts',
  Type.Object({ email: Type.Optional(EmailInput), emails }, { additionalProperties: false }),
)

export type TagContacts = Static<typeof TagContacts>

/** The address may stand in the query too: many clients cannot send a body with DELETE. */
export const UntagQuery = Type.Object({ email: Type.Optional(EmailInput) }, { additionalProperties: false })

const Refused = named(
  'ContactTagRefusal',
  Type.Object({ email: Type.String(), error: Type.String(), code: Type.Unsafe<ErrorCode>({ type: 'string' }) }),
)

const resultsWith = <const Word extends 'applied' | 'removed'>(word: Word, name: Capitalize<Word>) =>
  Type.Union(
    [
      named(`ContactTag${name}`, Type.Object({ tagId: IdOf('tag'), email: Type.String(), [word]: Type.Boolean() })),
      named(
        `ContactTag${name}ToMany`,
        Type.Object({
          tagId: IdOf('tag'),
          data: Type.Array(
            Type.Union([
              named(`ContactTag${name}Result`, Type.Object({ email: Type.String(), [word]: Type.Boolean() })),
              Refused,
            ]),
            { description: 'One for each of `emails`, in their order.' },
          ),
        }),
      ),
    ],
    { description: 'What came of it for the one address, or for each of several.' },
  )

export const AppliedView = resultsWith('applied', 'Applied')

export type AppliedView = Static<typeof AppliedView>

export const RemovedView = resultsWith('removed', 'Removed')

export type RemovedView = Static<typeof RemovedView>

export interface Tag {
  id: TagId
  projectId: ProjectId
  name: string
  contactCount: number
  createdAt: Date
}
