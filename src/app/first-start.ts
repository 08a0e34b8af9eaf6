import type { Clock } from '../core/clock.ts'
import { encodeId } from '../core/ids.ts'
import { Keys, operator } from '../resources/keys/index.ts'
import { Projects } from '../resources/projects/index.ts'
import { Templates } from '../resources/templates/index.ts'
import type { Database } from '../storage/postgres.ts'

export interface FirstKeys {
  workspaceKey: string
  projectKey: string
  projectId: string
}

/**
 * An empty installation gets a workspace, a project and a key for each, once; the secrets exist only in the answer.
 * Without the whole house: the supervisor, which asks at every start, would carry it around from then on.
 */
export function firstStart(db: Database, clock: Clock): Promise<FirstKeys | undefined> {
  const templates = new Templates(db, { ask: neverHere }, { usersOf: neverHere })
  const projects = new Projects(db, {
    created: (tx, project) => templates.seedIn(tx, project),
    resumed: neverHere,
    archived: neverHere,
  })
  const keys = new Keys(db, projects, clock)
  return db.transaction(async (tx) => {
    const project = await projects.createWorkspaceIn(tx)
    if (project === undefined) return undefined
    const maker = operator(project.workspaceId)
    const projectId = encodeId('prj', project.id)
    const ours = { type: 'operator' } as const
    const workspaceKey = await keys.createIn(tx, maker, ours, { name: 'first workspace key', fullAccess: true })
    const projectKey = await keys.createIn(tx, maker, ours, { name: 'first project key', fullAccess: true, projectId })
    return { workspaceKey: workspaceKey.secret, projectKey: projectKey.secret, projectId }
  })
}

const neverHere = (): Promise<never> => Promise.reject(new Error('a first start only creates'))
