import { DomainError } from './errors.ts'
import { scopes, type Grant, type Scope } from './scopes.ts'

/** The widest comes first. */
export const roles = ['owner', 'admin', 'developer', 'marketer', 'author', 'viewer'] as const
export type Role = (typeof roles)[number]

/** Only these can be had in a single project: an owner owns the workspace. */
export const projectRoles = roles.filter((role) => role !== 'owner')

export interface RoleGrant extends Grant {
  /** Scopes of which the role can only read what they show. */
  reads: readonly Scope[]
  /** Whether anything may leave the house because of what the role does. */
  maySend: boolean
}

const everything = { fullAccess: true, scopes: [], reads: [], maySend: true, contentAccess: 'all' } as const

const writing = [
  'projects:read',
  'templates:write',
  'audiences:write',
  'broadcasts:write',
  'automations:write',
] as const satisfies readonly Scope[]

/** What each role may do. No other place decides it. */
export const roleGrants: Readonly<Record<Role, RoleGrant>> = {
  owner: everything,
  admin: everything,
  developer: {
    fullAccess: false,
    scopes: [
      'email:send',
      'sms:send',
      'sms:read',
      'projects:read',
      'api-keys:write',
      'domains:read',
      'domains:write',
      'templates:write',
      'suppressions:write',
      'receiving:read',
      'receiving:write',
      'webhooks:write',
      'queue:write',
    ],
    reads: ['audiences:write', 'broadcasts:write', 'automations:write', 'stats:read', 'audit:read'],
    maySend: true,
    contentAccess: 'all',
  },
  marketer: {
    fullAccess: false,
    scopes: ['email:send', ...writing, 'suppressions:write'],
    reads: ['domains:read', 'receiving:read', 'stats:read'],
    maySend: true,
    contentAccess: 'all',
  },
  author: {
    fullAccess: false,
    scopes: writing,
    reads: ['email:send', 'domains:read', 'suppressions:write', 'stats:read'],
    maySend: false,
    contentAccess: 'all',
  },
  viewer: {
    fullAccess: false,
    scopes: [],
    reads: scopes.filter((scope) => scope !== 'people:write'),
    maySend: false,
    contentAccess: 'all',
  },
}

/** People belong to the workspace: a role in one project, however wide, does not change them. */
const workspaceScopes: ReadonlySet<Scope> = new Set(['people:write'])

export interface Held {
  role: Role
  /** Whether the role is held in the workspace, and so in each of its projects. */
  isWorkspace: boolean
}

export function holds({ role, isWorkspace }: Held, scope: Scope, isReading: boolean): boolean {
  if (!isWorkspace && workspaceScopes.has(scope)) return false
  const { fullAccess, scopes: changed, reads } = roleGrants[role]
  return fullAccess || changed.includes(scope) || (isReading && reads.includes(scope))
}

export function requireSending(role: Role): void {
  if (roleGrants[role].maySend) return
  throw new DomainError('may_not_send', `Your role ${role} may write but not send: ask a person whose role may send.`)
}

export const isWider = (role: Role, than: Role): boolean => roles.indexOf(role) < roles.indexOf(than)
