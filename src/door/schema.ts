import { Type, type Static } from 'typebox'
import { projectStatuses } from '../core/caller.ts'
import { projectRoles, roles } from '../core/roles.ts'
import { scopes } from '../core/scopes.ts'
import { AuthenticationCredential, RegistrationCredential } from '../resources/people/schema.ts'
import { sessionFields } from '../resources/sessions/schema.ts'
import {
  Deleted,
  EmailInput,
  IdOf,
  listQuery,
  Name,
  Nullable,
  NullableEnum,
  PageOf,
  Timestamp,
} from '../shapes/shapes.ts'

const closed = { additionalProperties: false }

/** Longer ones are refused by the rules for passwords, or are wrong. */
const Password = Type.String({ minLength: 1, maxLength: 1_000 })
const Code = Type.String({ minLength: 6, maxLength: 6, pattern: '^[0-9]+$' })
const RecoveryCode = Type.String({ minLength: 1, maxLength: 50 })
const Token = Type.String({ minLength: 1, maxLength: 200 })

const chosenWay = { password: Type.Optional(Password), credential: Type.Optional(RegistrationCredential) }
const codes = { totp: Type.Optional(Code), recoveryCode: Type.Optional(RecoveryCode) }

export const PasskeyView = Type.Object({
  id: IdOf('psk'),
  name: Type.String(),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
})

const AccountView = Type.Object({
  id: IdOf('per'),
  name: Type.String(),
  email: Type.String(),
  locale: Nullable(Type.String()),
  timeZone: Nullable(Type.String()),
  singleKeys: Type.Boolean(),
  preferences: Type.Record(Type.String(), Type.Unknown()),
  hasPassword: Type.Boolean(),
  passkeys: Type.Array(PasskeyView),
  totp: Type.Boolean(),
})

const ScopeList = Type.Array(Type.Enum(scopes))

export const Installation = Type.Object({
  version: Type.String(),
  publicUrl: Type.String(),
  sandboxSender: Type.String(),
  simulatorDomain: Type.String(),
  systemSender: Nullable(Type.String()),
  sms: Type.Boolean(),
})
export type Installation = Static<typeof Installation>

export const SignedInView = Type.Object({
  person: AccountView,
  workspace: Type.Object({ id: IdOf('acc'), name: Type.String() }),
  roles: Type.Object({
    workspace: NullableEnum(roles),
    projects: Type.Array(Type.Object({ projectId: IdOf('prj'), role: Type.Enum(projectRoles) })),
  }),
  projects: Type.Array(
    Type.Object({
      id: IdOf('prj'),
      name: Type.String(),
      status: Type.Enum(projectStatuses),
      can: ScopeList,
      reads: ScopeList,
      maySend: Type.Boolean(),
    }),
  ),
  lacksSecondFactor: Type.Boolean(),
  confirmedUntil: Timestamp,
  expiresAt: Timestamp,
  installation: Installation,
})
export type SignedInView = Static<typeof SignedInView>

export const SignInWithPassword = Type.Object({ email: EmailInput, password: Password, ...codes }, closed)

export const SignInWithPasskey = Type.Object({ credential: AuthenticationCredential }, closed)

const optionFields = { challenge: Type.String(), rpId: Type.String(), timeout: Type.Integer() }

export const PasskeyOptions = Type.Object(optionFields)

export const PasskeyCreationOptions = Type.Object({
  ...optionFields,
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  excludeCredentials: Type.Array(Type.Object({ id: Type.String(), type: Type.Literal('public-key') })),
})

export const Confirm = Type.Object(
  { password: Type.Optional(Password), totp: Type.Optional(Code), credential: Type.Optional(AuthenticationCredential) },
  closed,
)

export const Confirmed = Type.Object({ confirmedUntil: Timestamp })

export const SignedOut = Type.Object({ signedOut: Type.Literal(true) })

export const SetUp = Type.Object(
  {
    token: Type.Optional(Token),
    secret: Type.Optional(Token),
    name: Name,
    email: EmailInput,
    workspaceName: Type.Optional(Name),
    ...chosenWay,
  },
  closed,
)

export const ReadInvitation = Type.Object({ token: Token }, closed)

export const InvitationToMe = Type.Object({
  email: Type.String(),
  workspace: Type.String(),
  role: NullableEnum(roles),
  projects: Type.Array(Type.Object({ projectId: IdOf('prj'), name: Type.String(), role: Type.Enum(projectRoles) })),
  invitedBy: Nullable(Type.String()),
  expiresAt: Timestamp,
})

export const Join = Type.Object({ token: Token, name: Name, ...chosenWay }, closed)

export const AskRecovery = Type.Object({ email: EmailInput }, closed)

export const Asked = Type.Object({ accepted: Type.Literal(true) })

export const FinishRecovery = Type.Object({ token: Token, ...chosenWay, ...codes }, closed)

export const UpdateMe = Type.Object(
  {
    name: Type.Optional(Name),
    locale: Type.Optional(Nullable(Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35 }))),
    timeZone: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 64 }))),
    singleKeys: Type.Optional(Type.Boolean()),
    preferences: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  closed,
)

export const ChangePassword = Type.Object({ password: Password }, closed)

export const AddPasskey = Type.Object({ name: Name, credential: RegistrationCredential }, closed)

export const RenamePasskey = Type.Object({ name: Name }, closed)

export const TotpSecret = Type.Object({ secret: Type.String(), uri: Type.String() })

export const ConfirmTotp = Type.Object({ code: Code }, closed)

export const RecoveryCodes = Type.Object({ recoveryCodes: Type.Array(Type.String()) })

export const ListMySessions = Type.Object(listQuery, closed)

export const MySessions = PageOf(Type.Object({ ...sessionFields, current: Type.Boolean() }))

export const RemovedPasskey = Deleted('psk')

export const EndedSession = Deleted('ses')

export const EndedSessions = Type.Object({ ended: Type.Integer() })
