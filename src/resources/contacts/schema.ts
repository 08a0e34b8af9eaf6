import { Type, type Static } from 'typebox'
import type { AudienceId, ContactId, ImportId, ProjectId } from '../../core/ids.ts'
import {
  AnyName,
  Deleted,
  EmailAddress,
  EmailInput,
  IdOf,
  listQuery,
  named,
  Nullable,
  PageOf,
  saying,
  Timestamp,
  TimestampInput,
  VISIBLE,
} from '../../shapes/shapes.ts'
import { MAX_PROPERTIES, MAX_PROPERTY_BYTES, MAX_PROPERTY_NAME_LENGTH } from './limits.ts'

const ConsentView = named(
  'Consent',
  Type.Object({
    source: Nullable(Type.String()),
    at: Nullable(Timestamp),
    ip: Nullable(Type.String()),
    userAgent: Nullable(Type.String()),
    text: Nullable(Type.String()),
  }),
)

export type PropertyValue = string | number | boolean | (string | number | boolean | null)[]

export type Properties = Readonly<Record<string, PropertyValue>>

export const ContactView = named(
  'Contact',
  Type.Object({
    id: IdOf('con'),
    audienceId: IdOf('aud'),
    email: EmailAddress,
    firstName: Nullable(Type.String()),
    lastName: Nullable(Type.String()),
    subscribed: Type.Boolean(),
    properties: Type.Unsafe<Properties>({ type: 'object', additionalProperties: true }),
    tags: Type.Array(Type.String(), { description: "The names of the person's tags." }),
    consent: Nullable(ConsentView),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    unsubscribedAt: Nullable(Timestamp),
  }),
)

export type ContactView = Static<typeof ContactView>

export const ContactPage = PageOf(ContactView)

export const DeletedContact = named('DeletedContact', Deleted('con'))

export type DeletedContact = Static<typeof DeletedContact>

export const ListContacts = Type.Object(
  {
    ...listQuery,
    subscribed: Type.Optional(Type.Boolean()),
    tag: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "A tag's name or id." })),
    email: Type.Optional(EmailInput),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The beginning of an address, of a first name and what follows it, or of a last name.',
      }),
    ),
  },
  { additionalProperties: false },
)

export type ListContacts = Static<typeof ListContacts>

const PersonName = Nullable(
  Type.String({
    maxLength: 200,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    ...saying('must not have line breaks or other control characters'),
  }),
)

const Scalar = [Type.String({ maxLength: 10_000 }), Type.Number(), Type.Boolean(), Type.Null()]

const PropertiesInput = Type.Record(
  AnyName,
  Type.Union([...Scalar, Type.Array(Type.Union(Scalar), { maxItems: 1_000 })]),
  {
    description:
      `What else is known of the person, for templates. Those that are named are set, null removes one, all others ` +
      `stay. At most ${MAX_PROPERTIES} with names of up to ${MAX_PROPERTY_NAME_LENGTH} characters, and ${MAX_PROPERTY_BYTES / 1024} KiB as JSON.`,
  },
)

const ConsentInput = named(
  'ConsentInput',
  Type.Object(
    {
      source: Type.Optional(Type.String({ maxLength: 500 })),
      at: Type.Optional(TimestampInput),
      ip: Type.Optional(Type.String({ maxLength: 100 })),
      userAgent: Type.Optional(Type.String({ maxLength: 1_000 })),
      text: Type.Optional(Type.String({ maxLength: 10_000 })),
    },
    { additionalProperties: false, minProperties: 1, description: 'How the person asked for mail. All of it is kept.' },
  ),
)

export type ConsentInput = Static<typeof ConsentInput>

const changeable = {
  firstName: Type.Optional(PersonName),
  lastName: Type.Optional(PersonName),
  properties: Type.Optional(PropertiesInput),
  consent: Type.Optional(ConsentInput),
  subscribed: Type.Optional(Type.Boolean()),
}

export const UpsertContact = named(
  'UpsertContact',
  Type.Object(
    {
      email: EmailInput,
      ...changeable,
      optedIn: Type.Optional(Type.Boolean({ description: 'That the person asked for mail; true if omitted.' })),
    },
    {
      additionalProperties: false,
      examples: [{ email: 'ada@example.com', firstName: 'Ada', properties: { plan: 'trial' } }],
    },
  ),
)

export type UpsertContact = Static<typeof UpsertContact>

/** A row of an import: what a single call takes, and tags. */
export const ImportedContact = Type.Object(
  {
    ...UpsertContact.properties,
    tags: Type.Optional(
      Type.Array(
        Type.String({
          minLength: 1,
          maxLength: 100,
          pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]+$',
          ...saying(VISIBLE),
        }),
        { maxItems: 50 },
      ),
    ),
  },
  { additionalProperties: false },
)

export type ImportedContact = Static<typeof ImportedContact>

export const UpdateContact = named(
  'UpdateContact',
  Type.Object(changeable, {
    additionalProperties: false,
    examples: [{ lastName: 'Lovelace', properties: { plan: 'paid' } }],
  }),
)

export type UpdateContact = Static<typeof UpdateContact>

export interface Consent {
  source: string | null
  at: Date | null
  ip: string | null
  userAgent: string | null
  text: string | null
}

/** A contact as its row has it. */
export interface Contact {
  id: ContactId
  projectId: ProjectId
  audienceId: AudienceId
  email: string
  firstName: string | null
  lastName: string | null
  subscribed: boolean
  properties: Properties
  createdAt: Date
  updatedAt: Date
  unsubscribedAt: Date | null
}

/** The same with what is known of the person elsewhere. */
export interface ShownContact extends Contact {
  tags: string[]
  /** The evidence that came last. Its time is as JSON has it. */
  consent: (Omit<Consent, 'at'> & { at: string | null }) | null
}

export const importFormats = ['csv', 'ndjson'] as const

export type ImportFormat = (typeof importFormats)[number]

/** What a column holds, by its title. */
export type ColumnMap = Readonly<Record<string, string>>

const ColumnMapOf = (description: string) =>
  // Titles may have line ends in them, which a dot would not match.
  Type.Unsafe<ColumnMap>({ type: 'object', patternProperties: { '^[\\s\\S]*$': { type: 'string' } }, description })

export const ImportContacts = Type.Object(
  {
    map: Type.Optional(
      ColumnMapOf(
        'What columns of a CSV file hold, as `map[Title of the column]=field`: `email`, `firstName`, `lastName`, `tags`, ' +
          '`optedIn`, `subscribed`, `consentSource`, `consentAt`, `consentIp`, `consentUserAgent`, `consentText`, ' +
          '`properties.name` for a property of that name, `properties` for several as JSON, or `skip`. Titles are written ' +
          'as in the file. Columns that are not named here mean what their titles say.',
      ),
    ),
  },
  { additionalProperties: false },
)

export type ImportContacts = Static<typeof ImportContacts>

const importStatuses = ['queued', 'running', 'completed', 'failed'] as const

export const ImportView = named(
  'ContactImport',
  Type.Object({
    id: IdOf('imp'),
    audienceId: IdOf('aud'),
    format: Type.Enum(importFormats),
    map: Nullable(ColumnMapOf('What the caller said that columns hold.')),
    status: Type.Enum(importStatuses),
    problem: Nullable(Type.String({ description: 'Why a failed one ended early. The rows before stay imported.' })),
    bytes: Type.Integer({ description: 'The size of the file.' }),
    processedBytes: Type.Integer({ description: 'How much of it is done.' }),
    rows: named(
      'ContactImportRows',
      Type.Object({
        processed: Type.Integer(),
        created: Type.Integer({ description: 'New contacts.' }),
        updated: Type.Integer({ description: 'Contacts that were there and had something to change.' }),
        refused: Type.Integer({ description: 'Rows that the report lists.' }),
      }),
    ),
    createdAt: Timestamp,
    startedAt: Nullable(Timestamp),
    finishedAt: Nullable(Timestamp),
  }),
)

export type ImportView = Static<typeof ImportView>

export const ImportPage = PageOf(ImportView)

export const ListImports = Type.Object(listQuery, { additionalProperties: false })

export const ExportContacts = Type.Object(
  { format: Type.Optional(Type.Enum(importFormats, { description: 'csv if omitted.' })) },
  { additionalProperties: false },
)

export type ExportContacts = Static<typeof ExportContacts>

export interface Import {
  id: ImportId
  projectId: ProjectId
  audienceId: AudienceId
  format: ImportFormat
  map: ColumnMap | null
  status: (typeof importStatuses)[number]
  problem: string | null
  bytes: number
  processedBytes: number
  processedRows: number
  created: number
  updated: number
  refused: number
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
}
