import type { Actor, ProjectContext } from '../../core/caller.ts'
import { DomainError, notFound } from '../../core/errors.ts'
import { encodeId, newId, type ProjectId, type TagId } from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { auditOf } from '../../events/audit.ts'
import { violatedConstraint, type Database, type Tx } from '../../storage/postgres.ts'
import type { Contacts } from '../contacts/index.ts'
import type { AppliedView, CreateTag, DeletedTag, RemovedView, Tag, TagContacts, TagView, UpdateTag } from './schema.ts'
import { tagView } from './views.ts'
import * as store from './store.ts'
import { peopleIn, type Person } from './people.ts'

/** What others do in the transaction in which people get or lose a tag. */
export interface TagLife {
  tagged(tx: Tx, project: ProjectId, tag: TagId, emails: readonly string[]): Promise<void>
  untagged(tx: Tx, project: ProjectId, tag: TagId, emails: readonly string[]): Promise<void>
  /** Whoever had it is to lose it: `clearSome` does that. */
  deleted(tx: Tx, project: ProjectId, tag: TagId): Promise<void>
}

/** How many people a deleted tag is taken from at a time. */
const AT_ONCE = 5_000

/** Tags are applied to people, not to contacts: a person who has one has it in every audience of the project. */
export class Tags {
  readonly #db: Database
  readonly #contacts: Contacts
  readonly #life: TagLife

  constructor(db: Database, contacts: Contacts, life: TagLife) {
    this.#db = db
    this.#contacts = contacts
    this.#life = life
  }

  async list({ id }: ProjectContext, request: PageRequest): Promise<Page<TagView>> {
    return page(await store.list(this.#db.reads, id, request), request, tagView)
  }

  async read({ id: project }: ProjectContext, id: TagId): Promise<TagView> {
    return tagView(found(await store.find(this.#db.reads, project, id)))
  }

  create(project: ProjectContext, actor: Actor, { name }: CreateTag): Promise<TagView> {
    return this.#db.transaction(async (tx) => {
      const id = newId<'tag'>()
      if (!(await store.insert(tx, project.id, id, name))) throw await this.#taken(project.id, name)
      await audit(tx, project, actor, 'tag.created', id, { name })
      return tagView(found(await store.find(tx, project.id, id)))
    })
  }

  async rename(project: ProjectContext, actor: Actor, id: TagId, { name }: UpdateTag): Promise<TagView> {
    try {
      return await this.#db.transaction(async (tx) => {
        if ((await store.rename(tx, project.id, id, name)) === undefined) throw notFound('tag')
        await audit(tx, project, actor, 'tag.renamed', id, { name })
        return tagView(found(await store.find(tx, project.id, id)))
      })
    } catch (error) {
      if (violatedConstraint(error) !== 'contact_tags_name' || name === undefined) throw error
      throw await this.#taken(project.id, name)
    }
  }

  /** From now on it cannot be seen; it is taken from people in pieces, however many have it. */
  delete(project: ProjectContext, actor: Actor, id: TagId): Promise<DeletedTag> {
    return this.#db.transaction(async (tx) => {
      const deleted = await store.markDeleted(tx, project.id, id)
      if (deleted === undefined) throw notFound('tag')
      await this.#life.deleted(tx, project.id, id)
      await audit(tx, project, actor, 'tag.deleted', id, deleted)
      return { id: encodeId('tag', id), deleted: true }
    })
  }

  apply({ id: project }: ProjectContext, id: TagId, whom: TagContacts): Promise<AppliedView> {
    const people = peopleIn(whom, undefined)
    return this.#db.transaction(async (tx) => {
      const known = await this.#knownOf(tx, project, id, people)
      const applied = await this.applyIn(tx, project, id, known)
      return { tagId: encodeId('tag', id), ...resultsFor(whom, people, known, 'applied', applied) } as AppliedView
    })
  }

  remove(
    { id: project }: ProjectContext,
    id: TagId,
    inQuery: string | undefined,
    whom: TagContacts = {},
  ): Promise<RemovedView> {
    const people = peopleIn(whom, inQuery)
    return this.#db.transaction(async (tx) => {
      const known = await this.#knownOf(tx, project, id, people)
      const removed = await this.removeIn(tx, project, id, known)
      return { tagId: encodeId('tag', id), ...resultsFor(whom, people, known, 'removed', removed) } as RemovedView
    })
  }

  /** Applies the tag. The caller has locked it and the people. Returns those who did not have it. */
  async applyIn(tx: Tx, project: ProjectId, tagId: TagId, emails: readonly string[]): Promise<string[]> {
    const applied = await store.apply(
      tx,
      project,
      emails.map((email) => ({ tagId, email })),
    )
    return this.#tell(tx, project, applied, this.#life.tagged)
  }

  /** Answers those who had it. */
  async removeIn(tx: Tx, project: ProjectId, tagId: TagId, emails: readonly string[]): Promise<string[]> {
    return this.#tell(tx, project, await store.remove(tx, project, tagId, emails), this.#life.untagged)
  }

  /** An import gives people tags by name; those that do not exist are made. */
  async applyNamed(
    tx: Tx,
    project: ProjectId,
    wishes: readonly { email: string; tags: readonly string[] }[],
  ): Promise<void> {
    const names = [...new Set(wishes.flatMap(({ tags }) => tags))]
    if (names.length === 0) return
    await store.insertMissing(
      tx,
      project,
      names.map((name) => ({ id: newId<'tag'>(), name })),
    )
    const held = await store.holdNamed(tx, project, names)
    const ids = new Map(held.map(({ id, asked }) => [asked, id]))
    const wanted = wishes.flatMap(({ email, tags }) =>
      tags.flatMap((name) => {
        const tagId = ids.get(name)
        return tagId === undefined ? [] : [{ tagId, email }]
      }),
    )
    await this.#tell(tx, project, await store.apply(tx, project, wanted), this.#life.tagged)
  }

  /** People who have no contact any more have no tags either. */
  async forgetPeople(tx: Tx, project: ProjectId, emails: readonly string[]): Promise<void> {
    await this.#tell(tx, project, await store.removeAll(tx, project, emails), this.#life.untagged)
  }

  /** Takes a deleted tag from some of those who had it; says from how many. */
  async clearSome(tx: Tx, project: ProjectId, id: TagId): Promise<number> {
    const removed = await store.removeSome(tx, project, id, AT_ONCE)
    await this.#tell(tx, project, removed, this.#life.untagged)
    if (removed.length === 0) await store.forget(tx, project, id)
    return removed.length
  }

  async #tell(tx: Tx, project: ProjectId, moved: readonly store.Applied[], tell: TagLife['tagged']): Promise<string[]> {
    for (const [tag, some] of Map.groupBy(moved, ({ tagId }) => tagId)) {
      await tell(
        tx,
        project,
        tag,
        some.map(({ email }) => email),
      )
    }
    return moved.map(({ email }) => email)
  }

  /** Those who are somebody; they and the tag stay until the transaction ends. */
  async #knownOf(tx: Tx, project: ProjectId, id: TagId, people: readonly Person[]): Promise<string[]> {
    if (!(await store.hold(tx, project, id))) throw notFound('tag')
    const emails = people.flatMap((person) => ('email' in person ? [person.email] : []))
    return [...(await this.#contacts.holdKnown(tx, project, emails))]
  }

  async #taken(project: ProjectId, name: string): Promise<DomainError> {
    const holder = await store.findByName(this.#db, project, name)
    const extra = holder === undefined ? {} : { existingId: encodeId('tag', holder.id) }
    return new DomainError('already_exists', `There is a tag named ${name}.`, extra)
  }
}

function found(tag: Tag | undefined): Tag {
  if (tag === undefined) throw notFound('tag')
  return tag
}

type Result = { email: string } & ({ [word: string]: unknown } | { error: string; code: string })

/** One asked for alone that is nobody refuses the call; of many, each has an answer of its own. */
function resultsFor(
  { emails }: TagContacts,
  people: readonly Person[],
  known: readonly string[],
  word: 'applied' | 'removed',
  changed: readonly string[],
): object {
  const [isKnown, isChanged] = [new Set(known), new Set(changed)]
  const results = people.map((person): Result => {
    const refusal = 'email' in person ? (isKnown.has(person.email) ? undefined : notFound('contact')) : person.refusal
    if (refusal !== undefined) {
      if (emails === undefined) throw refusal
      return { email: person.written, error: refusal.message, code: refusal.code }
    }
    const email = 'email' in person ? person.email : person.written
    return { email, [word]: isChanged.has(email) }
  })
  return emails === undefined ? { ...results[0] } : { data: results }
}

const audit = auditOf('tag')
