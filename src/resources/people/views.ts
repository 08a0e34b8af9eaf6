import { encodeId } from '../../core/ids.ts'
import type { Invitation, InvitationView, MadeKey, Person, PersonSummary, PersonView, Roles } from './schema.ts'

export const personSummary = (person: Person): PersonSummary => ({
  id: encodeId('per', person.id),
  name: person.name,
  email: person.email,
  status: person.disabledAt === null ? 'active' : 'disabled',
  ...rolesView(person.roles),
  secondFactor: person.hasPasskey || person.hasTotp,
  lastSeenAt: person.lastSeenAt?.toISOString() ?? null,
  createdAt: person.createdAt.toISOString(),
})

export const personView = (person: Person, keys: readonly MadeKey[]): PersonView => ({
  ...personSummary(person),
  keys: keys.map(({ id }) => encodeId('key', id)),
})

export const rolesView = ({ workspace, projects }: Roles): Pick<PersonSummary, 'role' | 'projects'> => ({
  role: workspace,
  projects: projects.flatMap(({ projectId, role }) =>
    role === 'owner' ? [] : [{ projectId: encodeId('prj', projectId), role }],
  ),
})

export const invitationView = (invitation: Invitation): InvitationView => ({
  id: encodeId('inv', invitation.id),
  email: invitation.email,
  ...rolesView(invitation.roles),
  mailed: invitation.mailed,
  createdAt: invitation.createdAt.toISOString(),
  expiresAt: invitation.expiresAt.toISOString(),
})
