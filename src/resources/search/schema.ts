import { Type, type Static } from 'typebox'
import type {
  AudienceId,
  AutomationId,
  BroadcastId,
  ContactId,
  EmailId,
  KeyId,
  ProjectId,
  ReceivedId,
  RunId,
  TagId,
} from '../../core/ids.ts'
import { explanationSchema } from '../../shapes/explanation.ts'
import { annotated, IdInput, IdOf, named, Nullable, saying, Timestamp } from '../../shapes/shapes.ts'
import { mailSources, recipientStates } from '../emails/schema.ts'
import { SuppressionView } from '../suppressions/schema.ts'
import { addressParts, foundKinds, type FoundKind } from './kinds.ts'
import { MAX_COUNTED, MAX_FOUND, MAX_SHOWN } from './limits.ts'

export const Search = Type.Object(
  {
    q: Type.String({
      minLength: 2,
      maxLength: 320,
      pattern: '\\S\\s*\\S',
      description: 'An id, an address, a domain, or the beginning of a name.',
      examples: ['ada@example.com'],
      ...saying('must have at least two characters that are not blank'),
    }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_FOUND, description: '10 if omitted.' })),
    projectId: Type.Optional(IdInput('prj')),
  },
  { additionalProperties: false },
)

export type Search = Static<typeof Search>

const types = ['address', ...(Object.keys(foundKinds) as FoundKind[])] as const

export const FoundView = named(
  'SearchHit',
  Type.Object({
    type: Type.Enum(types),
    id: Type.String({ description: 'The id of the thing; of an address, the address.' }),
    projectId: Nullable(IdOf('prj')),
    title: Type.String(),
    subtitle: Nullable(Type.String()),
    at: Nullable(Timestamp),
    link: Nullable(Type.String({ description: 'Where the portal shows it; null where it has no page.' })),
  }),
)

export type FoundView = Static<typeof FoundView>

export const FoundList = named('SearchResult', Type.Object({ data: Type.Array(FoundView) }))

export type FoundList = Static<typeof FoundList>

/** A thing that was found, whatever it is. */
export interface FoundRow {
  id: string
  projectId: ProjectId | null
  title: string
  subtitle: string | null
  at: Date | null
  /** What its page lies in: the audience of a contact, the endpoint of a delivery, the automation of a run. */
  parentId: string | null
}

const ConsentPart = named(
  'AddressConsent',
  Type.Object({ source: Nullable(Type.String()), at: Nullable(Timestamp), recordedAt: Timestamp }),
)

const TagPart = named('AddressTag', Type.Object({ id: IdOf('tag'), name: Type.String() }))

const ContactPart = named(
  'AddressContact',
  Type.Object({
    id: IdOf('con'),
    audienceId: IdOf('aud'),
    audienceName: Type.String(),
    firstName: Nullable(Type.String()),
    lastName: Nullable(Type.String()),
    subscribed: Type.Boolean(),
    unsubscribedAt: Nullable(Timestamp),
    consent: Nullable(ConsentPart),
    createdAt: Timestamp,
  }),
)

const MailPart = named(
  'AddressEmail',
  Type.Object({
    id: IdOf('em'),
    status: Type.Enum(recipientStates, { description: 'Of this recipient.' }),
    from: Type.String(),
    subject: Type.String(),
    contentHidden: Type.Boolean(),
    source: Type.Enum(mailSources),
    broadcastId: Nullable(IdOf('brd')),
    explanation: Nullable(explanationSchema),
    updatedAt: Timestamp,
    createdAt: Timestamp,
  }),
)

const ReceivedPart = named(
  'AddressReceived',
  Type.Object({
    id: IdOf('rcv'),
    to: Type.String(),
    subject: Nullable(Type.String()),
    receivedAt: Timestamp,
  }),
)

const RunPart = named(
  'AddressRun',
  Type.Object({
    id: IdOf('run'),
    automationId: IdOf('aut'),
    automationName: Type.String(),
    status: Type.String(),
    startedAt: Timestamp,
    finishedAt: Nullable(Timestamp),
  }),
)

const EmailsPart = named(
  'AddressEmails',
  Type.Object({
    last: Type.Array(MailPart, { description: `The newest ${MAX_SHOWN}.` }),
    counts: Type.Record(Type.String(), Type.Integer(), {
      description: `How many are in each state, of the newest ${MAX_COUNTED}.`,
    }),
  }),
)

/** As in the list of suppressions, without the project: the address is looked at in one. */
const SuppressionPart = named('AddressSuppression', Type.Object(SuppressionView.properties))

export const AddressView = named(
  'Address',
  Type.Object(
    {
      email: Type.String({ ...annotated('idn-email') }),
      contacts: Type.Array(ContactPart),
      tags: Type.Array(TagPart),
      suppression: Nullable(SuppressionPart),
      emails: EmailsPart,
      received: Type.Array(ReceivedPart, { description: `Mail from the address, the newest ${MAX_SHOWN}.` }),
      runs: Type.Array(RunPart, { description: `Of automations, the newest ${MAX_SHOWN}.` }),
      hidden: Type.Array(Type.Enum(Object.keys(addressParts) as (keyof typeof addressParts)[]), {
        description: 'Parts that are empty because the caller may not read them.',
      }),
    },
    { description: 'Everything that a project knows of an address.' },
  ),
)

export type AddressView = Static<typeof AddressView>

export interface ContactRow {
  id: ContactId
  audienceId: AudienceId
  audienceName: string
  firstName: string | null
  lastName: string | null
  subscribed: boolean
  unsubscribedAt: Date | null
  createdAt: Date
  consentSource: string | null
  consentAt: Date | null
  consentRecordedAt: Date | null
}

export interface TagRow {
  id: TagId
  name: string
}

export interface MailRow {
  id: EmailId
  status: (typeof recipientStates)[number]
  from: { email: string; name?: string }
  subject: string
  keyId: KeyId | null
  broadcastId: BroadcastId | null
  runId: RunId | null
  updatedAt: Date
  createdAt: Date
  detail: string | null
  smtp: { code?: number; enhanced?: string; host?: string } | null
}

export interface ReceivedRow {
  id: ReceivedId
  to: string
  subject: string | null
  receivedAt: Date
}

export interface RunRow {
  id: RunId
  automationId: AutomationId
  automationName: string
  status: string
  startedAt: Date
  finishedAt: Date | null
}
