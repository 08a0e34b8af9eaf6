/**
 * A queue is empty at one moment and holds a million rows at the next. A plan that was made for the empty table reads all
 * of it, and would be kept until the next vacuum.
 */
import { sql } from './sql.ts'

/**
 * Each of them is the best way through an empty table, and the worst through a full one. What cannot do without one is
 * taken for enormously expensive, and must not be compiled for that.
 */
const walks = [
  'enable_seqscan',
  'enable_bitmapscan',
  'enable_mergejoin',
  'enable_sort',
  'enable_incremental_sort',
  'jit',
]

/** For the rest of a transaction PostgreSQL finds rows by their index, one by one. */
export const onlyByIndex = sql`select set_config(name, 'off', true) from unnest(${walks}::text[]) as name`

/**
 * For the life of a connection, statements that are written for their indexes use them. The planner has no other plan
 * and need not plan again: planning a claim took longer than the claim.
 */
export const alwaysByIndex = [
  ...walks.map((walk) => `set ${walk} = off`),
  'set plan_cache_mode = force_generic_plan',
].join(';')
