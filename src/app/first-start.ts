import type { Database } from '../storage/postgres.ts'
import { operator } from '../resources/keys/index.ts'
import { encodeId } from '../core/ids.ts'
import type { House } from './compose.ts'

export interface FirstKeys {
  workspaceKey: string
  projectKey: string
  projectId: string
}

/** An empty installation gets a workspace, a project and a key for each, once; the secrets exist only in the answer. */
export const firstStart = (db: Database, { projects, keys }: House): Promise<FirstKeys | undefined> =>
  db.transaction(async (tx) => {
    const project = await projects.createWorkspaceIn(tx)
    if (project === undefined) return undefined
    const maker = operator(project.workspaceId)
    const projectId = encodeId('prj', project.id)
    const ours = { type: 'operator' } as const
    const workspaceKey = await keys.createIn(tx, maker, ours, { name: 'first workspace key', fullAccess: true })
    const projectKey = await keys.createIn(tx, maker, ours, { name: 'first project key', fullAccess: true, projectId })
    return { workspaceKey: workspaceKey.secret, projectKey: projectKey.secret, projectId }
  })
