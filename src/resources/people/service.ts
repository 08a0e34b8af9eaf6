import type { Actor } from '../../core/caller.ts'
import { DomainError, notFound } from '../../core/errors.ts'
import { decodeId, encodeId, type PersonId, type ProjectId, type WorkspaceId } from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { Sessions, SessionView } from '../sessions/index.ts'
import { isBound, powerIn, refuseWider, requireWorkspace, type ChangerOfPeople } from './power.ts'
import { readRoles } from './role-input.ts'
import type {
  ListPeople,
  Person,
  PersonSummary,
  PersonView,
  RemovedPersonView,
  RemovePerson,
  Roles,
  UpdatePerson,
} from './schema.ts'
import * as invitations from './store/invitations.ts'
import * as links from './store/links.ts'
import * as store from './store/people.ts'
import { personSummary, personView, rolesView } from './views.ts'

/** What later resources do in the transaction of a change; this resource does not know them. */
export interface PeopleLife {
  /** Revokes the keys that the person made, and those that these made. Answers how many. */
  revokeKeys(tx: Tx, actor: Actor, workspace: WorkspaceId, person: PersonId): Promise<number>
}

interface PeopleOptions {
  db: Database
  sessions: Sessions
  life: PeopleLife
}

/**
 * active ⇄ disabled; either → removed, for good. A change of roles, disabling and removing end all sessions of the person,
 * and withdraw their invitations and the links that they made for others. There is always an owner who can sign in.
 */
export class People {
  readonly #options: PeopleOptions

  constructor(options: PeopleOptions) {
    this.#options = options
  }

  async list(reader: ChangerOfPeople, query: ListPeople, request: PageRequest): Promise<Page<PersonSummary>> {
    const { db } = this.#options
    if (query.projectId !== undefined) requireWorkspace(reader)
    const projectId = query.projectId === undefined ? null : await this.#project(reader.workspaceId, query.projectId)
    const filter = { q: query.q ?? null, role: query.role ?? null, projectId }
    const rows = isBound(reader) ? [] : await store.list(db.reads, reader.workspaceId, filter, request)
    return page(rows, request, personSummary)
  }

  async read(reader: ChangerOfPeople, id: PersonId): Promise<PersonView> {
    const { db } = this.#options
    const person = await this.#findFor(reader, id)
    return personView(person, await store.keysOf(db.reads, reader.workspaceId, id))
  }

  /** By their address, for the operator. */
  async readByEmail(workspace: WorkspaceId, email: string): Promise<Person> {
    return present(await store.findByEmail(this.#options.db, workspace, email))
  }

  async change(changer: ChangerOfPeople, actor: Actor, id: PersonId, fields: UpdatePerson): Promise<PersonView> {
    const { disabled } = fields
    // A bound key that names a project hears that it may not (403); otherwise there is no person for it, which is 404.
    if (fields.projects !== undefined) requireWorkspace(changer)
    await this.#changing(changer, id, async (tx, person, refuse) => {
      const roles = await readRoles(tx, person.workspaceId, fields, person.roles)
      refuse(roles)
      const isOwner = roles.workspace === 'owner' && !(disabled ?? person.disabledAt !== null)
      if (!isOwner) await keepAnOwner(tx, person)
      if (JSON.stringify(roles) !== JSON.stringify(person.roles)) await this.#setRoles(tx, actor, person, roles)
      if (disabled !== undefined && (await store.setDisabled(tx, person.workspaceId, id, disabled))) {
        await audit(tx, actor, disabled ? 'person.disabled' : 'person.enabled', person)
        if (disabled) await this.#shutOut(tx, actor, person)
      }
    })
    return this.read(changer, id)
  }

  remove(
    changer: ChangerOfPeople,
    actor: Actor,
    id: PersonId,
    keys: RemovePerson['keys'] = 'keep',
  ): Promise<RemovedPersonView> {
    return this.#changing(changer, id, async (tx, person) => {
      await keepAnOwner(tx, person)
      await this.#shutOut(tx, actor, person)
      await store.remove(tx, person.workspaceId, id)
      const { revokeKeys } = this.#options.life
      const revokedKeys = keys === 'revoke' ? await revokeKeys(tx, actor, person.workspaceId, id) : 0
      await audit(tx, actor, 'person.removed', person, { revokedKeys })
      return { id: encodeId('per', id), deleted: true, revokedKeys }
    })
  }

  /** Signs the person out everywhere. */
  signOut(changer: ChangerOfPeople, actor: Actor, id: PersonId): Promise<number> {
    return this.#changing(changer, id, (tx) => this.#options.sessions.endAllIn(tx, actor, id))
  }

  async listSessions(reader: ChangerOfPeople, id: PersonId, request: PageRequest): Promise<Page<SessionView>> {
    await this.#findFor(reader, id)
    return this.#options.sessions.list(reader.workspaceId, id, request)
  }

  async #changing<T>(
    changer: ChangerOfPeople,
    id: PersonId,
    work: (tx: Tx, person: Person, refuse: (wanted: Roles) => void) => Promise<T>,
  ): Promise<T> {
    if (isBound(changer)) throw notFound('person')
    return this.#options.db.transaction(async (tx) => {
      await store.lock(tx, changer.workspaceId)
      const power = await powerIn(tx, changer)
      const person = present(await store.find(tx, changer.workspaceId, id))
      refuseWider(power, person.roles)
      return work(tx, person, (wanted) => refuseWider(power, wanted))
    })
  }

  async #findFor(reader: ChangerOfPeople, id: PersonId): Promise<Person> {
    return present(isBound(reader) ? undefined : await store.find(this.#options.db.reads, reader.workspaceId, id))
  }

  async #project(workspace: WorkspaceId, text: string): Promise<ProjectId> {
    const id = decodeId('prj', text)
    const known = id === undefined ? [] : await store.knownProjects(this.#options.db.reads, workspace, [id])
    if (known[0] === undefined) throw notFound('project')
    return known[0].id
  }

  async #setRoles(tx: Tx, actor: Actor, person: Person, roles: Roles): Promise<void> {
    await store.setRoles(tx, person.workspaceId, person.id, roles)
    const [from, to] = [rolesView(person.roles), rolesView(roles)]
    await audit(tx, actor, 'person.role_changed', person, { from, to })
    await this.#shutOut(tx, actor, person)
  }

  /** Whatever was begun with the old roles ends with them. */
  async #shutOut(tx: Tx, actor: Actor, { id, workspaceId }: Person): Promise<void> {
    await this.#options.sessions.endAllIn(tx, actor, id)
    await invitations.endThoseOf(tx, workspaceId, id)
    await links.endThoseOf(tx, workspaceId, id)
  }
}

function present(person: Person | undefined): Person {
  if (person === undefined) throw notFound('person')
  return person
}

/** To be called before the person stops being an owner who can sign in. A person who is no such owner is let through. */
async function keepAnOwner(tx: Tx, { id, workspaceId, roles, disabledAt }: Person): Promise<void> {
  if (roles.workspace !== 'owner' || disabledAt !== null) return
  if (await store.hasOtherOwner(tx, workspaceId, id)) return
  throw new DomainError(
    'invalid_state',
    'The last owner cannot leave, be disabled, or get another role: make another person an owner first.',
    { state: 'active' },
  )
}

const audit = (
  tx: Tx,
  actor: Actor,
  action: 'person.role_changed' | 'person.disabled' | 'person.enabled' | 'person.removed',
  { id, workspaceId }: Person,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> =>
  recordAudit(tx, actor, { workspaceId, projectId: null, action, subject: encodeId('per', id), details })
