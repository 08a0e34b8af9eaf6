import { rmSync, writeFileSync } from 'node:fs'
import type { Clock } from '../core/clock.ts'
import { SetupError } from '../core/errors.ts'
import { encodeId, type WorkspaceId } from '../core/ids.ts'
import { Keys, operator } from '../resources/keys/index.ts'
import { newSetupLink } from '../resources/people/index.ts'
import { Projects } from '../resources/projects/index.ts'
import { Templates } from '../resources/templates/index.ts'
import { isUnavailable } from '../storage/outage.ts'
import { whenAvailable, type RetryOptions } from '../storage/when-available.ts'
import type { Database } from '../storage/postgres.ts'

export interface FirstKeys {
  workspaceKey: string
  projectKey: string
  projectId: string
}

/**
 * An empty installation gets a workspace, a project and a key for each, once; the secrets exist only in the answer, or
 * in the file that is named. Without all services: the supervisor, which asks at every start, would carry it around
 * from then on.
 *
 * An outage may take away only the answer to the commit. What was made is in doubt then, and kept until a later attempt
 * finds out whose workspace there is. When none does, the file stays: its keys may exist.
 */
export async function firstStart(
  db: Database,
  clock: Clock,
  file?: string,
  patience: RetryOptions = atOnce,
): Promise<FirstKeys | undefined> {
  const projects = projectsIn(db)
  const keys = new Keys(db, projects, clock)
  let doubtful: Made | undefined
  const discard = (): void => {
    if (doubtful !== undefined && file !== undefined) rmSync(file)
    doubtful = undefined
  }
  const keep = (made: Made): void => {
    discard()
    if (file !== undefined) writeDown(made.keys, file)
    doubtful = made
  }
  const attempt = async (): Promise<FirstKeys | undefined> => {
    const isMade = await make(db, projects, keys, keep)
    if (!isMade && doubtful !== undefined && doubtful.workspaceId !== (await projects.workspace())) discard()
    return doubtful?.keys
  }
  try {
    return await whenAvailable(attempt, patience)
  } catch (error) {
    // Keys that were never committed are no keys.
    if (!isUnavailable(error)) discard()
    throw error
  }
}

/** The link with which the first owner comes in; undefined once there is one. */
export const setupLink = (db: Database, publicUrl: string, patience: RetryOptions): Promise<string | undefined> =>
  whenAvailable(async () => {
    const workspaceId = await projectsIn(db).workspace()
    return workspaceId && newSetupLink(db, workspaceId, publicUrl)
  }, patience)

const atOnce: RetryOptions = { random: Math.random, mayRetry: () => false }

interface Made {
  workspaceId: WorkspaceId
  keys: FirstKeys
}

/** Runs before the transaction commits: if the file cannot be written, no keys exist whose secrets the operator never saw. */
function writeDown({ workspaceKey, projectKey, projectId }: FirstKeys, file: string): void {
  const lines = [`WORKSPACE_KEY=${workspaceKey}`, `PROJECT_KEY=${projectKey}`, `PROJECT_ID=${projectId}`, '']
  try {
    writeFileSync(file, lines.join('\n'), { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SetupError(
      `The first keys cannot be written to ${file} (${reason}). Name a file in FIRST_KEYS_FILE that does not exist yet.`,
    )
  }
}

/** False when there is a workspace already. */
const make = (db: Database, projects: Projects, keys: Keys, keep: (made: Made) => void): Promise<boolean> =>
  db.transaction(async (tx) => {
    const project = await projects.createWorkspaceIn(tx)
    if (project === undefined) return false
    const { workspaceId } = project
    const maker = operator(workspaceId)
    const projectId = encodeId('prj', project.id)
    const ours = { type: 'operator' } as const
    const workspaceKey = await keys.createIn(tx, maker, ours, { name: 'first workspace key', fullAccess: true })
    const projectKey = await keys.createIn(tx, maker, ours, { name: 'first project key', fullAccess: true, projectId })
    keep({ workspaceId, keys: { workspaceKey: workspaceKey.secret, projectKey: projectKey.secret, projectId } })
    return true
  })

function projectsIn(db: Database): Projects {
  const templates = new Templates(db, { ask: neverHere }, { usersOf: neverHere })
  return new Projects(db, {
    created: (tx, project) => templates.seedIn(tx, project),
    resumed: neverHere,
    archived: neverHere,
  })
}

const neverHere = (): Promise<never> => Promise.reject(new Error('a first start only creates'))
