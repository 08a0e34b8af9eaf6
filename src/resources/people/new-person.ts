import type { Visitor } from '../../core/caller.ts'
import { DomainError, invalid } from '../../core/errors.ts'
import { encodeId, newId, type PersonId, type WorkspaceId } from '../../core/ids.ts'
import { recordAudit } from '../../events/audit.ts'
import { parseAddress } from '../../mail/address.ts'
import type { Tx } from '../../storage/postgres.ts'
import { deviceOf, type Sessions, type StartedSession } from '../sessions/index.ts'
import type { Roles } from './schema.ts'
import type { NewPasskey } from './store/passkeys.ts'
import * as store from './store/people.ts'
import { rolesView } from './views.ts'
import { addPasskeyIn } from './ways-in.ts'

export interface NewPerson {
  workspaceId: WorkspaceId
  name: string
  email: string
  emailVerified: boolean
  /** The hash of the password; null for a person who signs in with a passkey. */
  password: string | null
  passkey: NewPasskey | null
  roles: Roles
}

/** Makes a person and signs them in, in the transaction that proves that they may join. */
export async function joinIn(
  tx: Tx,
  sessions: Sessions,
  visitor: Visitor,
  fields: NewPerson,
): Promise<StartedSession & { personId: PersonId }> {
  const { roles, workspaceId, passkey } = fields
  const id = newId<'per'>()
  if ((await store.insert(tx, { ...fields, id })) === undefined) {
    throw new DomainError('already_exists', 'There is a person with this address already: sign in instead.')
  }
  await store.setRoles(tx, workspaceId, id, roles)
  const started = await sessions.startIn(tx, { id, workspaceId }, visitor)
  const { sessionId } = started
  const actor = { type: 'person', personId: id, sessionId, requestId: visitor.requestId } as const
  const subject = encodeId('per', id)
  await recordAudit(tx, actor, {
    workspaceId,
    projectId: null,
    action: 'person.joined',
    subject,
    details: rolesView(roles),
  })
  if (passkey !== null) {
    await addPasskeyIn(tx, { actor, personId: id, workspaceId }, deviceOf(visitor.userAgent), passkey)
  }
  return { ...started, personId: id }
}

/** The address as it is stored: without a name, and checked. */
export function readEmailAddress(text: string): string {
  const parsed = parseAddress(text)
  if (!parsed.ok) throw invalid([{ path: '/email', message: parsed.problem }])
  return parsed.value.email
}
