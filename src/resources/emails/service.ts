import type { Actor, Caller, ProjectContext } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import { DomainError, invalid, notFound, type Problem } from '../../core/errors.ts'
import { encodeId, newId, type EmailId, type EventId, type ProjectId, type WorkspaceId } from '../../core/ids.ts'
import type { AccountLink, MailReference } from '../../core/mail-reference.ts'
import type { PageRequest } from '../../core/page.ts'
import { recordAudit } from '../../events/audit.ts'
import { dialogueIdsOf, findDialogue } from '../../events/dialogues.ts'
import { eventsOf } from '../../events/publish.ts'
import type { Claim, IdempotencyKey, Replayable } from '../../storage/idempotency.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import { preparedAmong, projectsOf, type Accepter } from './accept.ts'
import { asSent, type AsSentOptions } from './as-sent.ts'
import { acceptedView, batchView, dryRunView, pathInBatch } from './answers.ts'
import { seenBy } from './content-access.ts'
import type { Progress } from './deliveries.ts'
import { filterOf } from './filter.ts'
import { listEmails } from './listing.ts'
import type { Files, OwnSender, PreparedEmail, Preparer } from './prepare.ts'
import { readEmail, readSendAt, type ReadEmail } from './read-request.ts'
import type { AcceptedView, BatchView, DryRunView, EmailView, SendBatch, SendEmail } from './schema.ts'
import type { DialogueView } from './schema/dialogue.ts'
import type { EmailPage, ListEmails } from './schema/list.ts'
import * as store from './store/read.ts'
import * as schedule from './store/schedule.ts'
import { findIn, type Viewer } from './viewer.ts'
import { dialogueView, emailSummary, emailView } from './views.ts'

interface EmailsOptions extends AsSentOptions {
  db: Database
  preparer: Preparer
  accepter: Accepter
  clock: Clock
  /** Measures how long a search takes. */
  steady: Clock
  /** The destination of mail for a domain, if that is not left to the domain, e.g. a relay. */
  destinationOf(domain: string): string | undefined
}

/** The sender of a request: the project is known only if the key or the header names it. */
export interface Sender {
  caller: Caller
  project: ProjectContext | undefined
  idempotency: IdempotencyKey | undefined
}

type AnySender = Omit<Sender, 'caller'> & { caller: Caller | OwnSender }

/**
 * Each recipient of an email takes this way, on its own:
 *
 *   scheduled → queued → sending → delivered | deferred | bounced | filteredspam | quarantined | suppressed | failed
 *   deferred → sending | suppressed | failed          scheduled | queued | deferred → cancelled
 *
 * and the email has the state of the one that is least finished. See `docs/states.md`, which also has what comes later.
 */
export class Emails {
  readonly #options: EmailsOptions

  constructor(options: EmailsOptions) {
    this.#options = options
  }

  async send(sender: Sender, body: SendEmail): Promise<Replayable<AcceptedView>> {
    const email = await this.#prepareOne(sender, body, 'kept')
    const outcome = await this.#options.accepter.accept({
      claims: claimsOf(sender, [email]),
      batchId: null,
      emails: [email],
      answer: ([result]) => acceptedView(unlessRefused(result)),
    })
    return outcome as Replayable<AcceptedView>
  }

  /**
   * Sends mail of ours to somebody who is to come in by a link. The domain of the sender decides the project. The link is
   * put in when the mail leaves: `HIDDEN_TOKEN` stands for it.
   */
  async sendAccountLink(workspaceId: WorkspaceId, body: SendEmail, link: AccountLink): Promise<EmailId> {
    const caller = { type: 'system', workspaceId, projectIds: null } as const
    const sender = { caller, project: undefined, idempotency: undefined }
    const email = { ...(await this.#prepareOne(sender, body, 'kept')), accountLink: link }
    const { value } = await this.#options.accepter.accept({
      claims: [],
      batchId: null,
      emails: [email],
      answer: ([result]) => unlessRefused(result).id,
    })
    return value as EmailId
  }

  /** Does everything that a send does, and keeps nothing of it. */
  async dryRun(sender: Sender, body: SendEmail): Promise<DryRunView> {
    const { result, suppressed } = await this.#options.accepter.dryRun(await this.#prepareOne(sender, body, 'left'))
    const { email, isScheduled } = unlessRefused(result)
    return dryRunView(email, isScheduled, suppressed)
  }

  /** Without a header, the emails of a workspace key may belong to several projects; each follows the rules of its own. */
  async batch(sender: Sender, body: SendBatch): Promise<Replayable<BatchView>> {
    const emails = await this.#prepare(sender, body.emails, pathInBatch, 'kept')
    const batchId = newId<'bat'>()
    const outcome = await this.#options.accepter.accept({
      claims: claimsOf(sender, preparedAmong(emails)),
      batchId,
      emails,
      answer: (results) => batchView(batchId, results),
    })
    return outcome as Replayable<BatchView>
  }

  /** For checks of what is sent: times to send at must be ahead. */
  get now(): number {
    return this.#options.clock.now()
  }

  /** Finds an email by its id, or by the name of any of its recipients: it is the same email. */
  async read(viewer: Viewer, reference: MailReference): Promise<EmailView> {
    const { db, destinationOf } = this.#options
    const email = await findIn(db.reads, viewer, reference)
    const { id } = email
    const [recipients, attachments, events, dialogues] = await Promise.all([
      store.recipientsOf(db.reads, email.projectId, id),
      store.attachmentsOf(db.reads, email.projectId, email.contentId),
      eventsOf(db.reads, email.projectId, id),
      dialogueIdsOf(db.reads, email.projectId, id),
    ])
    const seen = seenBy(viewer, email)
    const shown = seen.contentHidden ? seen : { ...(await asSent(seen, this.#options)), contentHidden: false }
    return emailView(shown, recipients, attachments, events, { dialogues, destinationOf })
  }

  /** What was said in the attempt that an event tells of. */
  async dialogue(viewer: Viewer, reference: MailReference, event: EventId): Promise<DialogueView> {
    const { reads } = this.#options.db
    const { projectId, id } = await findIn(reads, viewer, reference)
    const found = await findDialogue(reads, projectId, id, event)
    if (found === undefined) throw notFound('event')
    return dialogueView(found)
  }

  async list(viewer: Viewer, query: ListEmails, request: PageRequest): Promise<EmailPage> {
    return listEmails(this.#options, viewer, filterOf(query), request, (row) => emailSummary(seenBy(viewer, row)))
  }

  async cancel(viewer: Viewer, actor: Actor, reference: MailReference): Promise<EmailView> {
    await this.#move(viewer, actor, reference, 'email.cancelled', {}, (tx, { projectId, id }) =>
      schedule.cancel(tx, projectId, id),
    )
    return this.read(viewer, reference)
  }

  async reschedule(viewer: Viewer, actor: Actor, reference: MailReference, text: string): Promise<EmailView> {
    const { sendAt, problems } = readSendAt(text, '/sendAt', this.#options.clock.now())
    if (problems.length > 0) throw invalid(problems)
    const details = { sendAt: sendAt.toISOString() }
    await this.#move(viewer, actor, reference, 'email.rescheduled', details, (tx, { projectId, id }) =>
      schedule.reschedule(tx, projectId, id, sendAt),
    )
    return this.read(viewer, reference)
  }

  /** Cancels the mail of a project that is archived: what no worker has in hand is not sent any more. */
  async cancelAllIn(tx: Tx, project: ProjectId): Promise<Progress[]> {
    return schedule.movesOf(await schedule.cancelAllOf(tx, project))
  }

  /** Only a scheduled email can be moved; the rows' locks decide whether we or the worker come first. */
  async #move(
    viewer: store.Visibility,
    actor: Actor,
    reference: MailReference,
    action: 'email.cancelled' | 'email.rescheduled',
    details: Readonly<Record<string, unknown>>,
    move: (tx: Tx, email: store.EmailRow) => Promise<boolean>,
  ): Promise<void> {
    await this.#options.db.transaction(async (tx) => {
      const email = await findIn(tx, viewer, reference)
      if (email.projectStatus === 'archived') throw new DomainError('project_archived', 'The project is archived.')
      if (!(await move(tx, email))) throw notScheduled(action, await findIn(tx, viewer, reference))
      const { id, projectId, workspaceId } = email
      await recordAudit(tx, actor, { workspaceId, projectId, action, subject: encodeId('em', id), details })
    })
  }

  async #prepareOne(sender: AnySender, body: SendEmail, files: Files): Promise<PreparedEmail> {
    const [email] = await this.#prepare(sender, [body], () => '', files)
    return unlessRefused(email)
  }

  async #prepare(
    { caller, project }: AnySender,
    bodies: readonly SendEmail[],
    pathOf: (index: number) => string,
    files: Files,
  ): Promise<(PreparedEmail | DomainError)[]> {
    const { preparer, clock } = this.#options
    const problems: Problem[] = []
    const requests: ReadEmail[] = bodies.map((body, i) => {
      const read = readEmail(body, pathOf(i), clock.now())
      problems.push(...read.problems)
      return read.email
    })
    if (problems.length > 0) throw invalid(problems)
    return preparer.prepare(caller, project, requests, pathOf, files)
  }
}

/** A key is used up in each project that its request has emails of; one that has none uses nothing up. */
const claimsOf = ({ idempotency }: Sender, emails: readonly PreparedEmail[]): Claim[] =>
  idempotency === undefined ? [] : projectsOf(emails).map((project) => ({ ...idempotency, project }))

function unlessRefused<T>(result: T | DomainError | undefined): T {
  if (result === undefined) throw new Error('a send without an email')
  if (result instanceof DomainError) throw result
  return result
}

function notScheduled(action: 'email.cancelled' | 'email.rescheduled', { status }: store.EmailRow): DomainError {
  // Some of its recipients may still be shown as scheduled while the first is being taken.
  const state = status === 'scheduled' ? 'queued' : status
  const participle = action === 'email.cancelled' ? 'cancelled' : 'moved'
  const sentence = `Only an email that is still scheduled can be ${participle}; this one is ${state}.`
  return new DomainError('invalid_state', sentence, { state })
}
