import type { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'

export interface DumpedTable {
  name: string
  rows: Record<string, unknown>[]
}

/** Every row of every table that is ours, whoever made the table: what a thief of the database would read. */
export async function dumpOf(db: Database): Promise<DumpedTable[]> {
  const tables = await db.all(sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name
      from information_schema.tables
     where table_type = 'BASE TABLE'
       and table_schema not in ('pg_catalog', 'information_schema')
     order by 1`)
  return db.withClient(async (client) => {
    const dump: DumpedTable[] = []
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `select row_to_json(dumped)::text as row from ${name} as dumped order by 1`,
      )
      dump.push({ name, rows: rows.map(({ row }) => JSON.parse(row) as Record<string, unknown>) })
    }
    return dump
  })
}

/** Everything stored, without the notes of when a key was last used and a person last seen. */
export const lastingDump = async (db: Database): Promise<DumpedTable[]> =>
  (await dumpOf(db)).map(({ name, rows }) => ({
    name,
    rows: rows.map((row) => ({ ...row, last_used_at: null, last_seen_at: null })),
  }))
