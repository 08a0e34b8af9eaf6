import { invalid, notFound } from '../../core/errors.ts'
import { decodeId, type WorkspaceId } from '../../core/ids.ts'
import type { Tx } from '../../storage/postgres.ts'
import type { CreateInvitation, Roles } from './schema.ts'
import * as store from './store/people.ts'

type RoleInput = Pick<CreateInvitation, 'role' | 'projects'>

/** The roles that a request asks for; what it leaves out stays as it is. */
export async function readRoles(tx: Tx, workspace: WorkspaceId, input: RoleInput, present: Roles): Promise<Roles> {
  const projects = input.projects?.map(({ projectId, role }) => {
    const id = decodeId('prj', projectId)
    if (id === undefined) throw notFound('project')
    return { projectId: id, role }
  })
  const roles = {
    workspace: input.role === undefined ? present.workspace : input.role,
    projects: (projects ?? present.projects).toSorted((a, b) => (a.projectId < b.projectId ? -1 : 1)),
  }
  const ids = new Set(projects?.map(({ projectId }) => projectId))
  if (projects !== undefined && ids.size < projects.length) {
    throw invalid([{ path: '/projects', message: 'names a project twice: a person has one role in each' }])
  }
  if (roles.workspace === null && roles.projects.length === 0) {
    throw invalid([
      { path: '/role', message: 'is required where projects names none: without a role there is nothing to see' },
    ])
  }
  if ((await store.knownProjects(tx, workspace, [...ids])).length < ids.size) throw notFound('project')
  return roles
}
