import { Type, type Static } from 'typebox'
import type { Id, KeyId, PersonId, ProjectId } from '../../core/ids.ts'
import {
  IdInput,
  IdOf,
  listQuery,
  named,
  Nullable,
  PageOf,
  saying,
  Timestamp,
  TimestampInput,
} from '../../shapes/shapes.ts'

const actorTypes = ['key', 'person', 'operator', 'recipient'] as const

const filters = {
  actor: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Who did it: the id of a key or of a person, `operator`, or `recipient` for links in mail.',
    }),
  ),
  action: Type.Optional(
    Type.String({
      pattern: '^[a-z_]+(\\.[a-z_]*)?$',
      maxLength: 100,
      description: 'An action such as `key.revoked`, or the part before its dot for all of them: `key`.',
      ...saying('must be an action such as key.revoked, or the part before its dot'),
    }),
  ),
  subject: Type.Optional(Type.String({ maxLength: 100, description: 'The id of what it was done to.' })),
  projectId: Type.Optional(IdInput('prj')),
  requestId: Type.Optional(Type.String({ maxLength: 100, description: 'The `X-Request-Id` of the call.' })),
  after: Type.Optional(TimestampInput),
  before: Type.Optional(TimestampInput),
}

export const ListAudit = Type.Object({ ...listQuery, ...filters }, { additionalProperties: false })

export type ListAudit = Static<typeof ListAudit>

export const exportFormats = ['csv', 'ndjson'] as const

export type ExportFormat = (typeof exportFormats)[number]

export const ExportAudit = Type.Object(
  { ...filters, format: Type.Optional(Type.Enum(exportFormats, { description: 'csv if omitted.' })) },
  { additionalProperties: false },
)

export type ExportAudit = Static<typeof ExportAudit>

export const EntryView = named(
  'AuditEntry',
  Type.Object({
    id: IdOf('log'),
    at: Timestamp,
    actor: named(
      'AuditActor',
      Type.Object({
        type: Type.Enum(actorTypes),
        id: Nullable(Type.String({ description: 'Of a key or a person.' })),
        name: Nullable(Type.String()),
      }),
    ),
    action: Type.String({ examples: ['broadcast.paused'] }),
    subject: Type.String({ description: 'The id of what it was done to.' }),
    subjectName: Nullable(Type.String({ description: 'Its name today, or the name that it had.' })),
    projectId: Nullable(IdOf('prj')),
    requestId: Nullable(Type.String()),
    details: Type.Record(Type.String(), Type.Unknown()),
    sentence: Type.String({
      description: 'The same in words, to follow the name of the actor.',
      examples: ['paused the broadcast Teapots'],
    }),
  }),
)

export type EntryView = Static<typeof EntryView>

export const EntryPage = PageOf(EntryView)

/** An entry as it is stored, with the names of today. */
export interface EntryRow {
  id: Id<'log'>
  at: Date
  actor: (typeof actorTypes)[number]
  keyId: KeyId | null
  personId: PersonId | null
  actorName: string | null
  action: string
  subject: string
  projectId: ProjectId | null
  requestId: string | null
  details: Record<string, unknown>
}

/** A filter that was read. */
export interface EntryFilter {
  actor: { keyId?: KeyId; personId?: PersonId; type?: string } | undefined
  /** A whole action, or the beginning of several. */
  action: { exact: string } | { area: string } | undefined
  subject: string | undefined
  requestId: string | undefined
  /** Undefined for the whole workspace. */
  projects: readonly ProjectId[] | undefined
  after: Date | undefined
  before: Date | undefined
}
