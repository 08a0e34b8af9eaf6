import { Type, type Static } from 'typebox'
import type { EmailId, InvitationId, KeyId, PersonId, ProjectId, WorkspaceId } from '../../core/ids.ts'
import { projectRoles, roles, type Role } from '../../core/roles.ts'
import {
  Deleted,
  EmailAddress,
  EmailInput,
  IdInput,
  IdOf,
  listQuery,
  Name,
  named,
  Nullable,
  NullableEnum,
  PageOf,
  Timestamp,
} from '../../shapes/shapes.ts'

const WorkspaceRole = NullableEnum(roles)

const ProjectRole = named('ProjectRole', Type.Object({ projectId: IdOf('prj'), role: Type.Enum(projectRoles) }))

const roleFields = {
  role: WorkspaceRole,
  projects: Type.Array(ProjectRole),
}

const personFields = {
  id: IdOf('per'),
  name: Type.String(),
  email: EmailAddress,
  status: Type.Enum(['active', 'disabled']),
  ...roleFields,
  secondFactor: Type.Boolean({ description: 'Whether they have a passkey or codes of an authenticator.' }),
  lastSeenAt: Nullable(Timestamp),
  createdAt: Timestamp,
}

export const PersonSummary = named('WorkspacePersonSummary', Type.Object(personFields))
export type PersonSummary = Static<typeof PersonSummary>

export const PersonPage = PageOf(PersonSummary)

export const PersonView = named(
  'WorkspacePerson',
  Type.Object({
    ...personFields,
    keys: Type.Array(IdOf('key'), { description: 'The live API keys that they made.' }),
  }),
)
export type PersonView = Static<typeof PersonView>

export const ListPeople = Type.Object(
  {
    ...listQuery,
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'A part of the name or of the address.' }),
    ),
    role: Type.Optional(Type.Enum(roles, { description: 'Who has this role, in the workspace or in a project.' })),
    projectId: Type.Optional(IdInput('prj')),
  },
  { additionalProperties: false },
)
export type ListPeople = Static<typeof ListPeople>

const MAX_PROJECT_ROLES = 1_000

const ProjectRoleInput = named(
  'ProjectRoleInput',
  Type.Object({ projectId: IdInput('prj'), role: Type.Enum(projectRoles) }, { additionalProperties: false }),
)

const roleInput = {
  role: Type.Optional(NullableEnum(roles)),
  projects: Type.Optional(
    Type.Array(ProjectRoleInput, {
      maxItems: MAX_PROJECT_ROLES,
      description: 'All roles in single projects: those that are not named end.',
    }),
  ),
}

export const UpdatePerson = named(
  'UpdatePerson',
  Type.Object(
    { ...roleInput, disabled: Type.Optional(Type.Boolean()) },
    { additionalProperties: false, examples: [{ role: 'developer' }] },
  ),
)
export type UpdatePerson = Static<typeof UpdatePerson>

const keysFate = {
  keys: Type.Optional(
    Type.Enum(['keep', 'revoke'], {
      description: 'What becomes of the API keys that they made, and of those that these made; `keep` if omitted.',
    }),
  ),
}

export const RemovePerson = named('RemovePerson', Type.Object(keysFate, { additionalProperties: false }))
export type RemovePerson = Static<typeof RemovePerson>

/** Many clients cannot send a body with DELETE. */
export const RemovePersonQuery = Type.Object(keysFate, { additionalProperties: false })

export const ListSessions = Type.Object(listQuery, { additionalProperties: false })

export const RemovedPersonView = named(
  'RemovedPerson',
  Type.Object({ ...Deleted('per').properties, revokedKeys: Type.Integer() }),
)
export type RemovedPersonView = Static<typeof RemovedPersonView>

export const RecoveryLinkView = named(
  'RecoveryLink',
  Type.Object({ link: Type.String({ description: 'Shown here and never again.' }), expiresAt: Timestamp }),
)
export type RecoveryLinkView = Static<typeof RecoveryLinkView>

export const EndedSessionsView = named('EndedSessions', Type.Object({ ended: Type.Integer() }))

const invitationFields = {
  id: IdOf('inv'),
  email: EmailAddress,
  ...roleFields,
  mailed: Type.Boolean({ description: 'Whether the link was sent to the address.' }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
}

export const InvitationView = named('Invitation', Type.Object(invitationFields))
export type InvitationView = Static<typeof InvitationView>

export const InvitationPage = PageOf(InvitationView)

export const NewInvitationView = named(
  'NewInvitation',
  Type.Object({ ...invitationFields, link: Type.String({ description: 'Shown here and never again.' }) }),
)
export type NewInvitationView = Static<typeof NewInvitationView>

export const WithdrawnInvitationView = named('WithdrawnInvitation', Deleted('inv'))
export type WithdrawnInvitationView = Static<typeof WithdrawnInvitationView>

export const CreateInvitation = named(
  'CreateInvitation',
  Type.Object(
    { email: EmailInput, ...roleInput },
    { additionalProperties: false, examples: [{ email: 'ada@example.com', role: 'developer' }] },
  ),
)
export type CreateInvitation = Static<typeof CreateInvitation>

export const ListInvitations = Type.Object(listQuery, { additionalProperties: false })

const secondFactorRules = ['optional', 'required'] as const

export const WorkspaceView = named(
  'Workspace',
  Type.Object({
    id: IdOf('acc'),
    name: Type.String(),
    sessionDays: Type.Integer({ description: 'A person stays signed in for at most so many days.' }),
    sessionIdleHours: Type.Integer({ description: 'A person is signed out after so many hours without a request.' }),
    secondFactor: Type.Enum(secondFactorRules, {
      description: 'With `required`, a person without a passkey or an authenticator can do nothing but add one.',
    }),
    createdAt: Timestamp,
  }),
)
export type WorkspaceView = Static<typeof WorkspaceView>

export const UpdateWorkspace = named(
  'UpdateWorkspace',
  Type.Object(
    {
      name: Type.Optional(Name),
      sessionDays: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 365 }))),
      sessionIdleHours: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 8_760 }))),
      secondFactor: Type.Optional(Type.Enum(secondFactorRules)),
    },
    { additionalProperties: false },
  ),
)
export type UpdateWorkspace = Static<typeof UpdateWorkspace>

const MAX_CREDENTIAL_LENGTH = 16_384
const Base64Url = Type.String({ minLength: 1, maxLength: MAX_CREDENTIAL_LENGTH, pattern: '^[A-Za-z0-9_-]+$' })

const credentialFields = { id: Base64Url, rawId: Base64Url, type: Type.Literal('public-key') }

/** What `PublicKeyCredential.toJSON()` gives for a new passkey. Browsers add more fields over time. */
export const RegistrationCredential = Type.Object({
  ...credentialFields,
  response: Type.Object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20 })),
  }),
})
export type RegistrationCredential = Static<typeof RegistrationCredential>

/** The same for a passkey that was used. */
export const AuthenticationCredential = Type.Object({
  ...credentialFields,
  response: Type.Object({ clientDataJSON: Base64Url, authenticatorData: Base64Url, signature: Base64Url }),
})
export type AuthenticationCredential = Static<typeof AuthenticationCredential>

/** What a person may do: a role in the workspace, roles in single projects, or both. */
export interface Roles {
  workspace: Role | null
  projects: { projectId: ProjectId; role: Role }[]
}

export interface Person {
  id: PersonId
  workspaceId: WorkspaceId
  name: string
  email: string
  roles: Roles
  hasPassword: boolean
  hasTotp: boolean
  hasPasskey: boolean
  createdAt: Date
  lastSeenAt: Date | null
  disabledAt: Date | null
}

export interface Invitation {
  id: InvitationId
  workspaceId: WorkspaceId
  email: string
  roles: Roles
  invitedBy: PersonId | null
  mailed: boolean
  createdAt: Date
  expiresAt: Date
}

/** How a link is known: by the hash of its token, or by the email that carries it. */
export interface LinkMark {
  tokenHash: Buffer | null
  emailId: EmailId | null
}

export interface MadeKey {
  id: KeyId
}

export interface Workspace {
  id: WorkspaceId
  name: string
  sessionDays: number | null
  sessionIdleHours: number | null
  secondFactorRequired: boolean
  createdAt: Date
}
