import type { Database } from '../storage/postgres.ts'
import type { Query } from '../storage/sql.ts'

/**
 * Runs a statement without preparing it. A queue is empty at one moment and holds a million rows at the next; a plan
 * that was made for the empty table reads all of it, and would be kept until the next vacuum. Planning costs 0.3 ms.
 */
export const planAnew = <Row>(db: Database, { text, values }: Query<Row>): Promise<Row[]> =>
  db.withClient(async (client) => (await client.query({ text, values: [...values] })).rows)
