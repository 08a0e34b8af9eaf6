import type { Actor, ProjectContext } from '../../core/caller.ts'
import { DomainError, neededBy, notFound, type User } from '../../core/errors.ts'
import { encodeId, newId, type AudienceId, type ProjectId } from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { auditOf } from '../../events/audit.ts'
import type { Database, Db, Tx } from '../../storage/postgres.ts'
import type { Audience, AudienceView, CreateAudience, DeletedAudience, UpdateAudience } from './schema.ts'
import { audienceView } from './views.ts'
import * as store from './store.ts'

/** What others say and do in the transaction that deletes an audience. */
export interface AudienceLife {
  /** What is about to be sent to it. Whoever plans that holds the audience while planning. */
  usersOf(tx: Tx, project: ProjectId, audience: AudienceId): Promise<User[]>
  /** Its contacts are to go, and at the end `forget` is to be called. */
  deleted(tx: Tx, project: ProjectId, audience: AudienceId): Promise<void>
}

export class Audiences {
  readonly #db: Database
  readonly #life: AudienceLife

  constructor(db: Database, life: AudienceLife) {
    this.#db = db
    this.#life = life
  }

  async list({ id }: ProjectContext, request: PageRequest): Promise<Page<AudienceView>> {
    return page(await store.list(this.#db.reads, id, request), request, audienceView)
  }

  async read(project: ProjectContext, id: AudienceId): Promise<AudienceView> {
    return audienceView(await this.findIn(this.#db.reads, project.id, id))
  }

  create(project: ProjectContext, actor: Actor, { name, description = null }: CreateAudience): Promise<AudienceView> {
    return this.#db.transaction(async (tx) => {
      const id = newId<'aud'>()
      await store.insert(tx, project.id, id, name, description)
      await audit(tx, project, actor, 'audience.created', id, { name })
      return audienceView(await this.findIn(tx, project.id, id))
    })
  }

  update(project: ProjectContext, actor: Actor, id: AudienceId, change: UpdateAudience): Promise<AudienceView> {
    return this.#db.transaction(async (tx) => {
      if (!(await store.update(tx, project.id, id, change))) throw notFound('audience')
      await audit(tx, project, actor, 'audience.updated', id, change)
      return audienceView(await this.findIn(tx, project.id, id))
    })
  }

  /** From now on it cannot be seen or written to; its contacts are deleted in pieces, however many there are. */
  remove(project: ProjectContext, actor: Actor, id: AudienceId): Promise<DeletedAudience> {
    return this.#db.transaction(async (tx) => {
      const deleted = await store.markDeleted(tx, project.id, id)
      if (deleted === undefined) throw notFound('audience')
      const users = await this.#life.usersOf(tx, project.id, id)
      if (users.length > 0) throw inUse(users)
      await this.#life.deleted(tx, project.id, id)
      await audit(tx, project, actor, 'audience.deleted', id, deleted)
      return { id: encodeId('aud', id), deleted: true }
    })
  }

  /** Other resources find the audience of an id that a client wrote. */
  async findIn(db: Db, project: ProjectId, id: AudienceId): Promise<Audience> {
    const audience = await store.find(db, project, id)
    if (audience === undefined) throw notFound('audience')
    return audience
  }

  /** Locks it against deletion until the transaction ends, for a caller that writes something that needs it. */
  async hold(tx: Tx, project: ProjectId, id: AudienceId): Promise<void> {
    if (!(await store.hold(tx, project, id))) throw notFound('audience')
  }

  /** Forgets a deleted audience once its contacts are gone. */
  forget(tx: Tx, project: ProjectId, id: AudienceId): Promise<void> {
    return store.forget(tx, project, id)
  }
}

function inUse(users: readonly User[]): DomainError {
  const { sentence, usedBy } = neededBy('audience', users)
  return new DomainError('invalid_state', sentence, { state: 'in_use', usedBy })
}

const audit = auditOf('aud')
