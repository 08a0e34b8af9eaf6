import type { ProjectContext } from '../../core/caller.ts'
import { DomainError, notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { Db, Tx } from '../../storage/postgres.ts'
import type { Audiences } from '../audiences/index.ts'
import type { Mailing, Mailings, MailingSender } from '../emails/index.ts'
import type { Templates } from '../templates/index.ts'
import { enqueueAdvance } from './advance.ts'
import { mailingFieldsOf } from './draft.ts'
import type { Broadcast } from './schema.ts'
import * as store from './store/broadcasts.ts'

export interface StartingOptions {
  audiences: Audiences
  templates: Templates
  mailings: Mailings
  simulatorDomain: string
}

/** A broadcast that could be sent as it stands. */
export interface Sendable {
  broadcast: Broadcast
  mailing: Mailing
  sender: MailingSender
}

/** What has to be true of a broadcast before it is sent, and its first step. */
export class Starting {
  readonly #options: StartingOptions

  constructor(options: StartingOptions) {
    this.#options = options
  }

  /** Says everything that is missing. Outside of a transaction: what it says counts for this version of the draft. */
  async prepare(db: Db, project: ProjectContext, broadcast: Broadcast): Promise<Sendable> {
    const { mailings } = this.#options
    const fields = mailingFieldsOf(broadcast)
    const mailing = await mailings.read(db, project, fields)
    return { broadcast, mailing, sender: await mailings.senderOf(project, mailing, fields.tracking) }
  }

  /** Audience and template are there for as long as the transaction lasts; the audience may be mailed by this sender. */
  async hold(tx: Tx, { broadcast: { projectId, audienceId, templateId }, sender }: Sendable): Promise<void> {
    const { audiences, templates, mailings, simulatorDomain } = this.#options
    await audiences.hold(tx, projectId, audienceId)
    if (templateId !== null && !(await templates.hold(tx, projectId, [templateId]))) throw notFound('template')
    if (sender.domainId !== null) return
    const outside = await store.someoneOutside(tx, projectId, audienceId, simulatorDomain)
    const refusal = outside && mailings.refusal(sender, outside.email)
    if (refusal) throw refusal
  }

  /** False when it is not any more what it was when it was prepared. */
  async start(
    tx: Tx,
    sendable: Sendable,
    from: 'draft' | 'scheduled',
    expected: number | undefined = undefined,
  ): Promise<boolean> {
    const { broadcast, mailing, sender } = sendable
    const { id, projectId: project, version } = broadcast
    await this.hold(tx, sendable)
    const contentId = newId<'em'>()
    if (!(await store.start(tx, project, id, { from, version, contentId, sentAs: sender }))) return false
    const { total, subscribed } = await this.#options.audiences.findIn(tx, project, broadcast.audienceId)
    const actual = subscribed - (await store.countSuppressed(tx, project, broadcast.audienceId)).count
    if (expected !== undefined && expected !== actual) throw audienceChanged(expected, actual)
    if (actual === 0) throw nobody(from, total, subscribed)
    await this.#options.mailings.store(tx, project, mailing, contentId)
    await enqueueAdvance(tx, { project, id })
    return true
  }
}

const audienceChanged = (expected: number, actual: number): DomainError =>
  new DomainError(
    'audience_changed',
    `It would be sent to ${actual} people, not ${expected}. If that is right, send it with that number.`,
    { expected, actual },
  )

function nobody(state: string, total: number, subscribed: number): DomainError {
  const because =
    total === 0
      ? 'the audience has no contacts; add some first'
      : subscribed === 0
        ? 'everybody in the audience has unsubscribed'
        : 'all subscribers of the audience are on the suppression list'
  return new DomainError('invalid_state', `Nobody would get it: ${because}.`, { state })
}
