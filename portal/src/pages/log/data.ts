import type { Found } from '../../kit/address.ts'
import { askPages, download, save, type RowOf } from '../../shell/api.ts'
import type { logSearch } from './search.ts'

export type Entry = RowOf<'GET /audit-log'>

type Query = Found<typeof logSearch>

export const entries = (query: Query) => askPages('GET /audit-log', { query })

/** Saves all entries that fit, as a file. */
export async function saveEntries(query: Query, format: 'csv' | 'ndjson'): Promise<void> {
  const { blob, filename } = await download('GET /audit-log/export', { query: { ...query, format } })
  save(blob, filename)
}
