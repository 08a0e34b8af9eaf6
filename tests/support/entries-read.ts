import type { Db } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'

/** How many entries of tables and of their indexes `work` reads, over the connection that `db` uses: each counts for itself. */
export async function entriesRead(
  db: Db,
  table: string | readonly string[],
  work: () => Promise<unknown>,
): Promise<number> {
  const before = await entriesSoFar(db, table)
  await work()
  return (await entriesSoFar(db, table)) - before
}

/** How many entries were read until now, as far as the connections have told it. */
export async function entriesSoFar(db: Db, table: string | readonly string[]): Promise<number> {
  const tables = [table].flat()
  await db.run(sql`select pg_stat_force_next_flush()`)
  const { entries } = await db.one(sql<{ entries: string }>`
    select (select sum(seq_tup_read) from pg_stat_user_tables where relname = any(${tables}::text[]))
           + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = any(${tables}::text[])) as entries`)
  return Number(entries)
}
