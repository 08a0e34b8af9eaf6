import type { Tx } from './postgres.ts'
import { sql } from './sql.ts'

/** Those who add something and then count go one after the other: whoever is later sees what the others have added. */
export const oneByOne = (tx: Tx, what: string): Promise<number> =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${what}, 0))`)
