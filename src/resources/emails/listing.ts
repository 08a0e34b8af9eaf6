/**
 * The list of emails, narrowed by any filters at once. What is read for a page is bounded, whatever the filters and
 * however much mail there is: where little passes, a page is short or empty and its cursor goes on from there.
 */
import { notFound } from '../../core/errors.ts'
import { lowestIdAt, type ProjectId } from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { onlyByIndex } from '../../storage/by-index.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { EmailFilter } from './schema.ts'
import { hasBatch, MAX_ID, sourcesOf, type Stretch } from './store/list.ts'
import { listAmong, visibleProjects, type SummaryRow, type Visibility } from './store/read.ts'

/** How many candidates are looked at for one page. */
const MAX_CANDIDATES = 1_000

/** The time in an email's id may differ this much from its `createdAt`, as the clocks of two machines do. */
const CLOCKS_DIFFER_MS = 60_000

export async function listEmails<View>(
  db: Database,
  visibility: Visibility,
  filter: EmailFilter,
  request: PageRequest,
  view: (row: SummaryRow) => View,
): Promise<Page<View>> {
  const { rows, further } = await db.transaction(async (tx) => {
    // Whatever was last counted, these statements must find their rows by their indexes.
    await tx.run(onlyByIndex)
    const projects = await visibleProjects(tx, visibility)
    if (filter.batchId !== undefined && !(await hasBatch(tx, projects, filter.batchId))) throw notFound('batch')
    return walk(tx, projects, filter, request)
  })
  return page(rows, request, view, further)
}

/** At most one row more than asked for; `further` is where to go on if the walk ended before the emails did. */
async function walk(
  tx: Tx,
  projects: readonly ProjectId[],
  filter: EmailFilter,
  { limit, after }: PageRequest,
): Promise<{ rows: SummaryRow[]; further: string | null }> {
  const sources = sourcesOf(filter)
  const { first, last } = stretchOfTime(filter)
  const rows: SummaryRow[] = []
  let before = after !== null && after < first ? after : first
  // Mostly every candidate passes, and then one look is enough.
  let most = limit + 1
  for (let looked = 0; ; looked += most, most = Math.min(2 * most, MAX_CANDIDATES - looked)) {
    if (looked >= MAX_CANDIDATES) return { rows, further: before }
    const { ids, reached } = await leastOf(sources.map((source) => source(tx, projects, before, most)))
    const candidates = ids.filter((id) => id >= last)
    const missing = limit + 1 - rows.length
    if (candidates.length > 0) rows.push(...(await listAmong(tx, projects, filter, candidates, missing)))
    if (rows.length > limit || reached === null || reached < last) return { rows, further: null }
    before = reached
  }
}

/** The ids between which all emails of the time that is asked for are. */
const stretchOfTime = ({ createdAfter, createdBefore }: EmailFilter): { first: string; last: string } => ({
  first: createdBefore === undefined ? MAX_ID : lowestIdAt(createdBefore.getTime() + CLOCKS_DIFFER_MS),
  last: createdAfter === undefined ? '' : lowestIdAt(createdAfter.getTime() - CLOCKS_DIFFER_MS),
})

/** The source that gets furthest with the same number of emails lets the fewest through. */
async function leastOf(asked: readonly Promise<Stretch>[]): Promise<Stretch> {
  const stretches = await Promise.all(asked)
  const key = ({ reached }: Stretch): string => reached ?? ''
  return stretches.reduce((least, one) => (key(one) < key(least) ? one : least))
}
