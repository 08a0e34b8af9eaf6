/**
 * The list of emails, narrowed by any filters at once. What is read for a page is bounded, whatever the filters and
 * however much mail there is: where little passes, a page is short or empty and its cursor goes on from there.
 */
import type { Clock } from '../../core/clock.ts'
import { notFound } from '../../core/errors.ts'
import { idsBetween, timeOfId, type EmailId, type ProjectId } from '../../core/ids.ts'
import { decodeCursor, page, type PageRequest } from '../../core/page.ts'
import { onlyByIndex } from '../../storage/by-index.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { Reader } from './content-access.ts'
import { says } from './filter.ts'
import type { EmailFilter, EmailPage } from './schema/list.ts'
import * as store from './store/list.ts'
import { listAmong, subjectsAmong, visibleProjects, type SummaryRow, type Visibility } from './store/read.ts'

/** How many candidates are looked at for one page. */
const MAX_CANDIDATES = 1_000

/** A search for words looks further, because few subjects have them: at so many emails at most, and for so long. */
const MAX_SEARCHED = 5_000
const MAX_SEARCH_MS = 300

interface Listing {
  db: Database
  /** Measures how long a search takes. */
  steady: Clock
}

export async function listEmails(
  { db, steady }: Listing,
  viewer: Visibility & Reader,
  filter: EmailFilter,
  request: PageRequest,
  view: (row: SummaryRow) => EmailPage['data'][number],
): Promise<EmailPage> {
  const { rows, further } = await db.transaction(async (tx) => {
    // Whatever was last counted, these statements must find their rows by their indexes.
    await tx.run(onlyByIndex)
    const projects = await visibleProjects(tx, viewer)
    const stretch = await stretchOf(tx, projects, filter)
    const isHidden = filter.words !== undefined && viewer.contentAccess === 'none'
    if (stretch === undefined || isHidden) return nothing
    return walk(tx, { projects, filter, stretch, viewer, steady, until: steady.now() + MAX_SEARCH_MS }, request)
  })
  const shown = page(rows, request, view, further)
  return { ...shown, searchedTo: shown.nextCursor === null ? null : timeIn(shown.nextCursor) }
}

const nothing = { rows: [], further: null }

const timeIn = (cursor: string): string => new Date(timeOfId(decodeCursor(cursor))).toISOString()

interface Walk {
  projects: readonly ProjectId[]
  filter: EmailFilter
  stretch: Stretch
  viewer: Reader
  steady: Clock
  until: number
}

/** At most one row more than asked for; `further` is where to go on if the walk ended before the emails did. */
async function walk(
  tx: Tx,
  { projects, filter, stretch: { first, last }, viewer, steady, until }: Walk,
  { limit, after }: PageRequest,
): Promise<{ rows: SummaryRow[]; further: string | null }> {
  const sources = store.sourcesOf(filter)
  const rows: SummaryRow[] = []
  const bound = filter.words === undefined ? MAX_CANDIDATES : MAX_SEARCHED
  let before = after !== null && after < first ? after : first
  // Mostly every candidate passes, and then one look is enough.
  let most = limit + 1
  for (let looked = 0; ; looked += most, most = Math.min(2 * most, MAX_CANDIDATES, bound - looked)) {
    if (looked >= bound || (looked > 0 && filter.words !== undefined && steady.now() >= until)) {
      return { rows, further: before }
    }
    const { ids, reached } = await leastOf(sources.map((source) => source(tx, projects, before, most)))
    const candidates = await saying(
      tx,
      projects,
      filter,
      viewer,
      ids.filter((id) => id >= last),
    )
    const missing = limit + 1 - rows.length
    if (candidates.length > 0) rows.push(...(await listAmong(tx, projects, filter, candidates, missing)))
    if (rows.length > limit || reached === null || reached < last) return { rows, further: null }
    before = reached
  }
}

/** Those of the emails whose subject has the words; whoever may not see a subject cannot search it either. */
async function saying(
  tx: Tx,
  projects: readonly ProjectId[],
  filter: EmailFilter,
  { contentAccess, keyId }: Reader,
  ids: readonly EmailId[],
): Promise<readonly EmailId[]> {
  const { words } = filter
  if (words === undefined || ids.length === 0) return ids
  const found = await subjectsAmong(tx, projects, filter, ids)
  return found
    .filter((email) => contentAccess === 'all' || (keyId !== null && email.keyId === keyId))
    .filter(({ subject }) => says(subject, words))
    .map(({ id }) => id)
}

/** The ids between which all emails are that can pass. */
interface Stretch {
  first: string
  last: string
}

/** Undefined where no email can pass. What a filter names must be there. */
async function stretchOf(tx: Tx, projects: readonly ProjectId[], filter: EmailFilter): Promise<Stretch | undefined> {
  const { batchId, domainId, templateId, broadcastId, automationId, createdAfter, createdBefore } = filter
  if (batchId !== undefined && !(await store.hasBatch(tx, projects, batchId))) throw notFound('batch')
  if (domainId !== undefined && !(await store.hasDomain(tx, projects, domainId))) throw notFound('domain')
  if (templateId !== undefined && !(await store.hasTemplate(tx, projects, templateId))) throw notFound('template')
  const times = [
    broadcastId && found(await store.timesOfBroadcast(tx, projects, broadcastId), 'broadcast'),
    automationId && found(await store.timesOfAutomation(tx, projects, automationId), 'automation'),
  ].filter((one) => one !== undefined)
  // A broadcast that did not start has no emails.
  if (times.some(({ from }) => from === null)) return undefined
  const froms = [createdAfter, ...times.map(({ from }) => from)].filter((moment) => moment != null)
  const tos = [createdBefore, ...times.map(({ to }) => to)].filter((moment) => moment != null)
  return idsBetween(
    froms.length === 0 ? undefined : Math.max(...froms.map(Number)),
    tos.length === 0 ? undefined : Math.min(...tos.map(Number)),
  )
}

function found<T>(thing: T | undefined, name: string): T {
  if (thing === undefined) throw notFound(name)
  return thing
}

/** The source that gets furthest with the same number of emails lets the fewest through. */
async function leastOf(asked: readonly Promise<store.Stretch>[]): Promise<store.Stretch> {
  const stretches = await Promise.all(asked)
  const key = ({ reached }: store.Stretch): string => reached ?? ''
  return stretches.reduce((least, one) => (key(one) < key(least) ? one : least))
}
