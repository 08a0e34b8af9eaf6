import type { Actor, ProjectStatus, Visibility } from '../../core/caller.ts'
import { DomainError, notFound } from '../../core/errors.ts'
import { encodeId, newId, type ProjectId, type WorkspaceId } from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Database, Db, Tx } from '../../storage/postgres.ts'
import type {
  CreateProject,
  Project,
  ProjectTraceView,
  ProjectUsageView,
  ProjectView,
  TraceProject,
  UpdateProject,
} from './schema.ts'
import { projectUsageView, projectView } from './views.ts'
import { Quotas } from './quotas.ts'
import * as store from './store.ts'

/** How long an archived project can be made active again. */
export const RESTORABLE_DAYS = 30

/** What others do in the transaction of a project's moves; projects know nobody who leans on them. */
export interface ProjectHooks {
  created(tx: Tx, project: ProjectId): Promise<void>
  resumed(tx: Tx, project: ProjectId): Promise<void>
  /** What was cancelled when it was archived stays so. */
  archived(tx: Tx, project: ProjectId): Promise<void>
}

/**
 * active ⇄ paused; either → archived → active, for `RESTORABLE_DAYS`. Nothing in an archived project is written. A key
 * that is bound to a project may rename it; only workspace keys decide whether and how much it may send.
 */
export class Projects {
  readonly #db: Database
  readonly #hooks: ProjectHooks

  constructor(db: Database, hooks: ProjectHooks) {
    this.#db = db
    this.#hooks = hooks
  }

  async list(
    visibility: Visibility,
    status: ProjectStatus | undefined,
    request: PageRequest,
  ): Promise<Page<ProjectView>> {
    return page(await store.list(this.#db.reads, visibility, status, request), request, projectView)
  }

  async read(visibility: Visibility, id: ProjectId): Promise<ProjectView> {
    return projectView(await this.findIn(this.#db.reads, visibility, id))
  }

  async usage(visibility: Visibility, id: ProjectId): Promise<ProjectUsageView> {
    const usage = await store.usage(this.#db.reads, visibility, id)
    if (usage === undefined) throw notFound('project')
    return projectUsageView(usage)
  }

  /** Other resources find the project of an id that a client wrote. */
  async findIn(db: Db, visibility: Visibility, id: ProjectId): Promise<Project> {
    const project = await store.find(db, visibility, id)
    if (project === undefined) throw notFound('project')
    return project
  }

  create(visibility: Visibility, actor: Actor, fields: CreateProject): Promise<ProjectView> {
    if (visibility.projectIds !== null) {
      throw new DomainError(
        'project_not_allowed',
        'Only those who see the whole workspace create projects: use a workspace key, or ask an owner.',
      )
    }
    return this.#db.transaction(async (tx) =>
      projectView(await this.createIn(tx, visibility.workspaceId, actor, fields)),
    )
  }

  async createIn(tx: Tx, workspaceId: WorkspaceId, actor: Actor, fields: CreateProject): Promise<Project> {
    const project = await store.insert(tx, workspaceId, newId<'prj'>(), fields)
    await audit(tx, actor, 'project.created', project, { name: project.name })
    await this.#hooks.created(tx, project.id)
    return project
  }

  update(visibility: Visibility, actor: Actor, id: ProjectId, change: UpdateProject): Promise<ProjectView> {
    const { name: _, ...reserved } = change
    return this.#db.transaction(async (tx) => {
      if (Object.keys(reserved).length > 0) await this.#requireWorkspaceKey(tx, visibility, id)
      const project = await store.update(tx, visibility, id, change)
      if (project === undefined) throw await whyNot(tx, visibility, id)
      await audit(tx, actor, 'project.updated', project, { ...change })
      if (change.status === 'active') await this.#hooks.resumed(tx, project.id)
      return projectView(project)
    })
  }

  /** For so long what was said is also kept of mail that was taken. */
  trace(visibility: Visibility, actor: Actor, id: ProjectId, { minutes }: TraceProject): Promise<ProjectTraceView> {
    return this.#db.transaction(async (tx) => {
      const project = await store.trace(tx, visibility, id, minutes)
      if (project === undefined) throw await whyNot(tx, visibility, id)
      await audit(tx, actor, 'project.traced', project, { minutes })
      return { projectId: encodeId('prj', project.id), until: project.tracedUntil.toISOString() }
    })
  }

  archive(visibility: Visibility, actor: Actor, id: ProjectId): Promise<ProjectView> {
    return this.#db.transaction(async (tx) => {
      await this.#requireWorkspaceKey(tx, visibility, id)
      const project = await store.archive(tx, visibility, id)
      if (project === undefined) throw await whyNot(tx, visibility, id)
      await audit(tx, actor, 'project.archived', project, {})
      await this.#hooks.archived(tx, project.id)
      return projectView(project)
    })
  }

  /** An archived project is active again. Its keys work as before; mail that archiving cancelled is not sent. */
  restore(visibility: Visibility, actor: Actor, id: ProjectId): Promise<ProjectView> {
    return this.#db.transaction(async (tx) => {
      await this.#requireWorkspaceKey(tx, visibility, id)
      const project = await store.restore(tx, visibility, id, RESTORABLE_DAYS)
      if (project === undefined) throw await this.#whyNotRestored(tx, visibility, id)
      await audit(tx, actor, 'project.restored', project, {})
      await this.#hooks.resumed(tx, project.id)
      return projectView(project)
    })
  }

  async #requireWorkspaceKey(tx: Tx, visibility: Visibility, id: ProjectId): Promise<void> {
    if (visibility.projectIds === null) return
    // A project that the key cannot see is answered like one that never existed.
    await this.findIn(tx, visibility, id)
    throw new DomainError(
      'insufficient_scope',
      'A key or a role that is bound to a project can only rename it. Its status and quota are changed, and it is archived and restored, with a workspace key or by an admin of the workspace.',
    )
  }

  async #whyNotRestored(tx: Tx, visibility: Visibility, id: ProjectId): Promise<DomainError> {
    const { status } = await this.findIn(tx, visibility, id)
    const sentence =
      status === 'archived'
        ? `The project was archived more than ${RESTORABLE_DAYS} days ago and can no longer be restored.`
        : `Only an archived project can be restored; this one is ${status}.`
    return new DomainError('invalid_state', sentence, { state: status })
  }

  /** Opens the quotas for mail that is accepted in the caller's transaction; they stay locked until it ends. */
  openQuotas(tx: Tx, projects: readonly ProjectId[]): Promise<Quotas> {
    return Quotas.open(tx, projects)
  }

  /** The statuses as the caller's transaction sees them: a request may have waited while its project was paused. */
  async statusesIn(tx: Tx, projects: readonly ProjectId[]): Promise<Map<ProjectId, ProjectStatus>> {
    const rows = await store.statuses(tx, projects)
    return new Map(rows.map(({ id, status }) => [id, status]))
  }

  /** The workspace of this installation; undefined before its first start. */
  async workspace(): Promise<WorkspaceId | undefined> {
    return (await store.firstWorkspace(this.#db))?.id
  }

  /** Makes the workspace and its first project, once; undefined when that has been done before. */
  async createWorkspaceIn(tx: Tx): Promise<Project | undefined> {
    await store.lockFirstStart(tx)
    if ((await store.firstWorkspace(tx)) !== undefined) return undefined
    const workspaceId = newId<'acc'>()
    await store.insertWorkspace(tx, workspaceId, 'default')
    return this.createIn(tx, workspaceId, { type: 'operator' }, { name: 'default' })
  }
}

/** Why a write touched nothing. */
async function whyNot(tx: Tx, visibility: Visibility, id: ProjectId): Promise<DomainError> {
  const archived = (await store.find(tx, visibility, id)) !== undefined
  return archived ? new DomainError('project_archived', 'The project is archived.') : notFound('project')
}

const audit = (
  tx: Tx,
  actor: Actor,
  action: 'project.created' | 'project.updated' | 'project.traced' | 'project.archived' | 'project.restored',
  project: Project,
  details: Readonly<Record<string, unknown>>,
): Promise<void> =>
  recordAudit(tx, actor, {
    workspaceId: project.workspaceId,
    projectId: project.id,
    action,
    subject: encodeId('prj', project.id),
    details,
  })
