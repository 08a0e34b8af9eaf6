/**
 * What a recipient does about mail to contacts, by a link in one of them. The link says which recipient of which email;
 * everything else follows from that. All of it is committed before it is answered.
 */
import type { Clock } from '../../core/clock.ts'
import { DomainError } from '../../core/errors.ts'
import { encodeId, type ContactId, type ProjectId, type RunId } from '../../core/ids.ts'
import type { MailReference } from '../../core/mail-reference.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Publish } from '../../events/publish.ts'
import { addressKey } from '../../mail/address.ts'
import type { Database, Db, Tx } from '../../storage/postgres.ts'
import type { Contacts } from '../contacts/index.ts'
import type { CountEngaged } from './engagement.ts'
import * as store from './store/engagement.ts'

export interface PreferencesOptions {
  db: Database
  contacts: Contacts
  clock: Clock
  counted: CountEngaged
  publish: Publish
  /** Called in the transaction in which a person unsubscribes by a mail of a run: that run ends. */
  unwanted(tx: Tx, project: ProjectId, run: RunId): Promise<void>
  /** Called when there are events to be told. */
  onTold(): void
}

/** The audiences of a project that the reader of a mail is in. */
export interface SubscriptionState {
  projectName: string
  email: string
  /** False for a mail that went to no contact: a test. */
  isMailing: boolean
  /** The memberships in all audiences of the project. */
  memberships: Membership[]
  /** The membership in the audience that the mail was sent to; undefined if the person is not in it any more. */
  own: Membership | undefined
}

type Membership = Awaited<ReturnType<Contacts['memberships']>>[number]

/** The way by which a person unsubscribed, as the event says it. */
export type Way = 'one click in the mail program' | 'the unsubscribe page' | 'the preference page'

export class Preferences {
  readonly #options: PreferencesOptions
  readonly #db: Database

  constructor(options: PreferencesOptions) {
    this.#options = options
    this.#db = options.db
  }

  /** Undefined for an email that does not exist. */
  async stateOf(reference: MailReference): Promise<SubscriptionState | undefined> {
    const reader = await this.#reader(this.#db.reads, reference)
    return reader && this.#stateFor(this.#db.reads, reader)
  }

  /** Leaves the audience that the mail was sent to. A second time changes nothing. */
  async leave(reference: MailReference, way: Way): Promise<void> {
    await this.#leave(reference, way, ({ contactId }) => (contactId === null ? [] : [contactId]))
  }

  /** Subscribes to that audience again. */
  async rejoin(reference: MailReference): Promise<void> {
    const reader = await this.#reader(this.#db, reference)
    if (reader && reader.contactId !== null) await this.#join(reader, [reader.contactId], 'the unsubscribe page')
  }

  /** Keeps some of the audiences that the person was shown and leaves the others. Those that were not shown stay. */
  async choose(reference: MailReference, shown: ReadonlySet<ContactId>, kept: ReadonlySet<ContactId>): Promise<void> {
    const reader = await this.#reader(this.#db, reference)
    if (reader === undefined) return
    const { memberships } = await this.#stateFor(this.#db, reader)
    const own = memberships.filter(({ contactId }) => shown.has(contactId)).map(({ contactId }) => contactId)
    await this.#leave(reference, 'the preference page', () => own.filter((id) => !kept.has(id)))
    const back = memberships.filter(({ contactId, subscribed }) => !subscribed && kept.has(contactId))
    await this.#join(
      reader,
      back.map(({ contactId }) => contactId),
      'the preference page',
    )
  }

  async #leave(reference: MailReference, way: Way, which: (reader: store.Reader) => ContactId[]): Promise<void> {
    const isTold = await this.#db.transaction(async (tx) => {
      const reader = await this.#reader(tx, reference)
      if (reader === undefined) return false
      const unwanted = which(reader)
      const left = await this.#leaveAll(tx, reader, unwanted)
      const { projectId, runId, contactId } = reader
      // The contact may have left before, and the run have gone on with another one of the same person.
      if (runId !== null && contactId !== null && unwanted.includes(contactId)) {
        await this.#options.unwanted(tx, projectId, runId)
      }
      // Of people who have left already there is nothing to tell, and of each mail it is told once.
      if (left.length === 0 || !(await store.markUnsubscribed(tx, reader))) return false
      await this.#tell(tx, reader, left, way)
      return true
    })
    if (isTold) this.#options.onTold()
  }

  /** Leaves audiences in the order in which they are locked. Returns those that the person was subscribed to. */
  async #leaveAll(tx: Tx, reader: store.Reader, contacts: readonly ContactId[]): Promise<Membership[]> {
    const { memberships } = await this.#stateFor(tx, reader)
    const left: Membership[] = []
    for (const membership of memberships.filter(({ contactId }) => contacts.includes(contactId))) {
      const before = await this.#options.contacts.unsubscribe(tx, reader.projectId, membership.contactId)
      if (before === undefined || before.unsubscribedAt !== null) continue
      left.push(membership)
      await recordAudit(
        tx,
        { type: 'recipient' },
        {
          workspaceId: reader.workspaceId,
          projectId: reader.projectId,
          action: 'contact.unsubscribed',
          subject: encodeId('con', membership.contactId),
          details: { audienceId: encodeId('aud', membership.audienceId), emailId: encodeId('em', reader.emailId) },
        },
      )
    }
    return left
  }

  async #tell(tx: Tx, reader: store.Reader, left: readonly Membership[], way: Way): Promise<void> {
    const { projectId, workspaceId, emailId, position, email, broadcastId, contactId } = reader
    const audiences = left.map(({ audience }) => audience).join(', ')
    await this.#options.publish(tx, [
      {
        projectId,
        workspaceId,
        kind: 'email.unsubscribed',
        messageId: emailId,
        position,
        recipient: email,
        detail: `Unsubscribed from ${audiences} by ${way}.`,
      },
    ])
    if (broadcastId === null || !left.some((membership) => membership.contactId === contactId)) return
    await this.#options.counted(tx, broadcastId, 'unsubscribed', 1)
  }

  /** The person says so themselves, now: that is kept as the evidence of their consent. */
  async #join(reader: store.Reader, contacts: readonly ContactId[], way: Way): Promise<void> {
    const { memberships } = await this.#stateFor(this.#db, reader)
    const project = { id: reader.projectId, workspaceId: reader.workspaceId, status: reader.projectStatus }
    const at = new Date(this.#options.clock.now()).toISOString()
    const fields = { subscribed: true, consent: { source: way, at } }
    for (const { audienceId, contactId } of memberships.filter((one) => contacts.includes(one.contactId))) {
      const which = encodeId('con', contactId)
      await this.#options.contacts.update(project, { type: 'recipient' }, audienceId, which, fields).catch(ignoreGone)
    }
  }

  async #reader(db: Db, reference: MailReference): Promise<store.Reader | undefined> {
    return (await store.readers(db, [reference]))[0]
  }

  async #stateFor(db: Db, { projectId, projectName, email, contactId }: store.Reader): Promise<SubscriptionState> {
    const memberships = await this.#options.contacts.memberships(db, projectId, addressKey({ email }))
    const own = memberships.find((membership) => membership.contactId === contactId)
    return { projectName, email, isMailing: contactId !== null, memberships, own }
  }
}

/** The contact may have been deleted while the person chose. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof DomainError && error.code === 'not_found')) throw error
}
