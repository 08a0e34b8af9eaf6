/** The statements by which a row leaves its lease without an outcome, and by which it passes the point of no return. */
import type { Database, Tx } from '../storage/postgres.ts'
import { identifier, sql, type Query } from '../storage/sql.ts'
import type { Queue } from './queue.ts'

/** Names one lease of one row for ever: the worker's id is never used again, and the number grows with every claim. */
export interface LeaseKey {
  id: string
  worker: string
  leaseNo: number
}

/** A message whose outcome is unknown is sent once more after so long; a report about it may come before. */
const UNKNOWN_OUTCOME_MS = 60_000

/** Gives back everything that these workers held. */
export const releaseAll = (
  tx: Tx,
  table: string,
  { workers, crashed }: { workers: readonly string[]; crashed: boolean },
): Promise<number> =>
  tx.run(sql`
    update ${identifier(table)} q
       set ${givenBack(crashed)}
     where q.lease_worker = any(${workers}::uuid[])
       and q.state in ('claimed', 'in_flight')`)

/** Gives back what these workers, which are gone, had begun with and certainly not sent. */
export const releaseUnsent = (
  tx: Tx,
  table: string,
  workers: readonly string[],
  mayHaveLeft: readonly string[],
): Promise<number> =>
  tx.run(sql`
    update ${identifier(table)} q
       set state = 'ready', lease_worker = null, crashes = least(q.crashes + 1, 32767)
     where q.lease_worker = any(${workers}::uuid[])
       and q.state in ('claimed', 'in_flight')
       and q.id <> all(${mayHaveLeft}::uuid[])`)

/**
 * Gives back what a worker that is alive was leased and never heard of: the database went away, or over to a standby,
 * between the commit of a claim and its answer. No handler began with it.
 */
export const releaseUnheard = (db: Database, table: string, worker: string, inHand: readonly string[]) =>
  db.byIndex.all(sql<{ id: string }>`
    update ${identifier(table)} q
       set state = 'ready', lease_worker = null
     where q.lease_worker = ${worker}
       and q.state in ('claimed', 'in_flight')
       and q.id <> all(${inHand}::uuid[])
    returning q.id`)

/** Gives back a single row whose outcome cannot be written. */
export const releaseOne = (tx: Tx, table: string, { id, worker, leaseNo }: LeaseKey): Promise<number> =>
  tx.run(sql`
    update ${identifier(table)} q
       set ${givenBack(true)}
     where q.id = ${id}
       and q.lease_worker = ${worker}
       and q.lease_no = ${leaseNo}
       and q.state in ('claimed', 'in_flight')`)

const givenBack = (crashed: boolean): Query<never> => sql<never>`
           state = case q.state when 'claimed' then 'ready' else 'waiting' end,
           due_at = case q.state
                      when 'claimed' then q.due_at
                      else clock_now() + ${UNKNOWN_OUTCOME_MS} * interval '1 millisecond'
                    end,
           unknown_lease = case q.state when 'claimed' then q.unknown_lease else q.lease_no end,
           lease_worker = null,
           crashes = least(q.crashes + ${crashed ? 1 : 0}::int, 32767)`

/** A text that is different for each lease, as a key for maps. */
export const keyOf = ({ id, worker, leaseNo }: LeaseKey): string => `${id} ${worker} ${leaseNo}`

/**
 * Reads the present leases of these rows, whichever worker holds them. The rows stay locked until the transaction ends.
 * Whether a lease is the one that is asked about is for the caller to compare: a join might be planned as a walk over
 * the whole table, and a condition on the state or the worker as one over all that is leased, or was since the last
 * vacuum.
 */
export const lockLeased = (tx: Tx, table: string, keys: readonly LeaseKey[]): Promise<LeaseKey[]> =>
  tx.all(sql<LeaseKey>`
    select q.id, q.lease_worker as worker, q.lease_no as "leaseNo"
      from ${identifier(table)} q
     where q.id = any(${keys.map(({ id }) => id)}::uuid[])
       and q.lease_worker is not null
     order by q.id
       for update`)

/** Whether the lease is good. Its row stays locked until the transaction ends. */
export const lockLease = async (tx: Tx, table: string, key: LeaseKey): Promise<boolean> =>
  (await lockLeased(tx, table, [key])).some((held) => keyOf(held) === keyOf(key))

/**
 * Reads those of these rows that no worker has claimed after the lease in question: it still stands, although its
 * worker is gone, or the row waits because its outcome is unknown. They stay locked until the transaction ends.
 */
export const lockLeftBehind = (tx: Tx, table: string, keys: readonly LeaseKey[]): Promise<{ id: string }[]> =>
  tx.all(sql<{ id: string }>`
    select q.id
      from ${identifier(table)} q
      join unnest(${keys.map(({ id }) => id)}::uuid[], ${keys.map(({ worker }) => worker)}::uuid[],
                  ${keys.map(({ leaseNo }) => leaseNo)}::int[]) as k (id, worker, lease_no)
        on q.id = k.id
       and q.lease_no = k.lease_no
       and (q.lease_worker = k.worker or (q.lease_worker is null and q.state = 'waiting'))
     order by q.id
       for update of q`)

/** Counts how many of these rows are leased, whichever worker holds them. */
export const countLeased = (tx: Tx, table: string, ids: readonly string[]): Promise<{ leased: number }> =>
  tx.one(sql<{ leased: number }>`
    select count(*) as leased
      from ${identifier(table)} q
     where q.id = any(${ids}::uuid[])
       and q.lease_worker is not null`)

/**
 * Moves rows past the point of no return. The answer has every row whose lease is good, and whether it may go on. A row
 * that is already past it was moved by an earlier attempt of ours whose answer got lost, or by the claim.
 */
export const beginLeased = (
  db: Database,
  { table, mayBegin = sql<never>`true`, beginsAtClaim }: Pick<Queue<never>, 'table' | 'mayBegin' | 'beginsAtClaim'>,
  keys: readonly LeaseKey[],
): Promise<(LeaseKey & { allowed: boolean })[]> => {
  const held = sql<LeaseKey & { allowed: boolean }>`
      select q.id, q.lease_worker as worker, q.lease_no as "leaseNo", coalesce(${mayBegin}, false) as allowed
        from ${identifier(table)} q
       -- By an array: joined, the planner walks over everything that is leased, for each row anew.
       where q.id = any(${keys.map(({ id }) => id)}::uuid[])
         and (q.id, q.lease_worker, q.lease_no) in (
               select * from unnest(${keys.map(({ id }) => id)}::uuid[], ${keys.map(({ worker }) => worker)}::uuid[],
                                    ${keys.map(({ leaseNo }) => leaseNo)}::int[]))`
  if (beginsAtClaim) return db.byIndex.all(held)
  return db.byIndex.all(sql<LeaseKey & { allowed: boolean }>`
    with held as (
      ${held}
       order by q.id
         for update of q
    ), moved as (
      update ${identifier(table)} q
         set state = 'in_flight'
       where q.id = any(array(select id from held where allowed))
    )
    select id, worker, "leaseNo", allowed from held`)
}
