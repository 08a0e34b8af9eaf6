import { invalid } from './errors.ts'
import { asUuid } from './ids.ts'

/**
 * Lists are newest first. Ids are UUIDv7 and therefore sort by the time they were made, so the id alone is the
 * position: a page stays where it is while rows are inserted before it.
 */
export interface PageRequest {
  limit: number
  /** The id of the last row of the page before. */
  after: string | null
}

export interface Page<T> {
  data: T[]
  hasMore: boolean
  nextCursor: string | null
}

/**
 * Turns up to `limit + 1` rows into a page. The one row too many tells whether there is more, without a count that
 * would be wrong a moment later. Where the search ended before the rows did, `further` is the id to go on from.
 */
export function page<Row extends { id: string }, View>(
  rows: readonly Row[],
  { limit }: PageRequest,
  view: (row: Row) => View,
  further: string | null = null,
): Page<View> {
  const shown = rows.slice(0, limit)
  const next = rows.length > limit ? (shown.at(-1)?.id ?? null) : further
  return { data: shown.map(view), hasMore: next !== null, nextCursor: next === null ? null : encodeCursor(next) }
}

/** The cursor is opaque: clients must not depend on what is inside. */
const encodeCursor = (id: string): string => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')

export function decodeCursor(cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url')
  const id = asUuid(bytes.toString('hex'))
  if (bytes.length !== 16 || encodeCursor(id) !== cursor) {
    throw invalid([{ path: '/query/cursor', message: 'is not a cursor that a list gave out' }])
  }
  return id
}
