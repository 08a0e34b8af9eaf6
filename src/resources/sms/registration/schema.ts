import { Type, type Static, type TProperties } from 'typebox'
import type { ProjectId, SmsProfileId, SmsProgramId, SmsSenderId, WorkspaceId } from '../../../core/ids.ts'
import {
  annotated,
  EmailInput,
  IdInput,
  IdOf,
  listQuery,
  Name,
  named,
  Nullable,
  NullableEnum,
  PageOf,
  saying,
  Timestamp,
} from '../../../shapes/shapes.ts'
import { type SenderType, senderTypes } from './states.ts'

/** draft ⇄ submitted by the API; everything further by the operator, who hears it from the carrier. */
const recordStatuses = ['draft', 'submitted', 'in_review', 'approved', 'rejected', 'suspended', 'expired'] as const

export const senderStatuses = [...recordStatuses, 'active'] as const

export type RecordStatus = (typeof senderStatuses)[number]

const allowedCategories = ['authentication', 'transactional', 'marketing', 'conversational'] as const

const entityTypes = ['private_profit', 'public_profit', 'non_profit', 'government', 'sole_proprietor'] as const

const channels = ['10dlc', 'toll_free', 'short_code', 'international'] as const

const useCases = [
  '2fa',
  'account_notification',
  'customer_care',
  'delivery_notification',
  'fraud_alert',
  'marketing',
  'mixed',
  'low_volume',
  'polling',
  'higher_education',
  'public_service',
  'security_alert',
  'charity',
  'emergency',
] as const

/** Any word: one that the API must not set is refused with a code of its own. */
const StatusWish = Type.Optional(
  Type.Unsafe<string>({ type: 'string', enum: [...senderStatuses, 'live'], description: '`submitted` or `draft`.' }),
)

const Country = Type.String({
  pattern: '^[A-Z]{2}$',
  description: 'ISO 3166, two letters.',
  ...saying('must be the two capital letters of a country, like US'),
})

const Url = Type.String({
  ...annotated('uri'),
  pattern: '^https://\\S+$',
  maxLength: 500,
  description: 'A web page, https.',
  ...saying('must be the address of a web page, like https://example.com/terms'),
})

const allOptional = <T extends TProperties>(fields: T) => Type.Partial(Type.Object(fields)).properties

const Address = named(
  'SmsBusinessAddress',
  Type.Object(
    {
      line1: Name,
      line2: Type.Optional(Nullable(Name)),
      city: Name,
      region: Type.Optional(Nullable(Name)),
      postalCode: Type.String({ minLength: 1, maxLength: 20 }),
      country: Country,
    },
    { additionalProperties: false },
  ),
)

const Contact = named(
  'SmsBusinessContact',
  Type.Object(
    {
      firstName: Name,
      lastName: Name,
      email: EmailInput,
      phone: Type.String({
        pattern: '^\\+[1-9]\\d{6,14}$',
        description: 'A phone number in E.164 form.',
        ...saying('must be a phone number with + and the country code, like +12025550100'),
      }),
    },
    { additionalProperties: false },
  ),
)

const profileFields = {
  legalName: Nullable(Name),
  displayName: Nullable(Name),
  entityType: NullableEnum(entityTypes),
  registrationType: Nullable(Type.String({ minLength: 1, maxLength: 40 })),
  registrationCountry: Nullable(Country),
  address: Nullable(Address),
  website: Nullable(Url),
  vertical: Nullable(Type.String({ minLength: 2, maxLength: 40 })),
  contact: Nullable(Contact),
  stockSymbol: Nullable(Type.String({ minLength: 1, maxLength: 20 })),
  exchange: Nullable(Type.String({ minLength: 1, maxLength: 40 })),
}

const RegistrationNumber = Type.Optional(
  Nullable(Type.String({ minLength: 2, maxLength: 40, description: 'Shown afterwards by its last two characters.' })),
)

const profileExample = {
  legalName: 'Acme Incorporated',
  displayName: 'Acme',
  entityType: 'private_profit',
  registrationType: 'EIN',
  registrationCountry: 'US',
  registrationNumber: '12-3456789',
  address: { line1: '1 Main Street', city: 'Springfield', region: 'IL', postalCode: '62701', country: 'US' },
  website: 'https://example.com',
  vertical: 'RETAIL',
  contact: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+12025550100' },
}

export const CreateProfile = named(
  'CreateSmsBusinessProfile',
  Type.Object(
    { ...allOptional(profileFields), registrationNumber: RegistrationNumber },
    { additionalProperties: false, examples: [profileExample] },
  ),
)

export const UpdateProfile = named(
  'UpdateSmsBusinessProfile',
  Type.Object(
    { ...allOptional(profileFields), registrationNumber: RegistrationNumber, status: StatusWish },
    { additionalProperties: false, examples: [profileExample] },
  ),
)

export type UpdateProfile = Static<typeof UpdateProfile>

export type ProfileFields = Partial<Omit<UpdateProfile, 'status' | 'registrationNumber'>>

const Words = Type.Array(Type.String({ minLength: 1, maxLength: 40 }), { maxItems: 20 })

const TimeOfDay = (form: string, example: string) =>
  Type.String({
    pattern: `^(${form})$`,
    description: 'A time of day.',
    ...saying(`must be a time of day with two digits each, like ${example}`),
  })

const Quiet = named(
  'SmsQuietHours',
  Type.Object(
    {
      enabled: Type.Boolean(),
      preset: Type.Optional(Type.Enum(['federal', 'strict', 'custom'])),
      start: Type.Optional(TimeOfDay('([01]\\d|2[0-3]):[0-5]\\d', '08:00')),
      end: Type.Optional(TimeOfDay('([01]\\d|2[0-3]):[0-5]\\d|24:00', '21:00')),
    },
    { additionalProperties: false },
  ),
)

const programFields = {
  name: Name,
  channel: NullableEnum(channels),
  useCase: NullableEnum(useCases),
  subUseCases: Type.Array(Type.Enum(useCases), { maxItems: 5, uniqueItems: true }),
  allowedCategories: Type.Array(Type.Enum(allowedCategories), { maxItems: 4, uniqueItems: true }),
  description: Nullable(Type.String({ maxLength: 4_096 })),
  messageFlow: Nullable(Type.String({ maxLength: 2_048 })),
  samples: Type.Array(Type.String({ maxLength: 1_024 }), { maxItems: 5 }),
  optInMessage: Nullable(Type.String({ maxLength: 320 })),
  optOutMessage: Nullable(Type.String({ maxLength: 320 })),
  helpMessage: Nullable(Type.String({ maxLength: 320 })),
  keywords: named(
    'SmsKeywords',
    Type.Object(
      { optIn: Type.Optional(Words), optOut: Type.Optional(Words), help: Type.Optional(Words) },
      { additionalProperties: false },
    ),
  ),
  embeddedLink: Type.Boolean(),
  embeddedPhone: Type.Boolean(),
  ageGated: Type.Boolean(),
  directLending: Type.Boolean(),
  privacyPolicyUrl: Nullable(Url),
  termsUrl: Nullable(Url),
  expectedMonthlyVolume: Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
  quietHours: Nullable(Quiet),
}

const BusinessProfile = { businessProfileId: Type.Optional(Nullable(IdInput('smsbp'))) }

export const CreateProgram = named(
  'CreateSmsProgram',
  Type.Object(
    { ...allOptional(programFields), name: Name, ...BusinessProfile },
    { additionalProperties: false, examples: [{ name: 'Order updates', allowedCategories: ['transactional'] }] },
  ),
)

export const UpdateProgram = named(
  'UpdateSmsProgram',
  Type.Object(
    { ...allOptional(programFields), ...BusinessProfile, status: StatusWish },
    { additionalProperties: false, examples: [{ description: 'Where an order is.', embeddedLink: true }] },
  ),
)

export type UpdateProgram = Static<typeof UpdateProgram>

export type ProgramFields = Partial<Omit<UpdateProgram, 'status' | 'businessProfileId'>>

const senderFields = {
  address: Type.String({
    minLength: 3,
    maxLength: 16,
    description: 'E.164, a short code of 3 to 6 digits, or a name of up to 11 letters and digits.',
  }),
  country: Country,
  twoWay: Type.Optional(Type.Boolean()),
  programId: Type.Optional(Nullable(IdInput('smspg'))),
}

export const CreateSender = named(
  'CreateSmsSender',
  Type.Object(
    { type: Type.Enum(['long_code', 'toll_free', 'short_code', 'alphanumeric']), ...senderFields },
    { additionalProperties: false, examples: [{ type: 'long_code', address: '+12025550123', country: 'US' }] },
  ),
)

export type CreateSender = Static<typeof CreateSender>

export const UpdateSender = named(
  'UpdateSmsSender',
  Type.Object(
    {
      address: Type.Optional(senderFields.address),
      country: Type.Optional(Country),
      twoWay: Type.Optional(Type.Boolean()),
      programId: Type.Optional(Nullable(IdInput('smspg'))),
      status: StatusWish,
    },
    { additionalProperties: false, examples: [{ twoWay: true }] },
  ),
)

export type UpdateSender = Static<typeof UpdateSender>

const Rejection = named(
  'SmsRejection',
  Type.Object({ field: Type.String(), code: Type.String(), message: Type.String() }),
)

export type Rejection = Static<typeof Rejection>

const recordView = {
  status: Type.Enum(recordStatuses),
  rejectionReasons: Type.Array(Rejection),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const ProfileView = named(
  'SmsBusinessProfile',
  Type.Object({
    id: IdOf('smsbp'),
    ...profileFields,
    registrationNumberLast2: Nullable(Type.String()),
    ...recordView,
  }),
)

export type ProfileView = Static<typeof ProfileView>

export const ProgramView = named(
  'SmsProgram',
  Type.Object({
    id: IdOf('smspg'),
    businessProfileId: Nullable(IdOf('smsbp')),
    builtIn: Type.Boolean(),
    ...programFields,
    ...recordView,
  }),
)

export type ProgramView = Static<typeof ProgramView>

export const SenderView = named(
  'SmsSender',
  Type.Object({
    id: IdOf('smssn'),
    type: Type.Enum(senderTypes),
    address: Type.String(),
    country: Type.String(),
    twoWay: Type.Boolean(),
    programId: Nullable(IdOf('smspg')),
    builtIn: Type.Boolean(),
    ...recordView,
    status: Type.Enum(senderStatuses),
    throughputPerSecond: Nullable(Type.Integer()),
    dailyCap: Nullable(Type.Integer()),
  }),
)

export type SenderView = Static<typeof SenderView>

export const ListRecords = Type.Object(
  { ...listQuery, status: Type.Optional(Type.Enum(recordStatuses)) },
  { additionalProperties: false },
)

export const ListSenders = Type.Object(
  { ...listQuery, status: Type.Optional(Type.Enum(senderStatuses)) },
  { additionalProperties: false },
)

export const ProfilePage = PageOf(ProfileView)

export const ProgramPage = PageOf(ProgramView)

export const SenderPage = PageOf(SenderView)

export interface RecordRow {
  projectId: ProjectId
  workspaceId: WorkspaceId
  status: RecordStatus
  rejectionReasons: Rejection[]
  createdAt: Date
  updatedAt: Date
}

export interface Profile extends RecordRow {
  id: SmsProfileId
  fields: ProfileFields
  registrationLast2: string | null
}

export interface Program extends RecordRow {
  id: SmsProgramId
  businessProfileId: SmsProfileId | null
  isBuiltIn: boolean
  fields: ProgramFields
}

export interface Sender extends RecordRow {
  id: SmsSenderId
  programId: SmsProgramId | null
  isBuiltIn: boolean
  type: SenderType
  address: string
  country: string
  twoWay: boolean
  connection: string | null
  throughputPerSecond: number | null
  dailyCap: number | null
}
