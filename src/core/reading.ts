import type { Caller } from './caller.ts'
import type { ProjectId } from './ids.ts'
import { holds } from './roles.ts'
import { grants, type Scope } from './scopes.ts'

/**
 * The projects in which a caller can read what a scope shows, by a route of that scope; null is the whole workspace. A
 * person may have several roles, and reads with each of them where it counts.
 */
export function projectsRead(caller: Caller, scope: Scope): readonly ProjectId[] | null {
  if (caller.type === 'key') return grants(caller, scope) ? caller.projectIds : []
  const { workspaceRole, projectRoles } = caller
  if (workspaceRole !== null && holds({ role: workspaceRole, isWorkspace: true }, scope, true)) return null
  return [...projectRoles].filter(([, role]) => holds({ role, isWorkspace: false }, scope, true)).map(([id]) => id)
}

export function readsIn(caller: Caller, scope: Scope, project: ProjectId): boolean {
  const projects = projectsRead(caller, scope)
  return projects === null || projects.includes(project)
}
