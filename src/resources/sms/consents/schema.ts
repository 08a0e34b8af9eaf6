import { Type, type Static } from 'typebox'
import type { KeyId, ProjectId, SmsConsentId, SmsProgramId, SmsSuppressionId } from '../../../core/ids.ts'
import { IdInput, IdOf, listQuery, named, Nullable, PageOf, Timestamp, TimestampInput } from '../../../shapes/shapes.ts'

export const consentTypes = ['express', 'express_written'] as const

export type ConsentType = (typeof consentTypes)[number]

const actions = ['granted', 'revoked'] as const

const methods = ['web_form', 'keyword', 'paper', 'verbal', 'point_of_sale', 'import', 'api'] as const

const PhoneInput = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'A phone number in E.164 form, e.g. `+12025550100`.',
  examples: ['+12025550100'],
})

const Line = Type.Optional(Nullable(Type.String({ maxLength: 500 })))

const Page = Type.Optional(Nullable(Type.String({ maxLength: 2_000 })))

/** What proves it. Everything here is sealed, and shown only to whoever reads the one record. */
const Evidence = named(
  'SmsConsentEvidence',
  Type.Object(
    {
      disclosureText: Type.Optional(Nullable(Type.String({ maxLength: 5_000 }))),
      disclosureVersion: Line,
      sourceUrl: Page,
      ipAddress: Type.Optional(Nullable(Type.String({ maxLength: 45 }))),
      userAgent: Page,
      formId: Line,
      documentUrl: Page,
      agentId: Line,
      keywordMessageId: Line,
      doubleOptInMessageId: Line,
    },
    { additionalProperties: false },
  ),
)

export type Evidence = Static<typeof Evidence>

export const RecordConsent = named(
  'RecordSmsConsent',
  Type.Object(
    {
      phone: PhoneInput,
      programId: IdInput('smspg'),
      type: Type.Enum(consentTypes),
      action: Type.Enum(actions),
      method: Type.Enum(methods),
      capturedAt: TimestampInput,
      evidence: Type.Optional(Nullable(Evidence)),
      recipientTimezone: Type.Optional(Nullable(Type.String({ maxLength: 64, description: 'An IANA time zone.' }))),
      expiresAt: Type.Optional(Nullable(TimestampInput)),
    },
    { additionalProperties: false },
  ),
)

export type RecordConsent = Static<typeof RecordConsent>

const consent = {
  id: IdOf('smscn'),
  phoneMasked: Type.String(),
  recipientRef: Type.String(),
  programId: IdOf('smspg'),
  type: Type.Enum(consentTypes),
  action: Type.Enum(actions),
  method: Type.Enum(methods),
  capturedAt: Timestamp,
  recordedAt: Timestamp,
  recordedByKeyId: Nullable(IdOf('key')),
  evidencePresent: Type.Boolean(),
  evidenceSha256: Nullable(Type.String()),
  recipientTimezone: Nullable(Type.String()),
  expiresAt: Nullable(Timestamp),
}

export const ConsentView = named(
  'RecordedSmsConsent',
  Type.Object({
    ...consent,
    suppressionStillActive: Type.Optional(
      Type.Boolean({ description: 'A recipient who texted STOP stays suppressed until they text START.' }),
    ),
  }),
)

export type ConsentView = Static<typeof ConsentView>

export const ConsentPage = PageOf(named('SmsConsentSummary', Type.Object(consent)))

export const DetailedConsent = named(
  'SmsConsent',
  Type.Object({ ...consent, phone: Type.String(), evidence: Nullable(Evidence) }),
)

export type DetailedConsent = Static<typeof DetailedConsent>

export const ListConsents = Type.Object(
  {
    ...listQuery,
    phone: Type.Optional(PhoneInput),
    programId: Type.Optional(IdInput('smspg')),
    action: Type.Optional(Type.Enum(actions)),
  },
  { additionalProperties: false },
)

export type ListConsents = Static<typeof ListConsents>

const scopes = ['project', 'program'] as const

const origins = ['keyword', 'inferred', 'carrier', 'manual'] as const

export type Origin = (typeof origins)[number]

const givenReasons = ['manual', 'complaint', 'legal', 'invalid_number'] as const

const reasons = [...givenReasons, 'opt_out'] as const

export const AddSuppression = named(
  'AddSmsSuppression',
  Type.Object(
    {
      phone: PhoneInput,
      scope: Type.Optional(Type.Enum(scopes)),
      programId: Type.Optional(Nullable(IdInput('smspg'))),
      reason: Type.Optional(Type.Enum(givenReasons)),
      note: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
    },
    { additionalProperties: false },
  ),
)

export type AddSuppression = Static<typeof AddSuppression>

export const SmsSuppressionView = named(
  'SmsSuppression',
  Type.Object({
    id: IdOf('smssp'),
    toMasked: Type.String(),
    recipientRef: Type.String(),
    scope: Type.Enum(scopes),
    programId: Nullable(IdOf('smspg')),
    origin: Type.Enum(origins),
    reason: Type.Enum(reasons),
    note: Nullable(Type.String()),
    status: Type.Enum(['active', 'lifted']),
    createdAt: Timestamp,
    liftedAt: Nullable(Timestamp),
    liftedBy: Nullable(Type.String()),
  }),
)

export type SmsSuppressionView = Static<typeof SmsSuppressionView>

export const SmsSuppressionPage = PageOf(SmsSuppressionView)

export const ListSmsSuppressions = Type.Object(
  {
    ...listQuery,
    phone: Type.Optional(PhoneInput),
    status: Type.Optional(Type.Enum(['active', 'lifted'])),
    programId: Type.Optional(IdInput('smspg')),
  },
  { additionalProperties: false },
)

export type ListSmsSuppressions = Static<typeof ListSmsSuppressions>

export interface Consent {
  id: SmsConsentId
  projectId: ProjectId
  programId: SmsProgramId
  phoneHmac: Buffer
  phone: Buffer
  masked: string
  type: ConsentType
  action: (typeof actions)[number]
  method: (typeof methods)[number]
  capturedAt: Date
  evidence: Buffer | null
  evidenceSha256: Buffer | null
  recipientTimezone: string | null
  expiresAt: Date | null
  recordedAt: Date
  recordedBy: KeyId | null
}

export interface Suppression {
  id: SmsSuppressionId
  projectId: ProjectId
  phoneHmac: Buffer
  masked: string
  scope: (typeof scopes)[number]
  programId: SmsProgramId | null
  origin: Origin
  reason: (typeof reasons)[number]
  note: string | null
  status: 'active' | 'lifted'
  createdAt: Date
  liftedAt: Date | null
  liftedBy: string | null
}
