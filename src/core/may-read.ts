import type { Caller } from './caller.ts'
import { holds } from './roles.ts'
import { grants, type Scope } from './scopes.ts'

/** Whether the caller could read what this scope shows, whatever scope the call itself requires. */
export const mayRead = (caller: Caller, scope: Scope): boolean =>
  caller.type === 'key'
    ? grants(caller, scope)
    : holds({ role: caller.role, isWorkspace: caller.projectIds === null }, scope, true)
