import type { Db } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'

/** How many entries of a table and of its indexes `work` reads, over the connection that `db` uses: each counts for itself. */
export async function entriesRead(db: Db, table: string, work: () => Promise<unknown>): Promise<number> {
  const before = await soFar(db, table)
  await work()
  return (await soFar(db, table)) - before
}

async function soFar(db: Db, table: string): Promise<number> {
  await db.run(sql`select pg_stat_force_next_flush()`)
  const { entries } = await db.one(sql<{ entries: string }>`
    select (select seq_tup_read from pg_stat_user_tables where relname = ${table})
           + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = ${table}) as entries`)
  return Number(entries)
}
