import type { Actor, ProjectContext } from '../../core/caller.ts'
import { parseOptionalTimestamp } from '../../core/clock.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { encodeId, newId, type EmailId, type ProjectId } from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { addressMark, auditOf } from '../../events/audit.ts'
import { addressKey, parseAddress } from '../../mail/address.ts'
import type { Database, Db, Tx } from '../../storage/postgres.ts'
import type {
  AddSuppression,
  ListSuppressions,
  RemovedSuppressionView,
  RemoveSuppression,
  Suppression,
  SuppressionReason,
  SuppressionView,
} from './schema.ts'
import { suppressionView } from './views.ts'
import * as store from './store.ts'

/** An address that reality has put on the list: it bounced, or its owner called our mail spam. */
export interface AutomaticSuppression {
  projectId: ProjectId
  /** The address as `addressKey` writes it. */
  email: string
  reason: Exclude<SuppressionReason, 'manual'>
  messageId: EmailId
  note: string
}

/** The addresses that a project must not mail. An address is on the list once, for the reason that came first. */
export class Suppressions {
  readonly #db: Database
  readonly #auditKey: () => Buffer

  /** The key is for naming addresses in the audit log. */
  constructor(db: Database, auditKey: () => Buffer) {
    this.#db = db
    this.#auditKey = auditKey
  }

  async list({ id }: ProjectContext, query: ListSuppressions, request: PageRequest): Promise<Page<SuppressionView>> {
    const { email, reason, createdAfter } = query
    const filter = {
      email: email === undefined ? undefined : keyOf(email, '/query/email'),
      reason,
      createdAfter: parseOptionalTimestamp(createdAfter, '/query/createdAfter'),
    }
    return page(await store.list(this.#db.reads, id, filter, request), request, suppressionView)
  }

  /** An entry that is there already stays as it is. */
  async add(
    project: ProjectContext,
    actor: Actor,
    fields: AddSuppression,
  ): Promise<{ value: SuppressionView; isNew: boolean }> {
    refusePattern(fields.email)
    const email = keyOf(fields.email, '/email')
    const { note = null } = fields
    const id = newId<'sup'>()
    return this.#db.transaction(async (tx) => {
      const wanted = { id, projectId: project.id, email, reason: 'manual', messageId: null, note } as const
      const present = await store.add(tx, wanted)
      const isNew = present.id === id
      if (isNew) await this.#audit(tx, project, actor, 'suppression.added', present, { note })
      return { value: suppressionView(present), isNew }
    })
  }

  async remove(
    project: ProjectContext,
    actor: Actor,
    inQuery: string | undefined,
    asked: RemoveSuppression = {},
  ): Promise<RemovedSuppressionView> {
    const email = oneOf(inQuery, asked.email)
    const { confirmedOptIn = false, note = null } = asked
    return this.#db.transaction(async (tx) => {
      const removed = await store.remove(tx, project.id, email)
      const [first] = removed
      if (first === undefined) throw notFound('suppression')
      for (const one of removed) {
        await this.#audit(tx, project, actor, 'suppression.removed', one, { confirmedOptIn, note })
      }
      return { id: encodeId('sup', first.id), deleted: true }
    })
  }

  /** Those of these people, each as `addressKey` writes them, whom the project that wants to mail them must not. */
  among(db: Db, people: readonly store.Person[]): Promise<Suppression[]> {
    return store.among(db, people)
  }

  /** Adds them in the transaction of the outcomes that are the reason; several of one address count once. */
  async addAutomatic(tx: Tx, found: readonly AutomaticSuppression[]): Promise<void> {
    if (found.length === 0) return
    // In one order everywhere: two workers that suppress the same people would else wait for each other for ever.
    const rows = found.map((one) => ({ ...one, id: newId<'sup'>() })).toSorted(byAddress)
    await store.addAll(tx, rows)
  }

  /** The audit log gets a keyed hash instead of the address, so that an entry can be found by the address and not show it. */
  #audit(
    tx: Tx,
    project: ProjectContext,
    actor: Actor,
    action: 'suppression.added' | 'suppression.removed',
    { id, email, reason }: Suppression,
    details: object,
  ): Promise<void> {
    const address = addressMark(this.#auditKey(), project.id, email)
    return auditOf('sup')(tx, project, actor, action, id, { address, reason, ...details })
  }
}

function keyOf(email: string, path: string): string {
  const parsed = parseAddress(email)
  if (!parsed.ok) throw invalid([{ path, message: parsed.problem }])
  // Nobody would see it again, and the next caller would ask for `Ann <ann@…>` and find nothing.
  if (parsed.value.name !== '') throw invalid([{ path, message: 'must be an address without a name' }])
  return addressKey(parsed.value)
}

/** `*` is a letter like any other in an address: `*@example.org` would be on the list and keep nobody from being mailed. */
function refusePattern(email: string): void {
  if (!email.includes('*')) return
  const message = 'must be one address, like ann@example.org: patterns with * cover nobody'
  throw invalid([{ path: '/email', message }])
}

/** The address to remove, from the query or the body. Two different ones are not ours to choose from. */
function oneOf(inQuery: string | undefined, inBody: string | undefined): string {
  const [first, second] = [
    ...(inBody === undefined ? [] : [keyOf(inBody, '/email')]),
    ...(inQuery === undefined ? [] : [keyOf(inQuery, '/query/email')]),
  ]
  if (first === undefined) throw invalid([{ path: '/email', message: 'is required, in the body or in the query' }])
  if (second !== undefined && second !== first) {
    throw invalid([{ path: '/email', message: 'is another address than the one in the query' }])
  }
  return first
}

const byAddress = (a: AutomaticSuppression, b: AutomaticSuppression): number =>
  compare(a.projectId, b.projectId) || compare(a.email, b.email)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
