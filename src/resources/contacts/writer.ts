import { DomainError } from '../../core/errors.ts'
import type { AudienceId, ContactId, ProjectId } from '../../core/ids.ts'
import type { Tx } from '../../storage/postgres.ts'
import { begun, changed, fingerprintOf, type Change, type Given } from './change.ts'
import type { Contact } from './schema.ts'
import * as store from './store/contacts.ts'

export interface Member {
  id: ContactId
  email: string
}

export type Departure = 'unsubscribed' | 'contact_deleted' | 'audience_deleted'

/** Functions of later resources, called in the transaction in which a contact comes or goes. */
export interface ContactHooks {
  /** Called for contacts that are new and subscribed, or subscribed again. */
  joined(tx: Tx, project: ProjectId, audience: AudienceId, members: readonly Member[]): Promise<void>
  /** Called for contacts that are unsubscribed, or deleted (whether or not they were subscribed). */
  left(tx: Tx, project: ProjectId, audience: AudienceId, members: readonly Member[], because: Departure): Promise<void>
  /** Called for people who have no contact in the project any more. */
  gone(tx: Tx, project: ProjectId, emails: readonly string[]): Promise<void>
  /** Gives people the tags of these names, which are made where they do not exist. */
  tag(tx: Tx, project: ProjectId, wishes: readonly { email: string; tags: readonly string[] }[]): Promise<void>
}

export type Outcome = { kind: 'created' | 'updated' | 'unchanged' } | { kind: 'refused'; refusal: DomainError }

/** A contact that is locked, and the change that is wanted. */
interface Meeting {
  present: Contact
  change: Change
}

/**
 * Writes contacts, one or thousands in the same few statements. Rows are locked, then decided about, then written:
 * nobody comes between.
 */
export class ContactWriter {
  readonly #hooks: ContactHooks

  constructor(hooks: ContactHooks) {
    this.#hooks = hooks
  }

  /**
   * By address, for somebody who holds the audience. Each address once.
   *
   * Whoever is not there is added first, for nobody else sees them yet; then all others are locked at once, in the order
   * in which everybody locks people. Locked before, those whom somebody else adds in this moment would come after them,
   * out of that order: two who want the same people would wait for each other. Whoever gives them tags afterwards has to
   * hold them `everywhere`, for tags are theirs in all audiences.
   */
  async upsertAll(
    tx: Tx,
    project: ProjectId,
    audience: AudienceId,
    given: readonly Given[],
    everywhere = false,
  ): Promise<ReadonlyMap<string, Outcome>> {
    const outcomes = new Map<string, Outcome>()
    for (let open = given; open.length > 0; open = open.filter(({ email }) => !outcomes.has(email))) {
      const refusals = new Map<string, DomainError>()
      const made = await insertNew(tx, project, audience, open, refusals)
      for (const { email } of made) outcomes.set(email, { kind: 'created' })
      const others = open.filter(({ email }) => !outcomes.has(email))
      // Only at first: later this would also take what others have added since, out of that order.
      const isWide = everywhere && open === given
      const wanted = (isWide ? open : others).map(({ email }) => email)
      const rows = wanted.length === 0 ? [] : await store.lockAll(tx, project, isWide ? 'everywhere' : audience, wanted)
      if (made.length > 0) await this.#hooks.joined(tx, project, audience, made)
      const present = new Map(rows.filter((row) => row.audienceId === audience).map((row) => [row.email, row]))
      const meetings = others.flatMap((change) => {
        const row = present.get(change.email)
        return row === undefined ? [] : [{ present: row, change }]
      })
      const decided = await this.changeAll(tx, project, audience, meetings, 'upsert')
      for (const [email, outcome] of decided) outcomes.set(email, outcome)
      // Whom somebody else has removed in this moment is met in the next round.
      for (const [email, refusal] of refusals) {
        if (!present.has(email)) outcomes.set(email, { kind: 'refused', refusal })
      }
    }
    return outcomes
  }

  async changeAll(
    tx: Tx,
    project: ProjectId,
    audience: AudienceId,
    meetings: readonly Meeting[],
    by: 'upsert' | 'patch',
  ): Promise<ReadonlyMap<string, Outcome>> {
    const outcomes = new Map<string, Outcome>()
    const written: { before: Contact; after: Contact }[] = []
    const consenting: { id: ContactId; change: Change }[] = []
    for (const { present, change } of meetings) {
      const next = changed(present, change, by)
      if (next instanceof DomainError) {
        outcomes.set(present.email, { kind: 'refused', refusal: next })
        continue
      }
      outcomes.set(present.email, { kind: next === present ? 'unchanged' : 'updated' })
      if (next !== present) written.push({ before: present, after: next })
      consenting.push({ id: present.id, change })
    }
    const after = written.map((each) => each.after)
    if (after.length > 0) await store.writeAll(tx, project, after)
    await addConsents(tx, project, consenting)
    const moved = written.filter((each) => each.before.subscribed !== each.after.subscribed)
    const [joined, left] = [true, false].map((state) =>
      moved.filter((each) => each.after.subscribed === state).map((each) => each.after),
    )
    if (joined?.length) await this.#hooks.joined(tx, project, audience, joined)
    if (left?.length) await this.#hooks.left(tx, project, audience, left, 'unsubscribed')
    return outcomes
  }
}

/** Returns those who are new. Those who may not be created are in `refusals`, should they not be there. */
async function insertNew(
  tx: Tx,
  project: ProjectId,
  audience: AudienceId,
  given: readonly Given[],
  refusals: Map<string, DomainError>,
): Promise<readonly Member[]> {
  const rows: store.NewContact[] = []
  for (const one of given) {
    const row = begun(one)
    if (row instanceof DomainError) refusals.set(one.email, row)
    else rows.push(row)
  }
  if (rows.length === 0) return []
  const made = await store.insertAll(tx, project, audience, rows)
  const ids = new Map(made.map(({ id, email }) => [email, id]))
  const consenting = given.flatMap((change) => {
    const id = ids.get(change.email)
    return id === undefined ? [] : [{ id, change }]
  })
  await addConsents(tx, project, consenting)
  return made
}

async function addConsents(
  tx: Tx,
  project: ProjectId,
  given: readonly { id: ContactId; change: Change }[],
): Promise<void> {
  const rows = given.flatMap(({ id, change: { consent } }) =>
    consent === undefined ? [] : [{ contactId: id, fingerprint: fingerprintOf(consent), ...consent }],
  )
  if (rows.length > 0) await store.addConsents(tx, project, rows)
}
