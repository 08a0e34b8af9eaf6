import type { Actor } from '../../core/caller.ts'
import { invalid } from '../../core/errors.ts'
import { encodeId, type WorkspaceId } from '../../core/ids.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Database } from '../../storage/postgres.ts'
import type { Sessions } from '../sessions/index.ts'
import { powerIn, requireWorkspace, type ChangerOfPeople } from './power.ts'
import type { UpdateWorkspace, Workspace, WorkspaceView } from './schema.ts'
import { lock } from './store/people.ts'
import * as store from './store/workspace.ts'

/** The workspace itself: its name, and how careful its people have to be. */
export class Workspaces {
  readonly #db: Database
  readonly #sessions: Sessions

  constructor(db: Database, sessions: Sessions) {
    this.#db = db
    this.#sessions = sessions
  }

  async read(id: WorkspaceId): Promise<WorkspaceView> {
    return this.#view(await store.find(this.#db.reads, id))
  }

  update(changer: ChangerOfPeople, actor: Actor, change: UpdateWorkspace): Promise<WorkspaceView> {
    requireWorkspace(changer)
    this.#refuseLonger(change)
    return this.#db.transaction(async (tx) => {
      await lock(tx, changer.workspaceId)
      await powerIn(tx, changer)
      const workspace = await store.update(tx, changer.workspaceId, change)
      const subject = encodeId('acc', workspace.id)
      const entry = { workspaceId: workspace.id, projectId: null, subject, details: { ...change } }
      await recordAudit(tx, actor, { ...entry, action: 'workspace.updated' })
      return this.#view(workspace)
    })
  }

  /** The operator's limits can be shortened, not lengthened. */
  #refuseLonger({ sessionDays, sessionIdleHours }: UpdateWorkspace): void {
    const { days, idleHours } = this.#sessions.limits
    const problems = [
      ...((sessionDays ?? 0) > days ? [{ path: '/sessionDays', message: `must be at most ${days}` }] : []),
      ...((sessionIdleHours ?? 0) > idleHours
        ? [{ path: '/sessionIdleHours', message: `must be at most ${idleHours}` }]
        : []),
    ]
    if (problems.length > 0) throw invalid(problems)
  }

  #view(workspace: Workspace): WorkspaceView {
    const { days, idleHours } = this.#sessions.limits
    return {
      id: encodeId('acc', workspace.id),
      name: workspace.name,
      sessionDays: Math.min(days, workspace.sessionDays ?? days),
      sessionIdleHours: Math.min(idleHours, workspace.sessionIdleHours ?? idleHours),
      secondFactor: workspace.secondFactorRequired ? 'required' : 'optional',
      createdAt: workspace.createdAt.toISOString(),
    }
  }
}
