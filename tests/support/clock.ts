import type { Database } from '../../src/storage/postgres.ts'

/** For everything that asks `clock_now()` in this database. */
export async function moveClock(db: Database, seconds: number): Promise<void> {
  // What a function is made of cannot be a bound value.
  const body = `select now() + interval '${Number(seconds)} seconds'`
  await db.withClient((client) =>
    client.query(`create or replace function clock_now() returns timestamptz language sql stable as $$ ${body} $$`),
  )
}
