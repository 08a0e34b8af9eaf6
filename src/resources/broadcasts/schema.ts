import { Type, type Static } from 'typebox'
import type { AudienceId, BroadcastId, ContactId, DomainId } from '../../core/ids.ts'
import type { EmailId, ProjectId, TemplateId } from '../../core/ids.ts'
import {
  annotated,
  Deleted,
  IdInput,
  IdOf,
  listQuery,
  Name,
  named,
  Nullable,
  OneLine,
  PageOf,
  Timestamp,
  TimestampInput,
} from '../../shapes/shapes.ts'
import { type Bucket } from './states.ts'

export const broadcastStates = ['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled'] as const

export type BroadcastState = (typeof broadcastStates)[number]

/** What is counted beside: it happens to messages that are delivered. */
export type Reaction = 'unsubscribed' | 'opens' | 'clicks'

export type Counts = Record<'recipients' | Bucket | Reaction, number>

const StatsView = named(
  'BroadcastStats',
  Type.Object(
    {
      recipients: Type.Integer(),
      queued: Type.Integer({ description: 'Not tried yet.' }),
      delivered: Type.Integer(),
      deferred: Type.Integer({ description: 'Put off by their servers, and tried again.' }),
      bounced: Type.Integer(),
      filteredspam: Type.Integer(),
      quarantined: Type.Integer(),
      suppressed: Type.Integer({ description: 'Suppressed, unsubscribed or deleted before it was sent to them.' }),
      failed: Type.Integer({ description: 'Not delivered for another reason.' }),
      cancelled: Type.Integer({
        description: 'Not sent, because the broadcast was cancelled or its project archived.',
      }),
      unsubscribed: Type.Integer(),
      opens: Type.Integer(),
      clicks: Type.Integer(),
    },
    { description: 'The numbers from `queued` to `cancelled` add up to `recipients` at every moment.' },
  ),
)

const TrackingView = named(
  'BroadcastTracking',
  Type.Object(
    { opens: Nullable(Type.Boolean()), clicks: Nullable(Type.Boolean()) },
    { description: "Null leaves it to the sender's domain." },
  ),
)

const ThrottleView = named('BroadcastThrottle', Type.Object({ perMinute: Nullable(Type.Integer()) }))

const summary = {
  id: IdOf('brd'),
  projectId: IdOf('prj'),
  name: Type.String(),
  audienceId: IdOf('aud'),
  from: Type.String(),
  replyTo: Type.Array(Type.String()),
  subject: Nullable(Type.String()),
  previewText: Nullable(Type.String()),
  templateId: Nullable(IdOf('tpl')),
  tracking: TrackingView,
  throttle: ThrottleView,
  status: Type.Enum(broadcastStates),
  sendAt: Nullable(Timestamp),
  createdAt: Timestamp,
  startedAt: Nullable(Timestamp),
  completedAt: Nullable(Timestamp),
  problem: Nullable(
    Type.String({ description: 'Why it could not be sent when its time came; it is a draft again then.' }),
  ),
  stats: StatsView,
}

export const BroadcastSummary = named('BroadcastSummary', Type.Object(summary))

export type BroadcastSummary = Static<typeof BroadcastSummary>

export const BroadcastPage = PageOf(BroadcastSummary)

export const BroadcastView = named(
  'Broadcast',
  Type.Object({
    ...summary,
    html: Nullable(Type.String()),
    text: Nullable(Type.String()),
    variables: Type.Record(Type.String(), Type.Unknown()),
  }),
)

export type BroadcastView = Static<typeof BroadcastView>

export const DeletedBroadcast = named('DeletedBroadcast', Deleted('brd'))

export type DeletedBroadcast = Static<typeof DeletedBroadcast>

export const ListBroadcasts = Type.Object(
  {
    ...listQuery,
    status: Type.Optional(Type.Enum(broadcastStates)),
    audienceId: Type.Optional(IdInput('aud')),
  },
  { additionalProperties: false },
)

export type ListBroadcasts = Static<typeof ListBroadcasts>

const AddressInput = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'A mailbox: `ann@example.com` or `Ann <ann@example.com>`.',
})

const Addresses = Type.Array(AddressInput, { minItems: 1, maxItems: 50 })

/** One or several. */
const AddressesInput = Type.Unsafe<string | string[]>({ anyOf: [AddressInput, Addresses] })

const ReplyToInput = Type.Unsafe<string | string[] | null>({ anyOf: [AddressInput, Addresses, Type.Null()] })

/** One line: it becomes a header field. */
const line = { maxLength: 5_000, ...OneLine }

const part = { maxLength: 1_000_000 }

const optional = {
  name: Type.Optional(Nullable(Name)),
  replyTo: Type.Optional(ReplyToInput),
  subject: Type.Optional(Nullable(Type.String({ ...line, description: "The template's if omitted." }))),
  previewText: Type.Optional(
    Nullable(Type.String({ ...line, description: 'What mail programs show beside the subject.' })),
  ),
  html: Type.Optional(Nullable(Type.String(part))),
  text: Type.Optional(Nullable(Type.String({ ...part, description: 'Made from the html if omitted.' }))),
  templateId: Type.Optional(Nullable(Type.String({ description: 'An id that starts with `tpl_`, or an alias.' }))),
  variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  tracking: Type.Optional(
    Nullable(
      named(
        'BroadcastTrackingInput',
        Type.Object(
          { opens: Type.Optional(Nullable(Type.Boolean())), clicks: Type.Optional(Nullable(Type.Boolean())) },
          { additionalProperties: false },
        ),
      ),
    ),
  ),
  throttle: Type.Optional(
    Nullable(
      named(
        'BroadcastThrottleInput',
        Type.Object(
          { perMinute: Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 })) },
          { additionalProperties: false, description: 'How many messages may leave in a minute, at most.' },
        ),
      ),
    ),
  ),
}

export const CreateBroadcast = named(
  'CreateBroadcast',
  Type.Object(
    { audienceId: IdInput('aud'), from: AddressInput, ...optional },
    {
      additionalProperties: false,
      examples: [
        {
          audienceId: 'aud_01kf0q9h2rfx8b6t3m5vz7d4ce',
          from: 'Acme <sandbox@sandbox.posthouse.test>',
          subject: 'What is new',
          html: '<p>Hello {{ firstName }}, this is new.</p>',
        },
      ],
    },
  ),
)

export type CreateBroadcast = Static<typeof CreateBroadcast>

export const UpdateBroadcast = named(
  'UpdateBroadcast',
  Type.Object(
    { audienceId: Type.Optional(IdInput('aud')), from: Type.Optional(AddressInput), ...optional },
    { additionalProperties: false, examples: [{ subject: 'What is new in March', throttle: { perMinute: 600 } }] },
  ),
)

export type UpdateBroadcast = Static<typeof UpdateBroadcast>

export const SendBroadcast = named(
  'SendBroadcast',
  Type.Object(
    {
      expectedRecipients: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Refused if it is another number of people who would get it now.' }),
      ),
    },
    { additionalProperties: false, examples: [{}] },
  ),
)

export type SendBroadcast = Static<typeof SendBroadcast>

export const ScheduleBroadcast = named(
  'ScheduleBroadcast',
  Type.Object({ sendAt: TimestampInput }, { additionalProperties: false }),
)

export const TestBroadcast = named(
  'TestBroadcast',
  Type.Object(
    { to: AddressesInput },
    { additionalProperties: false, examples: [{ to: 'delivered@simulator.posthouse.test' }] },
  ),
)

export type TestBroadcast = Static<typeof TestBroadcast>

/** waiting: there is no email for it yet. */
const places = ['waiting', 'queued', 'sending', 'deferred', 'held'] as const

const Outstanding = named(
  'OutstandingRecipient',
  Type.Object({
    contactId: IdOf('con'),
    email: Nullable(Type.String({ ...annotated('idn-email'), description: 'Null where the contact is gone.' })),
    status: Type.Enum(places),
    emailId: Nullable(IdOf('em')),
    attempts: Type.Integer(),
    nextAttemptAt: Nullable(Timestamp),
  }),
)

export type Outstanding = Static<typeof Outstanding>

export const OutstandingPage = PageOf(Outstanding)

export const ListOutstanding = Type.Object(listQuery, { additionalProperties: false })

/** The sender of a broadcast. */
export interface SentAs {
  domainId: DomainId | null
  tracking: { opens: boolean; clicks: boolean }
}

export interface BroadcastRow extends Counts {
  id: BroadcastId
  projectId: ProjectId
  audienceId: AudienceId
  status: BroadcastState
  version: number
  name: string | null
  from: string
  replyTo: string[]
  subject: string | null
  previewText: string | null
  templateId: TemplateId | null
  trackOpens: boolean | null
  trackClicks: boolean | null
  perMinute: number | null
  sendAt: Date | null
  problem: string | null
  createdAt: Date
  startedAt: Date | null
  completedAt: Date | null
}

export interface Broadcast extends BroadcastRow {
  html: string | null
  text: string | null
  variables: Record<string, unknown>
}

/** A contact, as far as mail can speak of it. */
export interface Person {
  id: ContactId
  email: string
  firstName: string | null
  lastName: string | null
  properties: Record<string, unknown>
}

export interface OutstandingRow {
  /** The id of the contact. */
  id: ContactId
  email: string | null
  status: (typeof places)[number]
  emailId: EmailId | null
  attempts: number
  nextAttemptAt: Date | null
}
