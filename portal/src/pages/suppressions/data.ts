import { useQueryClient } from '@tanstack/react-query'
import type { Found } from '../../kit/address.ts'
import type { RowsQuery } from '../../kit/list.tsx'
import { askPages, call, refresh, save, type RowOf } from '../../shell/api.ts'
import { csvOf } from './csv.ts'
import type { suppressionsSearch } from './search.ts'

export type Suppression = RowOf<'GET /suppressions'>

/** The API finds whole addresses: until one is typed, none fits. */
export function suppressionRows(
  project: string,
  { email, reason, after }: Found<typeof suppressionsSearch>,
): RowsQuery<Suppression> {
  const query = { email: email?.trim(), reason, createdAfter: after }
  const rows = askPages('GET /suppressions', { project, query })
  if (email === undefined || /^[^\s@]+@[^\s@]+$/.test(email.trim())) return rows
  return { ...rows, queryFn: async () => ({ data: [], hasMore: false, nextCursor: null }) }
}

/** Calls that are made one after the other; the list is asked for anew when they are over. */
export function useSuppressionCalls(project: string) {
  const queries = useQueryClient()
  return {
    add: (email: string, note: string) =>
      call('POST /suppressions', { project, body: { email, ...(note !== '' && { note }) } }),
    lift: (email: string, note: string) =>
      call('DELETE /suppressions', { project, body: { email, confirmedOptIn: true, note } }),
    refreshList: () => refresh(queries, ['GET /suppressions']),
  }
}

const MAX_PER_CALL = 100

/** All of the list as a file, page after page, until it is stopped. */
export async function exportAll(
  project: string,
  signal: AbortSignal,
  onProgress: (count: number) => void,
  filename: string,
): Promise<number> {
  const rows: Suppression[] = []
  let cursor: string | undefined
  do {
    const page = await call('GET /suppressions', { project, query: { limit: MAX_PER_CALL, cursor }, signal })
    rows.push(...page.data)
    cursor = page.nextCursor ?? undefined
    onProgress(rows.length)
  } while (cursor !== undefined)
  save(new Blob([csvOf(rows)], { type: 'text/csv' }), filename)
  return rows.length
}
