import { Type, type Static } from 'typebox'
import type { ProjectId, SmsConsentId, SmsId, SmsProgramId, SmsSenderId, WorkspaceId } from '../../../../core/ids.ts'
import {
  IdInput,
  IdOf,
  listQuery,
  named,
  Nullable,
  NullableEnum,
  PageOf,
  saying,
  Timestamp,
  TimestampInput,
} from '../../../../shapes/shapes.ts'
import { alphabets, sendCategories } from '../states.ts'

export const categories = [...sendCategories, 'keyword_reply'] as const

export type Category = (typeof categories)[number]

export const statuses = [
  'queued',
  'deferred',
  'submitting',
  'sent',
  'delivered',
  'undelivered',
  'failed',
  'expired',
  'unconfirmed',
  'received',
] as const

export type Status = (typeof statuses)[number]

const directions = ['outbound', 'inbound'] as const

const keywords = ['STOP', 'HELP', 'START'] as const

export type Alphabet = keyof typeof alphabets

const PhoneInput = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'A phone number in E.164 form, e.g. `+12025550100`.',
})

const UserInitiated = named(
  'SmsUserInitiated',
  Type.Object(
    {
      requestedAt: TimestampInput,
      ipAddress: Type.String({ minLength: 2, maxLength: 45, description: 'An IP address.' }),
    },
    { additionalProperties: false },
  ),
)

const Metadata = Type.Record(Type.String({ pattern: '^.{1,40}$' }), Type.String({ maxLength: 500 }), {
  maxProperties: 20,
  additionalProperties: false,
  ...saying('is no name for metadata: take 1 to 40 characters on one line'),
})

export const SendSms = named(
  'SendSms',
  Type.Object(
    {
      to: PhoneInput,
      senderId: Type.Optional(Nullable(IdInput('smssn'))),
      programId: Type.Optional(Nullable(IdInput('smspg'))),
      category: Type.Enum(sendCategories),
      body: Type.String({ minLength: 1, maxLength: 1_600, description: 'The text of an SMS.' }),
      encoding: Type.Optional(Type.Enum(['auto', 'gsm7', 'ucs2'])),
      transliterate: Type.Optional(
        Type.Boolean({ description: 'Writes typographic characters plainly where that makes the text GSM-7.' }),
      ),
      maxSegments: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
      maxPriceMicros: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))),
      validitySeconds: Type.Optional(Nullable(Type.Integer({ minimum: 60, maximum: 172_800 }))),
      onQuietHours: Type.Optional(Type.Enum(['defer', 'reject'])),
      consentId: Type.Optional(Nullable(IdInput('smscn'))),
      userInitiated: Type.Optional(Nullable(UserInitiated)),
      metadata: Type.Optional(Nullable(Metadata)),
      dryRun: Type.Optional(Type.Boolean({ description: 'Says what would happen. Nothing is stored or sent.' })),
    },
    {
      additionalProperties: false,
      examples: [{ to: '+12025550100', category: 'transactional', body: 'Your order has shipped.' }],
    },
  ),
)

export type SendSms = Static<typeof SendSms>

const Micros = Type.Integer({ description: 'In millionths of the currency.' })

export const QueuedSms = named(
  'AcceptedSms',
  Type.Object({
    id: IdOf('sms'),
    object: Type.Literal('sms_message'),
    mode: Type.Enum(['test', 'live']),
    direction: Type.Enum(directions),
    status: Type.Enum(statuses),
    category: Type.Enum(categories),
    toMasked: Type.String(),
    country: Nullable(Type.String()),
    recipientRef: Type.String(),
    senderId: IdOf('smssn'),
    programId: IdOf('smspg'),
    encoding: Type.String(),
    units: Type.Integer(),
    segments: Type.Integer(),
    priceMicros: Micros,
    currency: Type.String(),
    deferredUntil: Nullable(Timestamp),
    createdAt: Timestamp,
  }),
)

export type QueuedSms = Static<typeof QueuedSms>

export const DryRun = named(
  'SmsDryRun',
  Type.Object({
    dryRun: Type.Literal(true),
    encoding: Type.String(),
    units: Type.Integer(),
    segments: Type.Integer(),
    priceMicros: Micros,
    currency: Type.String(),
    wouldSend: Type.Boolean(),
    refusals: Type.Array(named('SmsRefusal', Type.Object({ code: Type.String(), error: Type.String() }))),
  }),
)

export type DryRun = Static<typeof DryRun>

/** What everybody with `sms:read` sees of a message in a list: whom it went to and what it said is not part of it. */
const redacted = {
  id: IdOf('sms'),
  object: Type.Literal('sms_message'),
  mode: Type.Enum(['test', 'live']),
  direction: Type.Enum(directions),
  status: Type.Enum(statuses),
  category: NullableEnum(categories),
  keyword: NullableEnum(keywords),
  programId: Nullable(IdOf('smspg')),
  senderId: IdOf('smssn'),
  country: Nullable(Type.String()),
  toMasked: Type.String(),
  fromMasked: Type.String(),
  recipientRef: Type.String(),
  encoding: Nullable(Type.String()),
  units: Type.Integer(),
  segments: Type.Integer(),
  priceMicros: Micros,
  chargedMicros: Micros,
  currency: Type.String(),
  errorCode: Nullable(Type.String()),
  deferredUntil: Nullable(Timestamp),
  createdAt: Timestamp,
  sentAt: Nullable(Timestamp),
  finalAt: Nullable(Timestamp),
}

export const RedactedSms = named('SmsSummary', Type.Object(redacted))

export type RedactedSms = Static<typeof RedactedSms>

export const SmsPage = PageOf(RedactedSms)

const PartView = named(
  'SmsPart',
  Type.Object({
    seq: Type.Integer(),
    units: Type.Integer(),
    status: Type.String(),
    providerMessageId: Nullable(Type.String()),
    errorCode: Nullable(Type.String()),
    providerErrorCode: Nullable(Type.String()),
    submittedAt: Nullable(Timestamp),
    finalAt: Nullable(Timestamp),
  }),
)

const HappeningView = named(
  'SmsEvent',
  Type.Object({
    type: Type.String(),
    at: Timestamp,
    status: Nullable(Type.String()),
    errorCode: Nullable(Type.String()),
    detail: Type.String(),
  }),
)

export const DetailedSms = named(
  'Sms',
  Type.Object({
    ...redacted,
    to: Type.String(),
    from: Type.String(),
    body: Nullable(Type.String()),
    bodySent: Nullable(Type.String()),
    metadata: Nullable(Type.Record(Type.String(), Type.String())),
    bodyPurgedAt: Nullable(Timestamp),
    consentId: Nullable(IdOf('smscn')),
    consent: Nullable(named('SmsMessageConsent', Type.Object({ type: Type.String(), grantedAt: Nullable(Timestamp) }))),
    parts: Type.Array(PartView),
    events: Type.Array(HappeningView),
    ledger: Type.Array(
      named('SmsMessageEntry', Type.Object({ entryId: IdOf('sml'), type: Type.String(), amountMicros: Micros })),
    ),
  }),
)

export type DetailedSms = Static<typeof DetailedSms>

export const ListSms = Type.Object(
  {
    ...listQuery,
    status: Type.Optional(Type.Enum(statuses)),
    direction: Type.Optional(Type.Enum(directions)),
    category: Type.Optional(Type.Enum(categories)),
    programId: Type.Optional(IdInput('smspg')),
    senderId: Type.Optional(IdInput('smssn')),
    recipientRef: Type.Optional(
      Type.String({ pattern: '^[0-9a-f]{16}$', ...saying('must be the recipientRef of a message: 16 of 0-9 and a-f') }),
    ),
    recipient: Type.Optional(PhoneInput),
    createdAfter: Type.Optional(TimestampInput),
    createdBefore: Type.Optional(TimestampInput),
  },
  { additionalProperties: false },
)

export type ListSms = Static<typeof ListSms>

export interface Sms {
  id: SmsId
  projectId: ProjectId
  workspaceId: WorkspaceId
  mode: 'test' | 'live'
  direction: (typeof directions)[number]
  status: Status
  category: Category | null
  keyword: (typeof keywords)[number] | null
  senderId: SmsSenderId
  programId: SmsProgramId | null
  phoneHmac: Buffer
  phone: Buffer
  masked: string
  ourAddress: string
  country: string | null
  encoding: Alphabet | null
  units: number
  segments: number
  segmentMicros: number
  chargedMicros: number
  currency: string
  body: Buffer | null
  bodySent: Buffer | null
  metadata: Buffer | null
  bodyPurgedAt: Date | null
  consentId: SmsConsentId | null
  consentType: string | null
  consentAt: Date | null
  deferredUntil: Date | null
  errorCode: string | null
  createdAt: Date
  sentAt: Date | null
  finalAt: Date | null
}

export interface PartRow {
  seq: number
  units: number
  state: string
  providerMessageId: string | null
  errorCode: string | null
  providerErrorCode: string | null
  submittedAt: Date | null
  finalAt: Date | null
}

export interface Happening {
  type: string
  at: Date
  status: string | null
  errorCode: string | null
  detail: string
}

export interface Opened {
  phone: string
  body: string | null
  bodySent: string | null
  metadata: Record<string, string> | null
}
