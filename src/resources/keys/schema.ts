import { Type, type Static } from 'typebox'
import type { KeyId, PersonId, ProjectId, WorkspaceId } from '../../core/ids.ts'
import { contentAccesses, scopes, type ContentAccess, type Scope } from '../../core/scopes.ts'
import {
  Deleted,
  IdInput,
  IdOf,
  listQuery,
  Name,
  named,
  Nullable,
  PageOf,
  Timestamp,
  TimestampInput,
} from '../../shapes/shapes.ts'

/** `*` stands for full access: every scope, those of later versions included. */
const ScopeOrAll = named('Scope', Type.Enum(['*', ...scopes]))

const ContentAccess = named(
  'ContentAccess',
  Type.Enum(contentAccesses, {
    description:
      'Of which emails the key sees subject, bodies, variables, headers, attachments and the targets of clicked links: all ' +
      'of them, those that it sent itself, or none. It sees the status of all of them.',
  }),
)

const keyFields = {
  id: IdOf('key'),
  name: Type.String(),
  fullAccess: Type.Boolean(),
  scopes: Type.Array(ScopeOrAll),
  contentAccess: ContentAccess,
  projectId: Nullable(IdOf('prj')),
  prefix: Type.String(),
  last4: Type.String(),
  createdBy: Nullable(
    Type.String({
      pattern: '^(key|per)_[0-7][0-9a-hjkmnp-tv-z]{25}$',
      description: 'The key or the person that made it; null for one of the command line.',
    }),
  ),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
  expiresAt: Nullable(Timestamp),
  revokedAt: Nullable(Timestamp),
}

export const KeyView = named('ApiKey', Type.Object(keyFields))

export type KeyView = Static<typeof KeyView>

export const CreatedKeyView = named(
  'CreatedApiKey',
  Type.Object({
    ...keyFields,
    secret: Type.String({ description: 'Shown here and never again.' }),
  }),
)

export type CreatedKeyView = Static<typeof CreatedKeyView>

export const KeyPage = PageOf(KeyView)

export const RevokedKeyView = named(
  'RevokedApiKey',
  Type.Object({
    ...Deleted('key').properties,
    revokedCount: Type.Optional(
      Type.Integer({ description: 'With `family=true`: how many keys stopped working with this call.' }),
    ),
  }),
)

export type RevokedKeyView = Static<typeof RevokedKeyView>

export const ListKeys = Type.Object(
  { ...listQuery, revoked: Type.Optional(Type.Boolean({ description: 'Whether to list the revoked keys instead.' })) },
  { additionalProperties: false },
)

export const RevokeKey = Type.Object(
  {
    family: Type.Optional(
      Type.Boolean({ description: 'Also revoke the keys that it made, and those that they made.' }),
    ),
  },
  { additionalProperties: false },
)

export const CreateKey = named(
  'CreateApiKey',
  Type.Object(
    {
      name: Name,
      scopes: Type.Optional(Type.Array(ScopeOrAll, { minItems: 1, maxItems: scopes.length + 1 })),
      fullAccess: Type.Optional(Type.Boolean()),
      contentAccess: Type.Optional(ContentAccess),
      projectId: Type.Optional(Nullable(IdInput('prj'))),
      expiresAt: Type.Optional(Nullable(TimestampInput)),
    },
    { additionalProperties: false, examples: [{ name: 'Website', scopes: ['email:send'], contentAccess: 'none' }] },
  ),
)

export type CreateKey = Static<typeof CreateKey>

export interface Key {
  id: KeyId
  workspaceId: WorkspaceId
  projectId: ProjectId | null
  name: string
  fullAccess: boolean
  scopes: Scope[]
  contentAccess: ContentAccess
  last4: string
  createdBy: KeyId | null
  createdByPerson: PersonId | null
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
}
