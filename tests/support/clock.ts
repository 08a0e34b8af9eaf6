import type { Database } from '../../src/storage/postgres.ts'

/** For everything that asks `clock_now()` in this database. */
export const moveClock = (db: Database, seconds: number): Promise<void> =>
  setClock(db, `now() + interval '${Number(seconds)} seconds'`)

/** The clock stands still at this moment. */
export const stopClock = (db: Database, ms: number): Promise<void> =>
  setClock(db, `timestamptz '${new Date(ms).toISOString()}'`)

async function setClock(db: Database, time: string): Promise<void> {
  // What a function is made of cannot be a bound value.
  const body = `select ${time}`
  await db.withClient((client) =>
    client.query(`create or replace function clock_now() returns timestamptz language sql stable as $$ ${body} $$`),
  )
}
