/**
 * Who was to get a broadcast and what became of them, as pages and as a file. Each page reads a bounded number of rows,
 * whatever the filter and however large the audience was: where little passes, a page is short or empty and its cursor
 * goes on from there.
 */
import type { Actor, ProjectContext } from '../../core/caller.ts'
import { contentTypes, writeRow } from '../../core/csv.ts'
import { invalid, notFound } from '../../core/errors.ts'
import type { FileContent } from '../../core/file-content.ts'
import { asUuid, encodeId, idsBetween, MAX_ID, type BroadcastId } from '../../core/ids.ts'
import { auditOf } from '../../events/audit.ts'
import { addressKey, parseAddress } from '../../mail/address.ts'
import { onlyByIndex } from '../../storage/by-index.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type {
  BroadcastRecipientState,
  ExportFormat,
  ExportRecipients,
  LinkView,
  ListRecipients,
  RecipientPage,
  RecipientRow,
  RecipientView,
} from './schema/recipients.ts'
import * as links from './store/links.ts'
import * as store from './store/recipients.ts'
import * as sending from './store/sending.ts'
import { recipientView } from './views.ts'

/** How many people are looked at for one page, and in one statement. */
const MAX_LOOKED = 10_000
const MAX_AT_ONCE = 2_000

const EXPORTED_AT_ONCE = 500

interface Listed extends store.Listed {
  isStarted: boolean
}

interface Wanted {
  status: BroadcastRecipientState | undefined
  sources: readonly store.Source[]
}

/** A place in the list: one of the sources, and the key before which it goes on. */
interface Place {
  source: number
  before: string
}

interface Found {
  rows: RecipientRow[]
  next: Place | null
}

export class Recipients {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async list(
    project: ProjectContext,
    id: BroadcastId,
    { limit, cursor, ...filter }: ListRecipients,
    usual: number,
  ): Promise<RecipientPage> {
    const wanted = wantedBy(filter)
    const place = cursor === undefined ? START : placeIn(cursor, wanted)
    const broadcast = await this.#find(project, id)
    const { rows, next } = await this.#some(broadcast, wanted, place, limit ?? usual)
    return { data: await this.#views(broadcast, rows), hasMore: next !== null, nextCursor: next && cursorOf(next) }
  }

  async export(
    project: ProjectContext,
    actor: Actor,
    id: BroadcastId,
    { format = 'csv', ...filter }: ExportRecipients,
  ): Promise<FileContent> {
    const wanted = wantedBy(filter)
    const broadcast = await this.#find(project, id)
    await this.#db.transaction((tx) => audit(tx, project, actor, 'broadcast.exported', id, { format }))
    const filename = `${encodeId('brd', id)}-recipients.${format}`
    return { type: contentTypes[format], filename, content: this.#lines(broadcast, wanted, format) }
  }

  async links(project: ProjectContext, id: BroadcastId): Promise<{ data: LinkView[] }> {
    await this.#find(project, id)
    return { data: await links.list(this.#db.reads, project.id, id) }
  }

  /** Counts the links that people followed, in the transaction in which their clicks are recorded, and as its last part. */
  async followed(tx: Tx, followed: readonly links.Followed[]): Promise<void> {
    if (followed.length > 0) await links.count(tx, followed)
  }

  async *#lines(broadcast: Listed, wanted: Wanted, format: ExportFormat): AsyncIterable<string> {
    if (format === 'csv') yield writeRow(columns.map(([title]) => title))
    for (let place: Place | null = START; place !== null;) {
      const found: Found = await this.#some(broadcast, wanted, place, EXPORTED_AT_ONCE)
      yield (await this.#views(broadcast, found.rows)).map((row) => lineOf(row, format)).join('')
      place = found.next
    }
  }

  async #views({ projectId }: Listed, rows: readonly RecipientRow[]): Promise<RecipientView[]> {
    const emails = rows.flatMap(({ emailId }) => emailId ?? [])
    const replies = await store.lastReplies(this.#db.reads, projectId, emails)
    const replyOf = new Map(replies.map((reply) => [reply.emailId, reply]))
    return rows.map((row) => recipientView(row, row.emailId === null ? undefined : replyOf.get(row.emailId)))
  }

  async #find({ id: projectId }: ProjectContext, id: BroadcastId): Promise<Listed> {
    const broadcast = await sending.find(this.#db.reads, projectId, id)
    if (broadcast === undefined) throw notFound('broadcast')
    const { startedAt, fedAt } = broadcast
    return { projectId, id, isStarted: startedAt !== null, ...idsBetween(startedAt?.getTime(), fedAt?.getTime()) }
  }

  async #some(broadcast: Listed, wanted: Wanted, place: Place, limit: number): Promise<Found> {
    if (!broadcast.isStarted) return { rows: [], next: null }
    return this.#db.transaction(async (tx) => {
      // Whatever was last counted, these statements must find their rows by their indexes.
      await tx.run(onlyByIndex)
      return walk(tx, broadcast, wanted, place, limit)
    })
  }
}

const START: Place = { source: 0, before: MAX_ID }

/** Where the people in a state are. `suppressed` also holds those who were when it started. */
function sourcesOf(status: BroadcastRecipientState | undefined): readonly store.Source[] {
  if (status === undefined) return [store.everybody]
  switch (status) {
    case 'unsubscribed':
      return [store.leftOut('unsubscribed')]
    case 'suppressed':
      return [store.ended(status), store.leftOut('suppressed'), store.leftOut('deleted')]
    case 'cancelled':
      return [store.ended(status), store.unfed]
    case 'queued':
      return [store.unfed, store.underWay]
    case 'scheduled':
    case 'deferred':
    case 'sending':
      return [store.underWay]
    default:
      return [store.ended(status)]
  }
}

function wantedBy({ status, email }: Pick<ListRecipients, 'status' | 'email'>): Wanted {
  if (email === undefined) return { status, sources: sourcesOf(status) }
  const parsed = parseAddress(email)
  if (!parsed.ok) throw invalid([{ path: '/query/email', message: parsed.problem }])
  return { status, sources: [store.atAddress(addressKey(parsed.value))] }
}

/** At most `limit` people from a place on, and the place to go on from; null when there is nobody behind them. */
async function walk(
  tx: Tx,
  broadcast: store.Listed,
  { status, sources }: Wanted,
  { source: first, before }: Place,
  limit: number,
): Promise<Found> {
  const rows: RecipientRow[] = []
  let last: Place = { source: first, before }
  let looked = 0
  for (const [i, source] of sources.entries()) {
    if (i < first) continue
    let from: string | null = i === first ? before : MAX_ID
    for (let most = limit + 1; from !== null; looked += most, most = Math.min(2 * most, MAX_AT_ONCE)) {
      if (looked >= MAX_LOOKED) return { rows, next: { source: i, before: from } }
      const { ids, reached } = await source.look(tx, broadcast, from, most)
      const found = await store.among(tx, broadcast, ids, status, limit + 1 - rows.length)
      for (const row of found) {
        if (rows.length === limit) return { rows, next: last }
        rows.push(row)
        last = { source: i, before: store.keyOf(row, source) }
      }
      from = reached
    }
  }
  return { rows, next: null }
}

/** The cursor is opaque, as everywhere; this one also says which source it belongs to. */
const cursorOf = ({ source, before }: Place): string =>
  Buffer.from(`0${source}${before.replaceAll('-', '')}`, 'hex').toString('base64url')

function placeIn(cursor: string, { sources }: Wanted): Place {
  const bytes = Buffer.from(cursor, 'base64url')
  const place = { source: bytes[0] ?? 0, before: asUuid(bytes.subarray(1).toString('hex')) }
  if (bytes.length !== 17 || place.source >= sources.length || cursorOf(place) !== cursor) {
    throw invalid([{ path: '/query/cursor', message: 'is not a cursor that this list gave out' }])
  }
  return place
}

const lineOf = (recipient: RecipientView, format: ExportFormat): string =>
  format === 'csv' ? writeRow(columns.map(([, cell]) => cell(recipient))) : `${JSON.stringify(recipient)}\n`

const columns: readonly (readonly [title: string, cell: (recipient: RecipientView) => string | null])[] = [
  ['contactId', ({ contactId }) => contactId],
  ['email', ({ email }) => email],
  ['status', ({ status }) => status],
  ['emailId', ({ emailId }) => emailId],
  ['cause', ({ explanation }) => explanation?.cause ?? null],
  ['explanation', ({ explanation }) => explanation && `${explanation.title}. ${explanation.sentence}`],
  ['opens', ({ opens }) => String(opens)],
  ['clicks', ({ clicks }) => String(clicks)],
  ['updatedAt', ({ updatedAt }) => updatedAt],
]

const audit = auditOf('brd')
