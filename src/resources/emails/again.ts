import type { Actor, ProjectContext } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import { DomainError, invalid, projectArchived } from '../../core/errors.ts'
import { fingerprintOf } from '../../core/fingerprint.ts'
import { encodeId } from '../../core/ids.ts'
import type { MailReference } from '../../core/mail-reference.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Blobs } from '../../storage/blobs.ts'
import type { Claim, Replayable } from '../../storage/idempotency.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { AcceptedEmail } from './rows.ts'
import type { Accepter } from './accept.ts'
import { shown, shownOfKind } from './address-book.ts'
import { acceptedView } from './answers.ts'
import { storedAttachments } from './attachments.ts'
import type { PreparedEmail, Preparer } from './prepare.ts'
import { readEmail } from './read-request.ts'
import type { EmailView, ResendEmail, ResentView, SendEmail } from './schema.ts'
import type { Emails, Sender } from './service.ts'
import type { EmailRow } from './store/read.ts'
import { retryNow } from './store/schedule.ts'
import { findIn, findWhole, viewerOf, type Viewer } from './viewer.ts'

interface AgainOptions {
  db: Database
  blobs: Blobs
  preparer: Preparer
  accepter: Accepter
  emails: Emails
  clock: Clock
  /** Called after the commit, when there is something to deliver. */
  onQueued(): void
}

/** What was sent is sent once more, or sooner than it would be by itself. */
export class Again {
  readonly #options: AgainOptions

  constructor(options: AgainOptions) {
    this.#options = options
  }

  /** A new email with the same content, for which all rules of sending hold anew. */
  async resend(
    sender: Sender & { actor: Actor },
    reference: MailReference,
    { to }: ResendEmail = {},
  ): Promise<Replayable<ResentView>> {
    const { db, accepter } = this.#options
    const email = await findWhole(db.reads, viewerOf(sender), reference)
    refuseMailing(email)
    const prepared = await this.#prepared(sender, email, to)
    const resentFrom = encodeId('em', email.id)
    const outcome = await accepter.accept({
      claims: claimsOf(sender, prepared, { resentFrom, to }),
      batchId: null,
      emails: [prepared],
      answer: ([result]) => {
        if (result === undefined || result instanceof DomainError) throw result ?? new Error('a send without an email')
        return { ...acceptedView(result), resentFrom }
      },
      alongside: (tx, accepted) => recordResent(tx, sender.actor, email, accepted, to !== undefined),
    })
    return outcome as Replayable<ResentView>
  }

  /** Recipients that wait for another attempt are due now, at the pace that their destination allows. */
  async retry(viewer: Viewer, actor: Actor, reference: MailReference): Promise<EmailView> {
    const { db, emails, onQueued } = this.#options
    await db.transaction(async (tx) => {
      const email = await findIn(tx, viewer, reference)
      const { id, projectId, workspaceId, projectStatus, status } = email
      if (projectStatus === 'archived') throw projectArchived()
      if (projectStatus === 'paused')
        throw new DomainError('project_paused', 'The project is paused and does not send.')
      const recipients = await retryNow(tx, projectId, id)
      if (recipients === 0) throw nothingWaits(status)
      const subject = encodeId('em', id)
      await recordAudit(tx, actor, {
        workspaceId,
        projectId,
        action: 'email.retried',
        subject,
        details: { recipients },
      })
    })
    onQueued()
    return emails.read(viewer, reference)
  }

  async #prepared({ caller }: Sender, email: EmailRow, to: ResendEmail['to']): Promise<PreparedEmail> {
    const { db, blobs, preparer, clock } = this.#options
    const { email: read, problems } = readEmail(requestOf(email, to), '', clock.now())
    if (problems.length > 0) throw invalid(problems)
    const attachments = await storedAttachments(db.reads, blobs, email.projectId, email.contentId)
    const request = { ...read, attachments, variables: email.variables }
    const [prepared] = await preparer.prepare(caller, projectOf(email), [request], () => '', 'kept')
    if (prepared === undefined) throw new Error('a send without an email')
    if (prepared instanceof DomainError) throw prepared
    const { templateId, templateVersion } = email
    return { ...prepared, content: { ...prepared.content, templateId, templateVersion }, resentFrom: email.id }
  }
}

/** The email as somebody would ask for it today. What it was made from is filled in already. */
const requestOf = (
  { addresses, subject, html, text, headers, tags, options }: EmailRow,
  to: ResendEmail['to'],
): SendEmail => ({
  from: shown(addresses.from),
  ...(to === undefined
    ? { to: shownOfKind(addresses, 'to'), cc: shownOfKind(addresses, 'cc'), bcc: shownOfKind(addresses, 'bcc') }
    : { to }),
  replyTo: addresses.replyTo.map(shown),
  subject,
  ...(html === null ? {} : { html }),
  ...(text === null ? {} : { text }),
  headers,
  tags,
  metadata: options.metadata,
  tracking: options.tracking,
  ...(options.inReplyTo === null ? {} : { inReplyTo: options.inReplyTo }),
})

const projectOf = ({ projectId, workspaceId, projectStatus }: EmailRow): ProjectContext => ({
  id: projectId,
  workspaceId,
  status: projectStatus,
})

/**
 * Contacts agreed to get a broadcast, or an automation's mail, once and at their address. Whether they still do is
 * for the broadcast or the automation to ask.
 */
function refuseMailing({ broadcastId, runId }: EmailRow): void {
  if (broadcastId === null && runId === null) return
  const state = broadcastId === null ? 'automation' : 'broadcast'
  throw new DomainError(
    'invalid_state',
    `Mail of ${state === 'automation' ? 'an automation' : 'a broadcast'} goes to each contact once and is not sent again.`,
    { state },
  )
}

/** The key belongs to this email: the same key for another one is another request. */
const claimsOf = ({ idempotency }: Sender, { project }: PreparedEmail, request: object): Claim[] =>
  idempotency === undefined ? [] : [{ ...idempotency, fingerprint: fingerprintOf(request), project: project.id }]

async function recordResent(
  tx: Tx,
  actor: Actor,
  { id, projectId, workspaceId }: EmailRow,
  [accepted]: readonly AcceptedEmail[],
  isElsewhere: boolean,
): Promise<void> {
  if (accepted === undefined) return
  const details = { as: encodeId('em', accepted.id), toAnotherAddress: isElsewhere }
  await recordAudit(tx, actor, { workspaceId, projectId, action: 'email.resent', subject: encodeId('em', id), details })
}

const nothingWaits = (state: string): DomainError =>
  new DomainError('invalid_state', `No recipient waits for another attempt; the email is ${state}.`, { state })
