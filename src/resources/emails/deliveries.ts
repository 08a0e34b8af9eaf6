import type { Dialogue } from '../../core/dialogue.ts'
import type { BroadcastId, EmailId, ProjectId, WorkspaceId } from '../../core/ids.ts'
import type { MailReference } from '../../core/mail-reference.ts'
import type { NewEvent, Publish, RecipientEventKind } from '../../events/publish.ts'
import type { SmtpDetail } from '../../events/smtp-detail.ts'
import { addressKey } from '../../mail/address.ts'
import type { Attachment } from '../../mail/compose/attachment.ts'
import type { Blobs } from '../../storage/blobs.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { Query } from '../../storage/sql.ts'
import type { Suppressions } from '../suppressions/index.ts'
import type { ReadMailing } from '../../mail/compose/mailing.ts'
import { deliveredFor, type Templates } from '../templates/index.ts'
import { storedAttachments } from './attachments.ts'
import { mergedParts, type MergeLinks } from './merge.ts'
import { recordReport, type LateReport, type Recorded } from './reports.ts'
import type { Merge } from './schema.ts'
import type { FinalState } from './states.ts'
import * as store from './store/deliver.ts'
import type { DueDelivery } from './store/deliver.ts'
import { messageIdOf } from './views.ts'

export type { DueDelivery }

/** The recipient that an outcome is about, in few fields, because it is also written into the journal. */
export interface RecipientRef {
  projectId: ProjectId
  workspaceId: WorkspaceId
  emailId: EmailId
  /** The place of the recipient in the email; missing for the first. */
  position?: number
  /** The address as it was given. */
  email: string
  broadcastId?: BroadcastId
  /** Earlier attempts; they say where a recipient of a broadcast counted until now. */
  attempts?: number
}

export const recipientRefOf = (due: DueDelivery): RecipientRef => ({
  projectId: due.projectId,
  workspaceId: due.workspaceId,
  emailId: due.emailId,
  ...(due.position === 0 ? {} : { position: due.position }),
  email: due.addresses.recipients[due.position]?.email ?? '',
  ...(due.broadcastId === null ? {} : { broadcastId: due.broadcastId, attempts: due.attempts }),
})

/** A recipient of a broadcast that counts elsewhere from now on. */
export interface Progress {
  broadcastId: BroadcastId
  from: 'queued' | 'deferred' | 'delivered'
  to: 'deferred' | FinalState
  /** How many recipients moved; one unless given. */
  count?: number
}

/** Functions of later resources that decide what may leave, and that are told what became of it. */
export interface DeliveryHooks {
  gates: readonly store.Gate[]
  /**
   * The words of whoever paused mail of a project to a destination (`q.project_id` and `q.destination`), empty if they
   * gave none; null where nobody did.
   */
  paused: Query<never>
  /** Keeps the pauses that count for these deliveries from being lifted until the transaction ends. */
  lockPauses(tx: Tx, ids: readonly string[]): Promise<void>
  progress(tx: Tx, steps: readonly Progress[]): Promise<void>
}

/** The outcome for one recipient. `recipient` is missing where its row could not be read. */
export type Delivered = { recipient: RecipientRef | undefined } & (
  | ({ kind: 'finished'; state: Exclude<FinalState, 'cancelled'>; complaint?: string } & Attempted)
  | ({ kind: 'deferred'; afterMs: number; isRepeated: boolean } & Attempted)
  /** The recipient was not tried. */
  | { kind: 'returned'; afterMs: number; destination?: string }
  /** The permission to send it was refused. */
  | { kind: 'withheld'; destination?: string }
)

/** What is known of the attempt that led to an outcome. */
interface Attempted {
  detail: string
  smtp?: SmtpDetail
  /** Where it went, if that was found out on the way. */
  destination?: string
  /** What was said, where that is worth keeping. */
  dialogue?: Dialogue
}

export interface DeliveriesOptions {
  db: Database
  blobs: Blobs
  suppressions: Suppressions
  templates: Templates
  hooks: DeliveryHooks
  publish: Publish
}

export interface Content extends store.ContentRow {
  attachments(): Promise<Attachment[]>
}

/** The content of a mailing. */
export type MergeContent = Content & { merge: Merge }

/** What the delivery engine reads of emails, and records about them. */
export class Deliveries {
  readonly table = 'deliveries'
  /** The condition that must hold right before a message leaves. */
  readonly mayBegin: Query<never>
  readonly whenDue = store.whenDue
  readonly #options: DeliveriesOptions
  readonly #db: Database
  readonly #gate: store.Gate

  constructor(options: DeliveriesOptions) {
    this.#options = options
    this.#db = options.db
    this.#gate = store.withOwnGate(options.hooks.gates)
    this.mayBegin = store.mayBegin(this.#gate, options.hooks.paused)
  }

  /** Returns them in the order of the ids, with undefined for one that is not there any more. */
  async load(ids: readonly string[]): Promise<(DueDelivery | undefined)[]> {
    const rows = new Map((await store.load(this.#db, ids)).map((row) => [row.id, row]))
    return ids.map((id) => rows.get(id))
  }

  /** Returns them in the order of the ids. */
  async contents(ids: readonly string[]): Promise<(Content | undefined)[]> {
    const rows = new Map((await store.contents(this.#db, [...new Set(ids)])).map((row) => [row.id, row]))
    return ids.map((id) => {
      const row = rows.get(id)
      return (
        row && { ...row, attachments: () => storedAttachments(this.#db, this.#options.blobs, row.projectId, row.id) }
      )
    })
  }

  messageId(due: DueDelivery): string {
    return messageIdOf({ id: due.emailId, addresses: due.addresses })
  }

  /** Records state, event and suppression in the caller's transaction. */
  async record(tx: Tx, settled: readonly { id: string; outcome: Delivered }[]): Promise<void> {
    const decided = await this.#decideWithheld(tx, settled)
    const finishes = decided.flatMap(({ id, outcome }) => (outcome.kind === 'finished' ? [finishOf(id, outcome)] : []))
    const cancelled = decided.flatMap(({ id, outcome }) =>
      outcome.kind === 'cancelled' ? [{ id, state: 'cancelled' as const, tried: 0, destination: null }] : [],
    )
    const postponements = decided.flatMap(({ id, outcome }) => postponementOf(id, outcome))
    const ended = [...finishes, ...cancelled]
    // One behind the other on the same connection, without waiting in between.
    await Promise.all([
      ...(ended.length === 0 ? [] : [store.finish(tx, ended)]),
      ...(postponements.length === 0 ? [] : [store.postpone(tx, postponements)]),
      this.#options.publish(
        tx,
        decided.flatMap(({ outcome }) => eventsFor(outcome)),
      ),
      this.#options.suppressions.addAutomatic(
        tx,
        decided.flatMap(({ outcome }) => suppressionFor(outcome)),
      ),
    ])
    const steps = decided.flatMap(({ outcome }) => progressOf(outcome))
    if (steps.length > 0) await this.#options.hooks.progress(tx, steps)
  }

  /** Records a report about a message that came after it was delivered. */
  recordReport(tx: Tx, reference: MailReference, report: LateReport): Promise<Recorded> {
    return recordReport(tx, this.#options, reference, report)
  }

  /** What the content of a mailing says to this recipient. */
  merged(due: DueDelivery, content: MergeContent, links: MergeLinks): Promise<ReadMailing> {
    const email = due.addresses.recipients[due.position]?.email ?? ''
    const { contact = { firstName: null, lastName: null, properties: {} } } = due.options
    const { templates } = this.#options
    return mergedParts(templates, content, { ...contact, email }, links, due.projectName, deliveredFor(due))
  }

  /** Releases mail until nothing is held that need not be: of a project, of one of its destinations, or of all. */
  async releaseHeld(resumed: { project?: ProjectId; destination?: string } = {}): Promise<void> {
    const stretch = store.stretchOf(resumed)
    let from: store.Place | undefined = stretch.from
    while (from !== undefined) {
      from = await store.releaseHeld(this.#db, this.#gate, this.#options.hooks.paused, { ...stretch, from })
    }
  }

  /** What a project has to deliver now. Very many are not counted to the end. */
  waiting(project: ProjectId): Promise<store.Waiting> {
    return store.waiting(this.#db.reads, project)
  }

  async learnRoutes(routes: readonly { domain: string; site: string }[]): Promise<void> {
    await store.learnRoutes(this.#db, routes)
  }

  async #decideWithheld(tx: Tx, settled: readonly { id: string; outcome: Delivered }[]): Promise<Decided[]> {
    const withheld = settled.filter(({ outcome }) => outcome.kind === 'withheld').map(({ id }) => id)
    if (withheld.length === 0) return settled as Decided[]
    const { lockPauses, paused } = this.#options.hooks
    // Whoever lifts a pause waits for us, and then finds what we put aside because of it.
    await lockPauses(tx, withheld)
    const obstacles = await store.obstacles(tx, withheld, this.#gate, paused)
    const found = new Map(obstacles.map((obstacle) => [obstacle.id, obstacle]))
    return settled.map(({ id, outcome }) =>
      outcome.kind === 'withheld' ? { id, outcome: afterObstacle(outcome, found.get(id)) } : { id, outcome },
    )
  }
}

type DecidedOutcome =
  | Exclude<Delivered, { kind: 'withheld' }>
  | { kind: 'cancelled'; recipient: RecipientRef | undefined }
  /** `detail` tells why, where its recipient is deferred because of it. */
  | { kind: 'held'; recipient: RecipientRef | undefined; detail?: string }

interface Decided {
  id: string
  outcome: DecidedOutcome
}

function afterObstacle(
  { recipient, destination }: Delivered & { kind: 'withheld' },
  obstacle: store.Obstacle | undefined,
): DecidedOutcome {
  if (obstacle?.suppression) {
    const detail = `On the suppression list (${obstacle.suppression}) since it was accepted; not sent.`
    return { kind: 'finished', state: 'suppressed', detail, recipient }
  }
  const gate = obstacle?.gate ?? null
  if (obstacle?.projectStatus === 'archived' || gate === 'cancel') return { kind: 'cancelled', recipient }
  if (obstacle?.projectStatus === 'paused' || gate === 'hold') return { kind: 'held', recipient }
  if (gate !== null) return { kind: 'finished', state: 'suppressed', detail: gate, recipient }
  if (obstacle?.pause != null) return { kind: 'held', recipient, detail: pausedSentence(obstacle) }
  // Whatever it was is over, or it is about the destination that was found out on the way.
  return { kind: 'returned', afterMs: 0, recipient, ...(destination === undefined ? {} : { destination }) }
}

const pausedSentence = ({ destination, pause }: store.Obstacle): string =>
  pause ? `Mail to ${destination} is paused: ${pause}` : `Mail to ${destination} is paused.`

/** A suppression is no attempt: no server was asked. */
const isOurs = (state: FinalState): boolean => state === 'suppressed'

const finalState = ({ state, complaint }: DecidedOutcome & { kind: 'finished' }): FinalState =>
  complaint ? 'filteredspam' : state

const finishOf = (id: string, outcome: DecidedOutcome & { kind: 'finished' }): store.Finish => ({
  id,
  state: finalState(outcome),
  tried: isOurs(outcome.state) ? 0 : 1,
  destination: outcome.destination ?? null,
})

function postponementOf(id: string, outcome: DecidedOutcome): store.Postponement[] {
  switch (outcome.kind) {
    case 'deferred':
    case 'returned': {
      const { kind, afterMs, destination = null } = outcome
      return [
        { id, state: afterMs === 0 ? 'ready' : 'waiting', afterMs, tried: kind === 'deferred' ? 1 : 0, destination },
      ]
    }
    case 'held':
      return [{ id, state: 'held', afterMs: 0, tried: 0, destination: null }]
    default:
      return []
  }
}

function eventsFor(outcome: DecidedOutcome): NewEvent[] {
  const { recipient } = outcome
  if (recipient === undefined) return []
  if (outcome.kind === 'held' && outcome.detail !== undefined) {
    // No server said anything: the email shows it, and neither numbers nor webhooks tell of it.
    return [aboutRecipient(recipient, { kind: 'email.deferred', detail: outcome.detail, isRepeated: true })]
  }
  if (outcome.kind !== 'finished' && outcome.kind !== 'deferred') return []
  const { detail, smtp, dialogue } = outcome
  const kind: RecipientEventKind = outcome.kind === 'deferred' ? 'email.deferred' : `email.${outcome.state}`
  const isRepeated = outcome.kind === 'deferred' && outcome.isRepeated
  const told: Told[] = [{ kind, detail, smtp, isRepeated, dialogue }]
  if (outcome.kind === 'finished' && outcome.complaint) {
    told.push({ kind: 'email.filteredspam', detail: outcome.complaint })
  }
  return told.map((words) => aboutRecipient(recipient, words))
}

type Told = { kind: RecipientEventKind } & Pick<NewEvent, 'detail' | 'smtp' | 'isRepeated' | 'dialogue'>

const aboutRecipient = (recipient: RecipientRef, words: Told): NewEvent => ({
  ...words,
  projectId: recipient.projectId,
  workspaceId: recipient.workspaceId,
  messageId: recipient.emailId,
  position: recipient.position ?? 0,
  recipient: recipient.email,
})

/** Where a recipient of a broadcast counts now; nothing for one that still counts where it did. */
function progressOf(outcome: DecidedOutcome): Progress[] {
  const { recipient } = outcome
  if (recipient?.broadcastId === undefined) return []
  const from = (recipient.attempts ?? 0) > 0 ? 'deferred' : 'queued'
  const { broadcastId } = recipient
  switch (outcome.kind) {
    case 'finished':
      return [{ broadcastId, from, to: finalState(outcome) }]
    case 'cancelled':
      return [{ broadcastId, from, to: 'cancelled' }]
    case 'deferred':
      return from === 'deferred' ? [] : [{ broadcastId, from, to: 'deferred' }]
    default:
      return []
  }
}

/** Only what the recipient, or its server, says about the recipient. */
function suppressionFor(outcome: DecidedOutcome): Parameters<Suppressions['addAutomatic']>[1][number][] {
  if (outcome.kind !== 'finished' || outcome.recipient === undefined) return []
  const state = finalState(outcome)
  if (state !== 'bounced' && state !== 'filteredspam') return []
  const { projectId, emailId, email } = outcome.recipient
  return [
    {
      projectId,
      email: addressKey({ email }),
      reason: state === 'bounced' ? 'bounce' : 'spam',
      messageId: emailId,
      note: outcome.complaint ?? outcome.detail,
    },
  ]
}
