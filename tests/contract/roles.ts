import { roles, type Role } from '../../src/core/roles.ts'
import { scopes, type Scope } from '../../src/core/scopes.ts'
import type { Route } from '../../src/http/route.ts'

/** What each role may change, and what it may only look at, written down a second time. */
const table: Readonly<Record<Role, { changes: string; reads: string; sends: boolean }>> = {
  owner: { changes: '*', reads: '*', sends: true },
  admin: { changes: '*', reads: '*', sends: true },
  developer: {
    changes: `email:send sms:send sms:read projects:read api-keys:write domains:read domains:write templates:write
              suppressions:write receiving:read receiving:write webhooks:write queue:write`,
    reads: 'audiences:write broadcasts:write automations:write stats:read audit:read',
    sends: true,
  },
  marketer: {
    changes: `email:send projects:read templates:write audiences:write broadcasts:write automations:write
              suppressions:write`,
    reads: 'domains:read receiving:read stats:read',
    sends: true,
  },
  author: {
    changes: 'projects:read templates:write audiences:write broadcasts:write automations:write',
    reads: 'email:send domains:read suppressions:write stats:read',
    sends: false,
  },
  viewer: {
    changes: '',
    reads: `email:send sms:send sms:read sms:manage sms:billing:read projects:read projects:write api-keys:write
            domains:read domains:write templates:write audiences:write broadcasts:write automations:write
            suppressions:write receiving:read receiving:write webhooks:write stats:read queue:write audit:read`,
    sends: false,
  },
}

const includes = (list: string, scope: Scope): boolean => list === '*' || list.split(/\s+/).includes(scope)

/** Every role in the workspace, and every one that there is in a project, in this one. */
export const holders = (projectId: string): { role: Role; project: string | undefined; what: string }[] =>
  roles.flatMap((role) => [
    { role, project: undefined, what: `${role} of the workspace` },
    ...(role === 'owner' ? [] : [{ role, project: projectId, what: `${role} of the project` }]),
  ])

/** The refusal that a person with this role has to get, or undefined if the call is theirs to make. */
export function refusalOf(role: Role, isWorkspace: boolean, { scope, path, reads, isSensitive, leaves }: Route) {
  const { changes, reads: seen, sends } = table[role]
  const refusal = { status: 403, body: { code: 'insufficient_scope', requiredScope: scope } }
  if (scope === 'people:write' && !isWorkspace) return refusal
  const isHeld = includes(changes, scope!) || (reads && !isSensitive && includes(seen, scope!))
  if (!isHeld) return refusal
  // What counts for the whole installation is for those who may do everything in the workspace.
  if (path.startsWith('/sending/') && !isWorkspace) return { status: 403, body: { code: 'project_not_allowed' } }
  if (path.startsWith('/sending/') && changes !== '*') return { status: 403, body: { missingScopes: ['*'] } }
  return leaves === true && !sends ? { status: 403, body: { code: 'may_not_send' } } : undefined
}

/** Whether a person with this role may make a key with the scope. What they can only read is not theirs to give. */
export const mayGive = (role: Role, scope: Scope | '*'): boolean => {
  const { changes } = table[role]
  return scope === '*' ? changes === '*' : includes(changes, 'api-keys:write') && includes(changes, scope)
}

/** The scopes that keys of a person with this role may have at most, as keys have them. */
export const givable = (role: Role): readonly string[] =>
  mayGive(role, '*') ? ['*'] : scopes.filter((scope) => mayGive(role, scope))
