/**
 * Finds things by their id, by an address, or by the beginning of their name: what the caller could also read by the
 * routes of each kind, and nothing else. An id is looked for in all projects of the caller. Names and addresses are looked
 * for in the project that the caller is in and in some others, so that a search costs the same in any workspace.
 */
import type { Caller, Visibility } from '../../core/caller.ts'
import { DomainError, notFound } from '../../core/errors.ts'
import { decodeId, encodeId, type EmailId, type ProjectId } from '../../core/ids.ts'
import { decodeReference } from '../../core/mail-reference.ts'
import { projectsRead } from '../../core/reading.ts'
import { addressKey, parseAddress } from '../../mail/address.ts'
import { onlyByIndex } from '../../storage/by-index.ts'
import type { Database, Db, Tx } from '../../storage/postgres.ts'
import { readerOf, seesContentOf } from '../emails/index.ts'
import type { Projects } from '../projects/index.ts'
import { foundKinds, type FoundKind } from './kinds.ts'
import { addressLink, idOf, linkOf, prefixes } from './links.ts'
import { MAX_FOUND } from './limits.ts'
import type { FoundList, FoundRow, FoundView, Search } from './schema.ts'
import * as addresses from './store/addresses.ts'
import { findDelivery, finders } from './store/ids.ts'
import * as names from './store/names.ts'

const USUAL = 10
/** Names and addresses are looked for in so many projects. */
const MAX_PROJECTS = 50
/** Of one kind, so that one of them does not hide the others. */
const MAX_OF_KIND = 5

interface Asked {
  caller: Caller
  q: string
  near: ProjectId | undefined
}

export class Finder {
  readonly #db: Database
  readonly #projects: Projects

  constructor(db: Database, projects: Projects) {
    this.#db = db
    this.#projects = projects
  }

  async search(caller: Caller, { q, limit = USUAL, projectId }: Search): Promise<FoundList> {
    const near = projectId === undefined ? undefined : await this.#near(caller, projectId)
    const asked = { caller, q: q.trim(), near }
    const data = await this.#db.transaction(async (tx) => {
      // Whatever was last counted, these statements must find their rows by their indexes.
      await tx.run(onlyByIndex)
      return find(tx, asked)
    })
    return { data: data.slice(0, limit) }
  }

  /** A key that is bound to a project says so when it is asked for another; a person does not know that there is one. */
  async #near(caller: Caller, text: string): Promise<ProjectId> {
    const id = decodeId('prj', text)
    const { type, projectIds } = caller
    if (type === 'key' && projectIds !== null && (id === undefined || !projectIds.includes(id))) {
      throw new DomainError('project_not_allowed', 'This key is bound to another project: leave projectId out.')
    }
    if (id === undefined) throw notFound('project')
    return (await this.#projects.findIn(this.#db.reads, caller, id)).id
  }
}

async function find(tx: Tx, asked: Asked): Promise<FoundView[]> {
  const byId = await findById(tx, asked)
  if (byId !== undefined) return byId
  const parsed = parseAddress(asked.q)
  return parsed.ok ? findAddress(tx, asked, addressKey(parsed.value)) : findNames(tx, asked)
}

/** Where the caller reads things of a kind. */
const visibilityOf = ({ caller }: Asked, kind: FoundKind): Visibility => ({
  workspaceId: caller.workspaceId,
  projectIds: projectsRead(caller, foundKinds[kind]),
})

const viewOf = (asked: Asked, kind: FoundKind, row: FoundRow): FoundView => ({
  type: kind,
  id: idOf(kind, row),
  projectId: row.projectId && encodeId('prj', row.projectId),
  title: row.title,
  subtitle: row.subtitle,
  at: row.at?.toISOString() ?? null,
  link: linkOf(kind, row, asked.near),
})

/** Undefined for what is no id. */
async function findById(tx: Tx, asked: Asked): Promise<FoundView[] | undefined> {
  const email = decodeReference(asked.q)?.emailId
  if (email !== undefined) return views(asked, 'email', [await findEmail(tx, asked, email)])
  for (const kind of Object.keys(prefixes) as FoundKind[]) {
    const id = decodeId(prefixes[kind], asked.q)
    if (id === undefined || kind === 'email') continue
    if (kind !== 'delivery') return views(asked, kind, [await finders[kind](tx, visibilityOf(asked, kind), id)])
    return views(asked, kind, [await findDelivery(tx, await projectsOf(tx, asked, kind), id)])
  }
  return undefined
}

const views = (asked: Asked, kind: FoundKind, rows: readonly (FoundRow | undefined)[]): FoundView[] =>
  rows.flatMap((row) => (row === undefined ? [] : [viewOf(asked, kind, row)]))

const findEmail = async (tx: Tx, asked: Asked, id: EmailId): Promise<FoundRow | undefined> => {
  const { workspaceId, projectIds } = visibilityOf(asked, 'email')
  const found = await addresses.findEmail(tx, workspaceId, projectIds, id)
  return found && withoutHidden(asked, found)
}

/** A subject is content: whoever may not see it in the list of emails does not see it here. */
function withoutHidden({ caller }: Asked, mail: addresses.FoundMail): FoundRow {
  return seesContentOf(readerOf(caller), mail.keyId) ? mail : { ...mail, title: '' }
}

/** The projects in which things of a kind are looked for, the nearest first. */
async function projectsOf(db: Db, asked: Asked, kind: FoundKind): Promise<ProjectId[]> {
  const visibility = visibilityOf(asked, kind)
  const { near } = asked
  const isNearRead = near !== undefined && (visibility.projectIds === null || visibility.projectIds.includes(near))
  const newest = (await names.newestProjects(db, visibility, MAX_PROJECTS)).map(({ id }) => id)
  return isNearRead ? [near, ...newest.filter((id) => id !== near)].slice(0, MAX_PROJECTS) : newest
}

async function findAddress(tx: Tx, asked: Asked, email: string): Promise<FoundView[]> {
  const parts = {
    suppression: await addresses.suppressionsIn(tx, await projectsOf(tx, asked, 'suppression'), email, MAX_FOUND),
    contact: await addresses.contactsIn(tx, await projectsOf(tx, asked, 'contact'), email, MAX_FOUND),
    email: (await addresses.emailsIn(tx, await projectsOf(tx, asked, 'email'), email, MAX_OF_KIND)).map((mail) =>
      withoutHidden(asked, mail),
    ),
    received: await addresses.receivedIn(tx, await projectsOf(tx, asked, 'received'), email, MAX_OF_KIND),
  }
  const found = (Object.keys(parts) as (keyof typeof parts)[]).flatMap((kind) => views(asked, kind, parts[kind]))
  const projects = new Set(Object.values(parts).flatMap((rows) => rows.flatMap(({ projectId }) => projectId ?? [])))
  const nearest = [...projects].toSorted((one, other) => Number(other === asked.near) - Number(one === asked.near))
  return [...nearest.map((project) => addressView(project, email)), ...found]
}

const addressView = (project: ProjectId, email: string): FoundView => ({
  type: 'address',
  id: email,
  projectId: encodeId('prj', project),
  title: email,
  subtitle: null,
  at: null,
  link: addressLink(project, email),
})

async function findNames(tx: Tx, asked: Asked): Promise<FoundView[]> {
  const { q, near } = asked
  const found: FoundView[] = [
    ...views(asked, 'project', await names.projectsNamed(tx, visibilityOf(asked, 'project'), q, MAX_OF_KIND)),
  ]
  for (const kind of Object.keys(names.inProjectsBy) as (keyof typeof names.inProjectsBy)[]) {
    const projects = await projectsOf(tx, asked, kind)
    found.push(...views(asked, kind, await names.inProjectsBy[kind](tx, projects, q, MAX_OF_KIND)))
  }
  found.push(...views(asked, 'key', await names.keysNamed(tx, visibilityOf(asked, 'key'), q, MAX_OF_KIND)))
  const nearId = near && encodeId('prj', near)
  const rank = ({ title, projectId }: FoundView): number =>
    (title.toLowerCase() === q.toLowerCase() ? 0 : 2) + (projectId === nearId ? 0 : 1)
  return found.toSorted((one, other) => rank(one) - rank(other))
}
