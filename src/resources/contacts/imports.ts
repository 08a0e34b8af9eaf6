import type { Actor, ProjectContext } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import { writeRow } from '../../core/csv.ts'
import { DomainError, invalid, notFound } from '../../core/errors.ts'
import type { FileContent } from '../../core/file-content.ts'
import { encodeId, newId, type AudienceId, type ImportId, type ProjectId } from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { recordAudit } from '../../events/audit.ts'
import { jobKind, type RunningJob } from '../../jobs/define.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { oneByOne } from '../../storage/one-by-one.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { Audiences } from '../audiences/index.ts'
import { ImportFile } from './import-file.ts'
import { readerFor, type FileKind, type ImportRow } from './import-rows.ts'
import type { Import, ImportView } from './schema.ts'
import { importView } from './views.ts'
import * as store from './store/imports.ts'
import { ContactWriter, type ContactHooks, type Outcome } from './writer.ts'

const PIECE_BYTES = 1024 * 1024
const MAX_ROWS = 1_000_000
/** One transaction writes this much. */
const CHUNK = { rows: 1_000, bytes: 1024 * 1024 }
/** A job writes this many chunks, then other imports have their turn. */
const CHUNKS_IN_A_ROW = 50
/** How many imports a node runs at a time: fewer than it runs jobs, and one of a project. */
const QUEUES = 2
const REPORT_ROWS = 2_000
const FORGET_AT_ONCE = 5_000
const KEPT_DAYS = 30

interface ImportJob {
  project: ProjectId
  id: ImportId
}

export const importContacts = jobKind<ImportJob>('contacts.import')

export interface ImportsOptions {
  db: Database
  audiences: Audiences
  hooks: ContactHooks
  clock: Clock
}

/**
 * A file is stored in pieces while it comes. A job then reads it row by row; each chunk is one transaction that writes
 * its rows and how far we are, so that a crash neither loses nor repeats one.
 */
export class Imports {
  readonly #db: Database
  readonly #audiences: Audiences
  readonly #hooks: ContactHooks
  readonly #clock: Clock
  readonly #writer: ContactWriter

  constructor({ db, audiences, hooks, clock }: ImportsOptions) {
    this.#db = db
    this.#audiences = audiences
    this.#hooks = hooks
    this.#clock = clock
    this.#writer = new ContactWriter(hooks)
  }

  async receive(
    project: ProjectContext,
    actor: Actor,
    audience: AudienceId,
    kind: FileKind,
    bytes: AsyncIterable<Buffer>,
  ): Promise<ImportView> {
    await this.#audiences.findIn(this.#db.reads, project.id, audience)
    const id = newId<'imp'>()
    if (kind.format === 'ndjson' && kind.map !== null) throw invalid([{ path: '/query/map', message: ONLY_CSV }])
    try {
      const size = await this.#store(id, kind, bytes)
      return await this.#accept(project, actor, { id, audienceId: audience, ...kind, bytes: size })
    } catch (error) {
      // Only after a refusal: of a commit whose answer was lost nobody knows that it failed.
      if (error instanceof DomainError) await store.dropPieces(this.#db, id).catch(() => {})
      throw error
    }
  }

  #accept(project: ProjectContext, actor: Actor, fields: store.NewImport): Promise<ImportView> {
    const { id, audienceId: audience, bytes } = fields
    return this.#db.transaction(async (tx) => {
      await this.#audiences.hold(tx, project.id, audience)
      const created = await store.insert(tx, project.id, fields)
      await enqueueImport(tx, { project: project.id, id })
      await recordAudit(tx, actor, {
        workspaceId: project.workspaceId,
        projectId: project.id,
        action: 'audience.imported',
        subject: encodeId('aud', audience),
        details: { importId: encodeId('imp', id), bytes },
      })
      return importView(created)
    })
  }

  async list({ id: project }: ProjectContext, audience: AudienceId, request: PageRequest): Promise<Page<ImportView>> {
    await this.#audiences.findIn(this.#db.reads, project, audience)
    return page(await store.list(this.#db.reads, project, audience, request), request, importView)
  }

  async read({ id: project }: ProjectContext, audience: AudienceId, id: ImportId): Promise<ImportView> {
    return importView(await this.#find(project, audience, id))
  }

  async errors({ id: project }: ProjectContext, audience: AudienceId, id: ImportId): Promise<FileContent> {
    await this.#find(project, audience, id)
    return { type: 'text/csv', filename: `${encodeId('imp', id)}-errors.csv`, content: this.#report(id) }
  }

  /** Imports some chunks, and then lets other imports run. */
  async run({ project, id }: ImportJob, job: RunningJob): Promise<void> {
    try {
      await this.#run({ project, id }, job)
    } catch (error) {
      if (job.isLastAttempt) await this.#db.transaction((tx) => store.end(tx, project, id, OUR_FAULT))
      throw error
    }
  }

  async #run({ project, id }: ImportJob, job: RunningJob): Promise<void> {
    const one = await store.begin(this.#db, project, id)
    if (one === undefined) return
    const file = await ImportFile.open(this.#db, one)
    const take = () => file.take(CHUNK, this.#clock.now())
    const progress = { bytes: one.processedBytes, rows: one.processedRows }
    let next = take()
    for (let chunk = 0; chunk < CHUNKS_IN_A_ROW; chunk++) {
      job.signal.throwIfAborted()
      const { rows, end, isLast } = await next
      const isTooLong = progress.rows + rows.length > MAX_ROWS
      if (isTooLong) rows.length = MAX_ROWS - progress.rows
      const isOver = isLast || isTooLong
      const to = isTooLong ? progress.bytes : end
      // Two imports of one project would lock the same people in different orders.
      const written = oneByOne(this.#db, `imports of ${project}`, async (tx) => {
        await job.hold(tx)
        await this.#importRows(tx, one, rows, { ...progress, to })
        if (!isOver) return
        await store.end(tx, project, id, isTooLong ? TOO_LONG : null)
        await job.finish(tx)
      })
      // While the database writes these, we read the next ones.
      if (!isOver) next = take()
      await Promise.all([written, next])
      if (isOver) return
      progress.bytes = to
      progress.rows += rows.length
    }
    await this.#db.transaction(async (tx) => {
      await job.finish(tx)
      await enqueueImport(tx, { project, id })
    })
  }

  async #importRows(
    tx: Tx,
    { id, projectId: project, audienceId: audience }: Import,
    rows: readonly ImportRow[],
    { bytes, rows: before, to }: { bytes: number; rows: number; to: number },
  ): Promise<void> {
    await this.#audiences.hold(tx, project, audience)
    const outcomes = await this.#write(tx, project, audience, rows)
    const count = (kind: Outcome['kind']): number => outcomes.filter((outcome) => outcome.kind === kind).length
    const refused = rows.flatMap((row, i) => {
      const outcome = outcomes[i]
      if (outcome?.kind !== 'refused') return []
      const email = row.kind === 'contact' ? row.given.email : row.kind === 'refused' ? row.email : null
      return [{ row: before + i + 1, email, problem: outcome.refusal.message }]
    })
    if (refused.length > 0) await store.addErrors(tx, id, refused)
    const progress = { from: bytes, to, rows: rows.length, created: count('created'), updated: count('updated') }
    const moved = await store.advance(tx, project, id, { ...progress, refused: refused.length })
    if (!moved) throw new Error('somebody else is at work on this import')
  }

  /** One outcome for each row. Rows with the same address come one after the other, as they stand in the file. */
  async #write(tx: Tx, project: ProjectId, audience: AudienceId, rows: readonly ImportRow[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = rows.map((row) =>
      row.kind === 'refused' ? { kind: 'refused', refusal: refusedRow(row.problem) } : { kind: 'unchanged' },
    )
    const isTagging = rows.some((row) => row.kind === 'contact' && row.tags.length > 0)
    for (const [time, round] of roundsOf(rows).entries()) {
      const given = round.map(({ row }) => row.given)
      // Who comes a second time is held since the first. To lock them again would also take what others added since.
      const everywhere = isTagging && time === 0
      const decided = await this.#writer.upsertAll(tx, project, audience, given, everywhere)
      for (const { row, index } of round) outcomes[index] = decided.get(row.given.email) ?? { kind: 'unchanged' }
    }
    const wishes = rows.flatMap((row, i) =>
      row.kind === 'contact' && row.tags.length > 0 && outcomes[i]?.kind !== 'refused'
        ? [{ email: row.given.email, tags: row.tags }]
        : [],
    )
    if (wishes.length > 0) await this.#hooks.tag(tx, project, wishes)
    return outcomes
  }

  /** Deletes imports of a deleted audience. Returns whether there may be more. */
  async clearSome(project: ProjectId, audience: AudienceId): Promise<boolean> {
    return this.#forget(await store.anyOf(this.#db, project, audience))
  }

  async forgetOld(signal: AbortSignal): Promise<void> {
    await store.dropStrayPieces(this.#db)
    while (!signal.aborted && (await this.#forget(await store.olderThan(this.#db, KEPT_DAYS))));
  }

  async #forget(imports: readonly { id: ImportId }[]): Promise<boolean> {
    for (const { id } of imports) {
      while ((await this.#db.transaction((tx) => store.forgetSome(tx, id, FORGET_AT_ONCE))) > 0);
    }
    return imports.length > 0
  }

  async #store(id: ImportId, kind: FileKind, bytes: AsyncIterable<Buffer>): Promise<number> {
    let size = 0
    for await (const piece of piecesOf(bytes)) {
      // A file that no row can be read of is refused while its sender still listens.
      if (size === 0) await readerFor(kind, piece, piece.length < PIECE_BYTES)
      await store.addPiece(this.#db, id, size, piece)
      size += piece.length
    }
    if (size === 0) throw invalid([{ path: '/', message: 'is empty: send the file as the body' }])
    return size
  }

  async #find(project: ProjectId, audience: AudienceId, id: ImportId): Promise<Import> {
    await this.#audiences.findIn(this.#db.reads, project, audience)
    const one = await store.find(this.#db.reads, project, id)
    if (one?.audienceId !== audience) throw notFound('import')
    return one
  }

  async *#report(id: ImportId): AsyncIterable<string> {
    yield writeRow(['row', 'email', 'problem'])
    for (let last = 0; ;) {
      const rows = await store.errorsAfter(this.#db, id, last, REPORT_ROWS)
      yield rows.map(({ row, email, problem }) => writeRow([String(row), email, problem])).join('')
      if (rows.length < REPORT_ROWS) return
      last = rows.at(-1)?.row ?? last
    }
  }
}

const ONLY_CSV = 'is for CSV; in NDJSON every line names its fields'
const OUR_FAULT = 'Something failed on our side. The rows before stay imported.'
const TOO_LONG = `The file has more than ${MAX_ROWS} rows. The rows up to there were imported.`

const enqueueImport = (tx: Tx, job: ImportJob): Promise<void> =>
  enqueue(tx, importContacts, job, { queue: String(Number.parseInt(job.project.slice(-2), 16) % QUEUES) })

const refusedRow = (problem: string) => new DomainError('validation_error', problem)

type ContactRow = Extract<ImportRow, { kind: 'contact' }>

/** The first round has each address once, the second those that come a second time, and so on. */
function roundsOf(rows: readonly ImportRow[]): { row: ContactRow; index: number }[][] {
  const rounds: { row: ContactRow; index: number }[][] = []
  const times = new Map<string, number>()
  rows.forEach((row, index) => {
    if (row.kind !== 'contact') return
    const { email } = row.given
    const time = times.get(email) ?? 0
    times.set(email, time + 1)
    ;(rounds[time] ??= []).push({ row, index })
  })
  return rounds
}

/** All pieces have one size but the last. */
async function* piecesOf(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    waiting.push(chunk)
    size += chunk.length
    if (size < PIECE_BYTES) continue
    const all = Buffer.concat(waiting)
    let at = 0
    for (; all.length - at >= PIECE_BYTES; at += PIECE_BYTES) yield all.subarray(at, at + PIECE_BYTES)
    waiting = [all.subarray(at)]
    size = all.length - at
  }
  if (size > 0) yield Buffer.concat(waiting)
}
