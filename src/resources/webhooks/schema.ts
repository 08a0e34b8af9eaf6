import { Type, type Static } from 'typebox'
import type { EventId, ProjectId, WebhookDeliveryId, WebhookId } from '../../core/ids.ts'
import { eventCatalogue, type EventKind } from '../../events/kinds.ts'
import {
  annotated,
  Deleted,
  IdOf,
  listQuery,
  named,
  Nullable,
  PageOf,
  Timestamp,
  TimestampInput,
} from '../../shapes/shapes.ts'
import { kinds } from './kinds.ts'
import { MAX_COUNTED } from './limits.ts'

const Kind = named('EventKind', Type.Unsafe<EventKind>({ type: 'string', enum: kinds }))

const Url = Type.String({
  ...annotated('uri'),
  minLength: 1,
  maxLength: 2_048,
  description: 'An https URL on the public internet, without credentials.',
  examples: ['https://example.com/hooks/posthouse'],
})

const Events = Type.Array(Kind, {
  minItems: 1,
  maxItems: kinds.length,
  uniqueItems: true,
  description: 'The kinds of events to be told of.',
})

const Description = Type.String({ maxLength: 500 })

export const WebhookView = named(
  'Webhook',
  Type.Object({
    id: IdOf('whk'),
    projectId: IdOf('prj'),
    url: Type.String(annotated('uri')),
    enabled: Type.Boolean(),
    events: Type.Array(Kind),
    description: Nullable(Type.String()),
    createdAt: Timestamp,
    disabledReason: Nullable(Type.String({ description: 'Why we disabled it; null if it was not us.' })),
  }),
)

export type WebhookView = Static<typeof WebhookView>

export const WebhookWithSecret = named(
  'CreatedWebhook',
  Type.Object({
    ...WebhookView.properties,
    secret: Type.String({ description: 'What requests are signed with. Shown here and never again.' }),
  }),
)

export type WebhookWithSecret = Static<typeof WebhookWithSecret>

/** The health of an endpoint, from the newest of its deliveries. */
const Health = named(
  'WebhookHealth',
  Type.Object({
    lastDeliveredAt: Nullable(Timestamp),
    failingSince: Nullable(
      Type.String({
        format: 'date-time',
        description: 'When the present series of failures began; null while there is none.',
      }),
    ),
    pending: Type.Integer({ description: `Deliveries that are to be sent; ${MAX_COUNTED} for that many or more.` }),
    successRate24h: Nullable(
      Type.Number({
        description: 'The part of the attempts of the last 24 hours that were acknowledged, from 0 to 1.',
      }),
    ),
    p95Ms: Nullable(Type.Integer({ description: 'Of 20 attempts of the last 24 hours, 19 took no longer than this.' })),
  }),
)

export type Health = Static<typeof Health>

export const WebhookWithHealth = named('WebhookWithHealth', Type.Object({ ...WebhookView.properties, health: Health }))

export type WebhookWithHealth = Static<typeof WebhookWithHealth>

export const SigningSecretView = named(
  'WebhookSecret',
  Type.Object({
    secret: Type.String({ description: 'What requests are signed with.' }),
    since: Timestamp,
    previous: Type.Array(named('ReplacedWebhookSecret', Type.Object({ since: Timestamp, validUntil: Timestamp })), {
      description: 'Replaced secrets that still sign `webhook-signature` for a while.',
    }),
  }),
)

export type SigningSecretView = Static<typeof SigningSecretView>

export const WebhookPage = PageOf(WebhookView)

export const DeletedWebhook = named('DeletedWebhook', Deleted('whk'))

export const ListWebhooks = Type.Object({ ...listQuery }, { additionalProperties: false })

export const CreateWebhook = named(
  'CreateWebhook',
  Type.Object(
    {
      url: Url,
      enabled: Type.Optional(Type.Boolean()),
      events: Type.Optional(Events),
      description: Type.Optional(Nullable(Description)),
    },
    { additionalProperties: false },
  ),
)

export type CreateWebhook = Static<typeof CreateWebhook>

export const UpdateWebhook = named(
  'UpdateWebhook',
  Type.Partial(CreateWebhook, {
    additionalProperties: false,
    examples: [{ events: ['email.delivered', 'email.bounced'] }],
  }),
)

export type UpdateWebhook = Static<typeof UpdateWebhook>

export const TestWebhook = named(
  'TestWebhook',
  Type.Object({ type: Type.Optional(Kind) }, { additionalProperties: false }),
)

export type TestWebhook = Static<typeof TestWebhook>

/** One request and what came of it, as it is stored and shown. */
const Attempt = named(
  'WebhookAttempt',
  Type.Object({
    number: Type.Integer(),
    at: Timestamp,
    status: Nullable(Type.Integer({ description: 'The HTTP status; null if there was no answer.' })),
    durationMs: Type.Integer(),
    error: Nullable(Type.String({ description: 'What went wrong; null if it was acknowledged.' })),
    answer: Nullable(Type.String({ description: 'The beginning of the answer.' })),
  }),
)

export type Attempt = Static<typeof Attempt>

const told = {
  messageId: Type.String({ description: 'What it is about; with `type` it tells one event from another.' }),
  recipient: Type.String(),
  timestamp: Timestamp,
  detail: Type.String(),
  accountId: IdOf('acc'),
}

const toldOfSms = {
  sms: Type.Optional(
    named(
      'SmsEventDetail',
      Type.Object(
        { projectId: IdOf('prj'), mode: Type.Enum(['test', 'live']) },
        { additionalProperties: true, description: 'Of events of SMS: what is known of the message, never its text.' },
      ),
    ),
  ),
}

/** What is posted. */
const Payload = named('WebhookEvent', Type.Object({ type: Type.String(), ...told, ...toldOfSms }))

export type Payload = Static<typeof Payload>

/** What is posted with it, by the name of the header: what it says. */
export const toldHeaders = {
  'x-service-event': 'The kind of the event.',
  'x-service-delivery': 'Id of this delivery.',
  'x-service-attempt': 'Which attempt this is, from 1.',
  'x-service-signature':
    '`sha256=` and the HMAC-SHA256 of the body in hexadecimal; the key is the secret as it was shown.',
  'webhook-id': 'Id of the event: the same however often it comes.',
  'webhook-timestamp': 'When it was sent, in seconds since 1970.',
  'webhook-signature': 'Signatures of Standard Webhooks, `v1,` and base64, separated by spaces.',
} as const

export type ToldHeaders = Record<keyof typeof toldHeaders, string>

/** Every kind of event as its receivers get it, for the API document. */
export const toldEvents = kinds.map((kind) => ({
  kind,
  meaning: eventCatalogue[kind].meaning,
  headers: toldHeaders,
  body: Type.Object({ type: Type.Literal(kind), ...told, ...(kind.startsWith('sms.') ? toldOfSms : {}) }),
}))

/** dropped: its endpoint was disabled before it could be told. */
export const deliveryStates = ['pending', 'delivered', 'failed', 'dropped'] as const

export type DeliveryState = (typeof deliveryStates)[number]

export const DeliveryView = named(
  'WebhookDelivery',
  Type.Object({
    id: IdOf('whd'),
    eventId: IdOf('evt'),
    type: Type.String(),
    status: Type.Enum(deliveryStates),
    payload: Payload,
    attemptCount: Type.Integer(),
    attempts: Type.Array(Attempt, { description: 'The newest last; of very many the first are left out.' }),
    nextAttemptAt: Nullable(Timestamp),
    createdAt: Timestamp,
    endedAt: Nullable(Timestamp),
  }),
)

export type DeliveryView = Static<typeof DeliveryView>

export const DeliveryDetail = named(
  'WebhookDeliveryDetail',
  Type.Object({
    ...DeliveryView.properties,
    requestHeaders: Nullable(
      Type.Record(Type.String(), Nullable(Type.String()), {
        description: 'The headers of the last attempt, null before the first. Signatures are not kept: they are null.',
      }),
    ),
  }),
)

export type DeliveryDetail = Static<typeof DeliveryDetail>

export const DeliveryPage = PageOf(DeliveryView)

export const ListDeliveries = Type.Object(
  {
    ...listQuery,
    status: Type.Optional(Type.Enum(deliveryStates)),
    type: Type.Optional(Kind),
    messageId: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'What the event is about: the id of an email, of a received email or of an SMS. `<email id>.<n>` is one recipient.',
      }),
    ),
    createdAfter: Type.Optional(TimestampInput),
    createdBefore: Type.Optional(TimestampInput),
  },
  { additionalProperties: false },
)

export type ListDeliveries = Static<typeof ListDeliveries>

export const ReplayDeliveries = named(
  'ReplayWebhookDeliveries',
  Type.Object(
    {
      status: Type.Optional(
        Type.Enum(['failed', 'delivered', 'any'], {
          description: '`failed` unless given: all that did not arrive. Pending ones go on by themselves.',
        }),
      ),
      createdAfter: Type.Optional(TimestampInput),
      createdBefore: Type.Optional(TimestampInput),
    },
    { additionalProperties: false, examples: [{ status: 'failed', createdAfter: '2026-01-15T00:00:00Z' }] },
  ),
)

export type ReplayDeliveries = Static<typeof ReplayDeliveries>

export const ReplayStarted = named(
  'WebhookReplay',
  Type.Object({
    id: IdOf('whk'),
    deliveries: Type.Integer({ description: 'How many are going to be sent again.' }),
  }),
)

export type ReplayStarted = Static<typeof ReplayStarted>

export interface Webhook {
  id: WebhookId
  projectId: ProjectId
  url: string
  enabled: boolean
  events: EventKind[]
  description: string | null
  disabledReason: string | null
  createdAt: Date
}

export interface Delivery {
  id: WebhookDeliveryId
  eventId: EventId
  kind: string
  body: string
  createdAt: Date
  log: Attempt[]
  attempts: number
  state: DeliveryState
  nextAttemptAt: Date | null
  endedAt: Date | null
}
