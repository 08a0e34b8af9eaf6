import type { Actor, Caller, ProjectContext } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import { DomainError, invalid, MAX_USERS, notFound, type User } from '../../core/errors.ts'
import { encodeId, newId, type BroadcastId, type ProjectId } from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { auditOf } from '../../events/audit.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { Audiences } from '../audiences/index.ts'
import { readSendAt, type AcceptedView, type Emails } from '../emails/index.ts'
import type { Projects } from '../projects/index.ts'
import type { Templates } from '../templates/index.ts'
import { enqueueAdvance } from './advance.ts'
import { countMoves, type Move } from './counting.ts'
import { audienceOf, readDraft } from './draft.ts'
import { testMail, type TestMailOptions } from './test-mail.ts'
import type {
  Broadcast,
  BroadcastState,
  BroadcastSummary,
  BroadcastView,
  CreateBroadcast,
  DeletedBroadcast,
  ListBroadcasts,
  Outstanding,
  Reaction,
  SendBroadcast,
  TestBroadcast,
  UpdateBroadcast,
} from './schema.ts'
import { broadcastSummary, broadcastView, outstandingView } from './views.ts'
import type { Sendable, Starting } from './starting.ts'
import * as store from './store/broadcasts.ts'
import * as sending from './store/sending.ts'

export interface BroadcastsOptions extends TestMailOptions {
  db: Database
  audiences: Audiences
  templates: Templates
  projects: Projects
  emails: Emails
  starting: Starting
  clock: Clock
  /** Called in the transaction that resumes a broadcast: mail that was held for it may leave. */
  resumed(tx: Tx): Promise<void>
}

/**
 *   draft → scheduled → sending → sent
 *   draft → sending        scheduled → draft, by cancel        sending ⇄ paused, paused → sent
 *   sending | paused → cancelled
 *
 * A draft can be changed, a draft or a scheduled one deleted. `sending.ts` tells what happens while one is sent; it is
 * sent when every recipient has come to an end, which may be while it is paused.
 */
export class Broadcasts {
  readonly #options: BroadcastsOptions
  readonly #db: Database

  constructor(options: BroadcastsOptions) {
    this.#options = options
    this.#db = options.db
  }

  async list(
    { id: project }: ProjectContext,
    { status, audienceId }: ListBroadcasts,
    request: PageRequest,
  ): Promise<Page<BroadcastSummary>> {
    const audience = audienceId === undefined ? undefined : audienceOf(audienceId)
    if (audience !== undefined) await this.#options.audiences.findIn(this.#db.reads, project, audience)
    return page(await store.list(this.#db.reads, project, { status, audience }, request), request, broadcastSummary)
  }

  async read({ id: project }: ProjectContext, id: BroadcastId): Promise<BroadcastView> {
    return broadcastView(await this.#find(project, id))
  }

  async create(project: ProjectContext, actor: Actor, fields: CreateBroadcast): Promise<BroadcastView> {
    const { audiences, templates } = this.#options
    const id = newId<'brd'>()
    const audienceId = audienceOf(fields.audienceId)
    await audiences.findIn(this.#db.reads, project.id, audienceId)
    const draft = await readDraft(fields, { templates, db: this.#db.reads, project })
    await this.#db.transaction(async (tx) => {
      await audiences.hold(tx, project.id, audienceId)
      await store.insert(tx, project.id, id, { ...draft, audienceId, from: fields.from })
      await audit(tx, project, actor, 'broadcast.created', id)
    })
    return this.read(project, id)
  }

  async update(
    project: ProjectContext,
    actor: Actor,
    id: BroadcastId,
    fields: UpdateBroadcast,
  ): Promise<BroadcastView> {
    const { audiences, templates } = this.#options
    // Before anything is said about the content: a broadcast that is not there has none.
    await this.#find(project.id, id)
    const draft = await readDraft(fields, { templates, db: this.#db.reads, project })
    await this.#db.transaction(async (tx) => {
      if (draft.audienceId !== undefined) await audiences.hold(tx, project.id, draft.audienceId)
      if (!(await store.update(tx, project.id, id, draft))) throw await this.#refusal(tx, project.id, id, 'changed')
      await audit(tx, project, actor, 'broadcast.updated', id)
    })
    return this.read(project, id)
  }

  async remove(project: ProjectContext, actor: Actor, id: BroadcastId): Promise<DeletedBroadcast> {
    await this.#db.transaction(async (tx) => {
      if (!(await store.remove(tx, project.id, id))) throw await this.#refusal(tx, project.id, id, 'deleted')
      await audit(tx, project, actor, 'broadcast.deleted', id)
    })
    return { id: encodeId('brd', id), deleted: true }
  }

  async send(
    project: ProjectContext,
    actor: Actor,
    id: BroadcastId,
    { expectedRecipients }: SendBroadcast = {},
  ): Promise<BroadcastView> {
    await this.#leave(project, id, 'sent', async (tx, sendable) => {
      if (!(await this.#options.starting.start(tx, sendable, 'draft', expectedRecipients))) return false
      await audit(tx, project, actor, 'broadcast.sent', id)
      return true
    })
    return this.read(project, id)
  }

  async schedule(project: ProjectContext, actor: Actor, id: BroadcastId, text: string): Promise<BroadcastView> {
    const { starting, clock } = this.#options
    const { sendAt, problems } = readSendAt(text, '/sendAt', clock.now())
    if (problems.length > 0) throw invalid(problems)
    await this.#leave(project, id, 'scheduled', async (tx, sendable) => {
      await starting.hold(tx, sendable)
      if (!(await store.schedule(tx, project.id, id, sendable.broadcast.version, sendAt))) return false
      await enqueueAdvance(tx, { project: project.id, id }, sendAt)
      await audit(tx, project, actor, 'broadcast.scheduled', id, { sendAt: sendAt.toISOString() })
      return true
    })
    return this.read(project, id)
  }

  cancel(project: ProjectContext, actor: Actor, id: BroadcastId): Promise<BroadcastView> {
    return this.#move(project, actor, id, 'cancelled', async (tx) => {
      if (await store.unschedule(tx, project.id, id, null)) return true
      if (!(await store.cancel(tx, project.id, id))) return false
      await enqueueAdvance(tx, { project: project.id, id })
      return true
    })
  }

  pause(project: ProjectContext, actor: Actor, id: BroadcastId): Promise<BroadcastView> {
    return this.#move(project, actor, id, 'paused', (tx) => store.pause(tx, project.id, id))
  }

  resume(project: ProjectContext, actor: Actor, id: BroadcastId): Promise<BroadcastView> {
    return this.#move(project, actor, id, 'resumed', async (tx) => {
      if (!(await store.resume(tx, project.id, id))) return false
      await enqueueAdvance(tx, { project: project.id, id })
      await this.#options.resumed(tx)
      return true
    })
  }

  /** An ordinary email that says what the broadcast would say to this recipient. */
  async test(
    { caller, project }: { caller: Caller; project: ProjectContext },
    id: BroadcastId,
    { to }: TestBroadcast,
  ): Promise<AcceptedView> {
    const broadcast = await this.#find(project.id, id)
    const mail = await testMail(this.#db.reads, project, broadcast, [to].flat(), this.#options)
    return (await this.#options.emails.send({ caller, project, idempotency: undefined }, mail)).value
  }

  /** Every recipient that has not come to an end, and where it is. */
  async outstanding(
    { id: project }: ProjectContext,
    id: BroadcastId,
    request: PageRequest,
  ): Promise<Page<Outstanding>> {
    await this.#find(project, id)
    return page(await sending.outstanding(this.#db, project, id, request), request, outstandingView)
  }

  /** The broadcasts that are about to be sent with an audience or a template, which therefore has to stay. */
  async usersOf(tx: Tx, project: ProjectId, needed: store.Needed): Promise<User[]> {
    const found = await store.usersOf(tx, project, needed, MAX_USERS)
    return found.map(({ id, name }) => ({ type: 'broadcast', id: encodeId('brd', id), name }))
  }

  /** Counts recipients that have moved on, in the transaction of that move. */
  progress(tx: Tx, moves: readonly Move[]): Promise<void> {
    return countMoves(tx, moves)
  }

  /** Counts reactions of people, in the transaction in which they are recorded. */
  async counted(tx: Tx, id: BroadcastId, reaction: Reaction, times: number): Promise<void> {
    await sending.react(tx, id, reaction, times)
  }

  /** Continues the broadcasts of a project, in the transaction that resumes it. */
  async projectResumed(tx: Tx, project: ProjectId): Promise<void> {
    for (const { id } of await sending.unattendedOf(tx, project)) await enqueueAdvance(tx, { project, id })
  }

  /** Cancels what is scheduled and ends what is being sent, in the transaction that archives the project. */
  async projectArchived(tx: Tx, project: ProjectId): Promise<void> {
    await store.unscheduleAll(tx, project)
    await this.projectResumed(tx, project)
  }

  /** What is read and checked outside of the transaction must be what leaves; should it have changed, from the start. */
  async #leave(
    project: ProjectContext,
    id: BroadcastId,
    verb: 'sent' | 'scheduled',
    leave: (tx: Tx, sendable: Sendable) => Promise<boolean>,
  ): Promise<void> {
    const { starting, projects } = this.#options
    for (;;) {
      const broadcast = await this.#find(project.id, id)
      if (project.status === 'paused') throw projectPaused()
      if (!canBe[verb].includes(broadcast.status)) throw wrongState(verb, broadcast.status)
      const sendable = await starting.prepare(this.#db.reads, project, broadcast)
      const hasLeft = await this.#db.transaction(async (tx) => {
        const status = (await projects.statusesIn(tx, [project.id])).get(project.id)
        if (status === 'paused') throw projectPaused()
        if (status === 'archived') throw new DomainError('project_archived', 'The project is archived.')
        return leave(tx, sendable)
      })
      if (hasLeft) return
    }
  }

  async #move(
    project: ProjectContext,
    actor: Actor,
    id: BroadcastId,
    verb: 'cancelled' | 'paused' | 'resumed',
    move: (tx: Tx) => Promise<boolean>,
  ): Promise<BroadcastView> {
    await this.#db.transaction(async (tx) => {
      if (!(await move(tx))) throw await this.#refusal(tx, project.id, id, verb)
      await audit(tx, project, actor, `broadcast.${verb}`, id)
    })
    return this.read(project, id)
  }

  async #find(project: ProjectId, id: BroadcastId): Promise<Broadcast> {
    const broadcast = await store.find(this.#db.reads, project, id)
    if (broadcast === undefined) throw notFound('broadcast')
    return broadcast
  }

  /** Says why a move found nothing. */
  async #refusal(tx: Tx, project: ProjectId, id: BroadcastId, verb: Verb): Promise<DomainError> {
    const broadcast = await store.find(tx, project, id)
    return broadcast === undefined ? notFound('broadcast') : wrongState(verb, broadcast.status)
  }
}

type Verb = 'changed' | 'deleted' | 'sent' | 'scheduled' | 'cancelled' | 'paused' | 'resumed'

/** The states from which each move is possible; the statements in the store have the last word. */
const canBe: Readonly<Record<Verb, readonly BroadcastState[]>> = {
  changed: ['draft'],
  deleted: ['draft', 'scheduled'],
  sent: ['draft'],
  scheduled: ['draft', 'scheduled'],
  cancelled: ['scheduled', 'sending', 'paused'],
  paused: ['sending'],
  resumed: ['paused'],
}

const wrongState = (verb: Verb, state: BroadcastState): DomainError =>
  new DomainError(
    'invalid_state',
    `This broadcast is ${state} and cannot be ${verb}: that is possible for one that is ${canBe[verb].join(' or ')}.`,
    { state },
  )

const projectPaused = (): DomainError => new DomainError('project_paused', 'The project is paused and does not send.')

const audit = auditOf('brd')
