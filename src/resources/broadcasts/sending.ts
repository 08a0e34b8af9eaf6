/**
 * What becomes of a broadcast between its start and its last email, in steps that each are one transaction:
 *
 *   scheduled    its time has come → it is started as if somebody had asked for it; what is wrong with it by now makes it
 *                a draft again that says what is wrong
 *   expanding    its recipients are written down, thousands at a time, in the order of their ids
 *   feeding      they get their emails, hundreds at a time, in the same order
 *   clearing     of one that was cancelled: whoever has no email is counted, then the emails that wait are cancelled,
 *                a thousand at a time. None of them could leave meanwhile
 *
 * Each step holds the row of the broadcast and moves its cursor together with what it writes: a crash repeats a step and
 * never loses or doubles one, and whoever pauses the broadcast waits for the step that is under way. Emails are made
 * only as quickly as they leave, so that the queue stays as small as it is without a broadcast.
 */
import type { Clock } from '../../core/clock.ts'
import { DomainError } from '../../core/errors.ts'
import { failpoint } from '../../core/failpoint.ts'
import type { RunningJob } from '../../jobs/define.ts'
import { parseAddress, type Address } from '../../mail/address.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { Mailings } from '../emails/index.ts'
import type { Projects } from '../projects/index.ts'
import { enqueueAdvance, type Which } from './advance.ts'
import { countMoves } from './counting.ts'
import type { BroadcastState, Person } from './schema.ts'
import type { Starting } from './starting.ts'
import * as broadcasts from './store/broadcasts.ts'
import * as store from './store/sending.ts'
import type { BroadcastRow } from './store/sending.ts'

export interface SendingOptions {
  db: Database
  projects: Projects
  mailings: Mailings
  starting: Starting
  clock: Clock
  /** Called after the commit, when there is something to deliver. */
  onQueued(): void
}

const EXPAND_AT_ONCE = 20_000
const FEED_AT_ONCE = 500
/** Emails of a broadcast that could leave at once; the dispatcher does not need more to keep everybody busy. */
const MAX_READY = 5_000
/** With those that wait for another attempt, which may be many where a large provider is away. */
const MAX_UNDER_WAY = 50_000
const CLEAR_AT_ONCE = 1_000
/** How long a job goes on before others get a turn. */
const TURN_MS = 2_000
/** How soon to look whether something has left. */
const LOOK_AGAIN_MS = 1_000
/** A throttled broadcast is fed in portions of so many seconds. */
const PORTION_S = 10

/** What to do after a step: go on, go on then, or leave it to somebody else. */
type Next = 'on' | Date | 'over'

export class Sending {
  readonly #options: SendingOptions

  constructor(options: SendingOptions) {
    this.#options = options
  }

  async advance(which: Which, job: RunningJob): Promise<void> {
    const { db, clock } = this.#options
    const until = clock.now() + TURN_MS
    let next: Next = 'on'
    while (next === 'on' && clock.now() < until && !job.signal.aborted) next = await this.#step(which, job)
    if (next === 'over') return
    const runAt = next === 'on' ? undefined : next
    await db.transaction(async (tx) => {
      await job.finish(tx)
      await enqueueAdvance(tx, which, runAt)
    })
  }

  /** Should a job have been given up, or a time passed unnoticed. */
  async attend(): Promise<void> {
    const { db } = this.#options
    const found = await store.unattended(db)
    if (found.length === 0) return
    await db.transaction(async (tx) => {
      for (const { id, projectId } of found) await enqueueAdvance(tx, { project: projectId, id })
    })
  }

  async #step(which: Which, job: RunningJob): Promise<Next> {
    const { db, onQueued } = this.#options
    const seen = await store.find(db, which.project, which.id)
    if (seen?.status === 'scheduled') return this.#startScheduled(seen)
    if (seen?.status === 'cancelled' && seen.fedAt !== null) return this.#clear(seen)
    const { next, queued } = await db.transaction(async (tx) => {
      const row = await store.lock(tx, which.project, which.id)
      return row === undefined ? DONE : this.#stepIn(tx, row, job)
    })
    if (queued > 0) onQueued()
    return next
  }

  async #stepIn(tx: Tx, row: BroadcastRow, job: RunningJob): Promise<Step> {
    const { status, projectStatus, expandedAt, fedAt } = row
    if (!hasBegun.has(status) || fedAt !== null) return DONE
    if (projectStatus === 'archived') return this.#abandon(tx, row)
    if (expandedAt === null) return this.#expand(tx, row, job)
    if (status === 'cancelled') return this.#abandon(tx, row)
    return status === 'paused' || projectStatus === 'paused' ? DONE : this.#feed(tx, row, job)
  }

  async #startScheduled(row: BroadcastRow): Promise<Next> {
    const { id, projectId, workspaceId, projectStatus, sendAt, isSendingOn, now } = row
    const { db, starting } = this.#options
    if (sendAt !== null && sendAt > now) return sendAt
    // It waits for its project like everything else; and while sending is held it can still be cancelled.
    if (projectStatus !== 'active' || !isSendingOn) return 'over'
    const broadcast = await broadcasts.find(db, projectId, id)
    if (broadcast === undefined) return 'over'
    const project = { id: projectId, workspaceId, status: projectStatus }
    try {
      const sendable = await starting.prepare(db, project, broadcast)
      await db.transaction((tx) => starting.start(tx, sendable, 'scheduled'))
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'unavailable') throw error
      await db.transaction((tx) => broadcasts.unschedule(tx, projectId, id, error.message))
    }
    return 'on'
  }

  async #expand(tx: Tx, row: BroadcastRow, job: RunningJob): Promise<Step> {
    const { seen, added, last } = await store.expand(tx, row, EXPAND_AT_ONCE)
    const isLast = seen < EXPAND_AT_ONCE
    await failpoint('broadcasts.expand', `attempt ${job.attempt}`)
    await store.expanded(tx, row, { to: last, added, isLast })
    // Where everybody has left meanwhile.
    if (isLast) await store.complete(tx, [row.id])
    return { next: 'on', queued: 0 }
  }

  async #feed(tx: Tx, row: BroadcastRow, job: RunningJob): Promise<Step> {
    const { projects, mailings } = this.#options
    const { projectId, nextFeedAt, now, perMinute } = row
    if (nextFeedAt !== null && nextFeedAt > now) return { next: nextFeedAt, queued: 0 }
    const room = roomFor(row, await mailings.unfinishedCounts(tx, row.id))
    if (room <= 0) return { next: after(now, LOOK_AGAIN_MS), queued: 0 }
    const quotas = await projects.openQuotas(tx, [projectId])
    const { recipients: left, resetsAt } = quotas.left(projectId)
    const most = Math.min(room, left)
    if (most <= 0) return { next: resetsAt ?? 'over', queued: 0 }

    const waiting = await store.waiting(tx, row, most)
    const isLast = waiting.length < most
    await store.fed(tx, row, {
      to: waiting.at(-1)?.id ?? null,
      count: waiting.length,
      isLast,
      nextFeedAt: perMinute === null ? null : after(now, (waiting.length * 60_000) / perMinute),
    })
    await failpoint('broadcasts.feed', `attempt ${job.attempt} at ${row.fed}`)
    const people = waiting.filter((one) => one.email !== null)
    const refusal = quotas.take(projectId, people.length)
    if (refusal) throw refusal
    const [created] = await Promise.all([mailings.create(tx, emailsFor(row, people)), quotas.write(tx)])
    await this.#countGone(
      tx,
      row,
      waiting.filter(({ email }) => email === null),
    )
    return { next: isLast ? 'over' : 'on', queued: created }
  }

  /** There is nobody left to write to: the contact was deleted since. */
  async #countGone(tx: Tx, row: BroadcastRow, gone: readonly store.Waiting[]): Promise<void> {
    const { length: count } = gone
    if (count === 0) return
    await store.noteDeleted(
      tx,
      row,
      gone.map(({ id }) => id),
    )
    await countMoves(tx, [{ broadcastId: row.id, from: 'queued', to: 'suppressed', count }])
  }

  /** It is cancelled, or its project archived. What a worker has in hand ends by itself. */
  async #abandon(tx: Tx, row: BroadcastRow): Promise<Step> {
    const count = await store.abandon(tx, row)
    if (count > 0) await countMoves(tx, [{ broadcastId: row.id, from: 'queued', to: 'cancelled', count }])
    else await store.complete(tx, [row.id])
    return { next: 'on', queued: 0 }
  }

  /**
   * Does not hold the broadcast, which does not move any more: whoever records an outcome holds the numbers first.
   * What a worker has in hand is looked at again, in case it comes back to be tried later.
   */
  async #clear(row: BroadcastRow): Promise<Next> {
    const { db, mailings } = this.#options
    if (row.clearedAt !== null) return 'over'
    return db.transaction(async (tx) => {
      const moves = await mailings.cancelSome(tx, row.projectId, row.id, CLEAR_AT_ONCE)
      await countMoves(tx, moves)
      if (moves.length > 0) return 'on'
      const { total } = await mailings.unfinishedCounts(tx, row.id)
      if (total > 0) return after(row.now, LOOK_AGAIN_MS)
      await store.cleared(tx, row)
      return 'over'
    })
  }
}

interface Step {
  next: Next
  /** Emails that are ready to leave. */
  queued: number
}

/** What is sent, or was until it was cancelled. */
const hasBegun: ReadonlySet<BroadcastState> = new Set(['sending', 'paused', 'cancelled'])

const DONE: Step = { next: 'over', queued: 0 }

const after = (moment: Date, ms: number): Date => new Date(moment.getTime() + ms)

function roomFor({ perMinute }: BroadcastRow, { ready, total }: { ready: number; total: number }): number {
  const room = Math.min(FEED_AT_ONCE, MAX_READY - ready, MAX_UNDER_WAY - total)
  if (perMinute === null) return room
  // Never more than a minute's worth, or all of it would leave at once when something has held it up.
  const portion = Math.max(1, Math.floor((perMinute * PORTION_S) / 60))
  return Math.min(room, portion, perMinute - ready)
}

function emailsFor({ id, projectId, contentId, sentAs, from, replyTo }: BroadcastRow, people: readonly Person[]) {
  if (contentId === null || sentAs === null) throw new Error('a broadcast is being sent that was not started')
  const addresses = { from: readAgain(from), replyTo: replyTo.map(readAgain) }
  return people.map((contact) => ({
    projectId,
    contentId,
    sender: sentAs,
    addresses,
    contact,
    origin: { broadcastId: id },
  }))
}

/** It was read before it was sent. */
function readAgain(text: string): Address {
  const parsed = parseAddress(text)
  if (!parsed.ok) throw new Error(`an address of a broadcast ${parsed.problem}`)
  return parsed.value
}
