import { createHash } from 'node:crypto'
import type { Actor, Caller, ProjectContext } from '../../core/caller.ts'
import { DomainError, notFound, tooMany } from '../../core/errors.ts'
import { asUuid, type ProjectId } from '../../core/ids.ts'
import { page, type PageRequest } from '../../core/page.ts'
import { recordAudit, type AuditAction } from '../../events/audit.ts'
import { NUMBER_PATTERN } from '../../mail/replies/same-answer.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import { judge } from './judge.ts'
import { Picture } from './picture.ts'
import { requireInstallation } from './power.ts'
import type { DestinationDetail, DestinationView, PauseDestination, QueueView, WaitingRow } from './schema.ts'
import { MAX_HOLDS } from './states.ts'
import { ages as agesOf } from './store/ages.ts'
import * as holds from './store/holds.ts'
import * as pictures from './store/picture.ts'
import * as reports from './store/reports.ts'
import { destinationView, hostView, replyGroupView, timeOf, type Seen } from './views.ts'

interface QueueOptions {
  db: Database
  picture: Picture
  /** How many connections a destination gets at most, as a rule. */
  usualLimit(destination: string): number
  /** Called in the transaction that lifts a pause, of one project or of all: what was held because of it goes on. */
  resumed(tx: Tx, place?: { project: ProjectId; destination: string }): Promise<void>
  /** Called where more wait for another attempt than are made due at once. */
  retryRest(tx: Tx, project: ProjectId, destination: string): Promise<void>
  /** Called after the commit, when there is something to deliver. */
  onQueued(): void
}

/** Destinations without anything that waits, to which mail went lately. */
const MAX_RECENT = 200
const MAX_GROUPS = 50
const RETRIED_AT_ONCE = 10_000

/** What waits of a project, where and why, and what people do about it. */
export class Queue {
  readonly #options: QueueOptions

  constructor(options: QueueOptions) {
    this.#options = options
  }

  async list(project: ProjectContext, needsLook: boolean, request: PageRequest): Promise<QueueView> {
    const { db, picture } = this.#options
    const asOf = await picture.asOf()
    const [waiting, recent, paused, leavingPerSecond, lastLeftAt] = await Promise.all([
      pictures.waitingOf(db.reads, project.id),
      reports.recentDestinations(db.reads, project.id, MAX_RECENT),
      holds.holdsFor(db.reads, project.id),
      reports.leavingPerSecond(db.reads, project.id),
      reports.lastLeftAt(db.reads, project.id),
    ])
    const inQueue = waiting.filter((row) => row.waiting > 0)
    const names = new Set([...inQueue, ...paused, ...recent].map(({ destination }) => destination))
    const all = inOrder(await this.#seen(project, [...names], { waiting: inQueue, paused, now: asOf }))
    const wanted = all.filter((one) => one.needsLook || !needsLook)
    const { data, ...rest } = page(after(wanted, request), request, ({ seen }) => seen)
    return {
      asOf: asOf.toISOString(),
      waiting: inQueue.reduce((sum, row) => sum + row.waiting, 0),
      oldestAt: oldestOf(inQueue)?.toISOString() ?? null,
      leavingPerSecond,
      lastLeftAt: lastLeftAt?.toISOString() ?? null,
      destinations: { all: all.length, needsLook: all.filter((one) => one.needsLook).length },
      data: data.map((seen) => destinationView(seen, project.workspaceId)),
      ...rest,
    }
  }

  async read(project: ProjectContext, name: string): Promise<DestinationDetail> {
    const { db, picture } = this.#options
    const destination = checked(name)
    const asOf = await picture.asOf()
    const [waiting, paused, groups, hosts, ages] = await Promise.all([
      pictures.waitingOf(db.reads, project.id),
      holds.holdsFor(db.reads, project.id, destination),
      reports.replyGroups(db.reads, project.id, destination, NUMBER_PATTERN, MAX_GROUPS),
      reports.hosts(db.reads, project.id, destination, MAX_GROUPS),
      agesOf(db.reads, project.id, destination, asOf),
    ])
    const [seen] = await this.#seen(project, [destination], { waiting, paused, now: asOf })
    if (seen === undefined) throw new Error('a destination got lost')
    return {
      asOf: asOf.toISOString(),
      ...destinationView(seen, project.workspaceId),
      ages,
      replies: groups.map((group) => replyGroupView(destination, group)),
      hosts: hosts.map(hostView),
    }
  }

  /** What waits for another attempt is due now, at the pace that the destination allows. */
  async retry(project: ProjectContext, actor: Actor, name: string): Promise<{ recipients: number }> {
    const { db, retryRest, onQueued } = this.#options
    const destination = checked(name)
    if (project.status === 'paused') throw new DomainError('project_paused', 'The project is paused and does not send.')
    const recipients = await db.transaction(async (tx) => {
      if (await holds.isPaused(tx, project.id, destination)) throw stillPaused('Mail to it is paused: resume it first.')
      const moved = await pictures.retryWaiting(tx, project.id, destination, RETRIED_AT_ONCE)
      const rest = moved < RETRIED_AT_ONCE ? 0 : await pictures.countWaiting(tx, project.id, destination)
      if (rest > 0) await retryRest(tx, project.id, destination)
      if (moved > 0) {
        await audit(tx, project, actor, 'destination.retried', destination, { recipients: moved + rest })
      }
      return moved + rest
    })
    onQueued()
    return { recipients }
  }

  /** For a job: what is left of a retry, until nothing waits. */
  async retryAll(project: ProjectId, destination: string): Promise<void> {
    const { db, onQueued } = this.#options
    while ((await pictures.retryWaiting(db, project, destination, RETRIED_AT_ONCE)) === RETRIED_AT_ONCE) onQueued()
    onQueued()
  }

  /** From the commit on nothing is permitted to leave; what has the permission leaves within half a second. */
  async pause(
    project: ProjectContext,
    caller: Caller,
    actor: Actor,
    name: string,
    { because, everywhere = false }: PauseDestination,
  ): Promise<DestinationView> {
    const destination = checked(name)
    if (everywhere) requireInstallation(caller)
    const projectId = everywhere ? null : project.id
    const { workspaceId } = project
    await this.#options.db.transaction(async (tx) => {
      const isNew = await holds.pause(tx, actor, { workspaceId, projectId, destination, because: because ?? null })
      if (isNew && (await holds.countHolds(tx, projectId)) > MAX_HOLDS) {
        throw tooMany('pausedDestinations', 'The project', 'paused destinations', MAX_HOLDS, MAX_HOLDS)
      }
      const details = { everywhere, ...(because === undefined ? {} : { because }) }
      if (isNew) await audit(tx, project, actor, 'destination.paused', destination, details)
    })
    return this.#view(project, destination)
  }

  async resume(
    project: ProjectContext,
    caller: Caller,
    actor: Actor,
    name: string,
    { because, everywhere = false }: PauseDestination,
  ): Promise<DestinationView> {
    const { db, resumed } = this.#options
    const destination = checked(name)
    if (everywhere) requireInstallation(caller)
    await db.transaction(async (tx) => {
      const hasChanged = await holds.resume(tx, everywhere ? null : project.id, destination)
      if (hasChanged) {
        const details = { everywhere, ...(because === undefined ? {} : { because }) }
        await audit(tx, project, actor, 'destination.resumed', destination, details)
        await resumed(tx, everywhere ? undefined : { project: project.id, destination })
      } else if (!everywhere && (await holds.isPaused(tx, project.id, destination))) {
        throw stillPaused('It is paused for the whole installation: an owner or admin of the workspace resumes it.')
      }
    })
    return this.#view(project, destination)
  }

  /** With the numbers that were last counted: a pause that is in force is not answered later because of them. */
  async #view(project: ProjectContext, destination: string): Promise<DestinationView> {
    const { db } = this.#options
    const { now } = await pictures.now(db)
    const [waiting, paused] = await Promise.all([
      pictures.waitingOf(db, project.id),
      holds.holdsFor(db, project.id, destination),
    ])
    const [seen] = await this.#seen(project, [destination], { waiting, paused, now })
    if (seen === undefined) throw new Error('a destination got lost')
    return destinationView(seen, project.workspaceId)
  }

  async #seen(
    project: ProjectContext,
    destinations: readonly string[],
    known: { waiting: readonly WaitingRow[]; paused: Awaited<ReturnType<typeof holds.holdsFor>>; now: Date },
  ): Promise<Seen[]> {
    const { db, usualLimit } = this.#options
    const [engines, replies] = await Promise.all([
      reports.engineStates(db.reads, destinations),
      reports.lastReplies(db.reads, project.id, destinations),
    ])
    const waitingAt = byDestination(known.waiting)
    const engineAt = byDestination(engines)
    const replyAt = byDestination(replies)
    // Of two pauses the project's own is shown: it comes first, and has to be lifted first.
    const holdAt = byDestination(known.paused.toReversed())
    return destinations.map((destination) => ({
      destination,
      usualLimit: usualLimit(destination),
      waiting: waitingAt.get(destination),
      engine: engineAt.get(destination),
      reply: replyAt.get(destination),
      hold: holdAt.get(destination),
      now: known.now,
    }))
  }
}

const byDestination = <Row extends { destination: string }>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.destination, row]))

const oldestOf = (rows: readonly WaitingRow[]): Date | null =>
  timeOf(
    rows.reduce<string | null>(
      (oldest, { oldestId: id }) => (id !== null && (oldest === null || id < oldest) ? id : oldest),
      null,
    ),
  )

interface Listed {
  /** Its place in the list, which is also the cursor: what needs a look first, then the largest. */
  id: string
  needsLook: boolean
  seen: Seen
}

const inOrder = (all: readonly Seen[]): Listed[] =>
  all
    .map((seen) => {
      const { needsLook } = judge(seen)
      return { id: placeOf(seen, needsLook), needsLook, seen }
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))

function placeOf({ destination, waiting }: Seen, needsLook: boolean): string {
  const place = Buffer.alloc(16)
  place.writeUInt8(needsLook ? 0 : 1, 0)
  place.writeUInt32BE(0xffffffff - (waiting?.waiting ?? 0), 1)
  createHash('sha256').update(destination).digest().copy(place, 5, 0, 11)
  return asUuid(place.toString('hex'))
}

const after = (rows: readonly Listed[], { after: last, limit }: PageRequest): Listed[] =>
  rows.filter(({ id }) => last === null || id > last).slice(0, limit + 1)

/** Longer than any that we make. */
const MAX_NAME = 300

/** No destination is written in another way than mail hosts are; in any other name nothing ever waits. */
function checked(name: string): string {
  if (name.length > MAX_NAME || !/^[!-~]+$/.test(name)) throw notFound('destination')
  return name
}

const stillPaused = (sentence: string): DomainError => new DomainError('invalid_state', sentence, { state: 'paused' })

const audit = (
  tx: Tx,
  { workspaceId, id: projectId }: ProjectContext,
  actor: Actor,
  action: AuditAction,
  subject: string,
  details: Record<string, unknown>,
): Promise<void> => recordAudit(tx, actor, { workspaceId, projectId, action, subject, details })
