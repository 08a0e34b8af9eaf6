import { rmSync, writeFileSync } from 'node:fs'
import type { Clock } from '../core/clock.ts'
import { SetupError } from '../core/errors.ts'
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
 * An empty installation gets a workspace, a project and a key for each, once; the secrets exist only in the answer, or
 * in the file that is named. Without the whole house: the supervisor, which asks at every start, would carry it around
 * from then on.
 */
export async function firstStart(db: Database, clock: Clock, file?: string): Promise<FirstKeys | undefined> {
  let written: string | undefined
  try {
    return await make(db, clock, (keys) => {
      if (file !== undefined) written = writeDown(keys, file)
    })
  } catch (error) {
    // Keys that were never committed are no keys.
    if (written !== undefined) rmSync(written)
    throw error
  }
}

/** Runs before the transaction commits: if the file cannot be written, no keys exist whose secrets the operator never saw. */
function writeDown({ workspaceKey, projectKey, projectId }: FirstKeys, file: string): string {
  const lines = [`WORKSPACE_KEY=${workspaceKey}`, `PROJECT_KEY=${projectKey}`, `PROJECT_ID=${projectId}`, '']
  try {
    writeFileSync(file, lines.join('\n'), { flag: 'wx', mode: 0o600, flush: true })
    return file
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SetupError(
      `The first keys cannot be written to ${file} (${reason}). Name a file in FIRST_KEYS_FILE that does not exist yet.`,
    )
  }
}

function make(db: Database, clock: Clock, keep: (keys: FirstKeys) => void): Promise<FirstKeys | undefined> {
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
    const made = { workspaceKey: workspaceKey.secret, projectKey: projectKey.secret, projectId }
    keep(made)
    return made
  })
}

const neverHere = (): Promise<never> => Promise.reject(new Error('a first start only creates'))
