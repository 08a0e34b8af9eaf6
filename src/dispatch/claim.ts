/**
 * The statements that find work and lease it.
 *
 * A claim must cost the same whether there are ten rows or a million, and whether or not they all go to one destination
 * that takes nothing. So it never looks for work: it is told for which destinations there is room, how many rows each
 * may get, and from which id on, and takes exactly those through the index on (lane, destination, id). Work is looked
 * for by `scanReady`, which jumps from one destination to the next in that index without touching the rows in between.
 *
 * Starting at a known id is for the bad day: while another transaction keeps dead rows alive, every row ever taken is
 * still in the index, and walking past a hundred thousand of them took 50 ms per claim instead of 4.
 */
import type { Database } from '../storage/postgres.ts'
import { identifier, sql, type Query } from '../storage/sql.ts'
import type { Item, Queue } from './queue.ts'

/** A destination with something ready in a lane; `firstId` is the first row, as far as is known. */
export interface Ready {
  lane: number
  destination: string
  firstId: string
}

export interface Wanted extends Ready {
  most: number
}

type Claimable = Pick<Queue<never>, 'table' | 'beginsAtClaim' | 'mayBegin' | 'runsWhileHeld'>

export interface Claimed extends Item {
  readonly leaseNo: number
  /** The row is past the point of no return, and nothing spoke against that when it was claimed. */
  readonly hasBegun: boolean
}

const claimedColumns = sql<never>`
  q.id, q.lane, q.destination, q.lease_no as "leaseNo", q.crashes`

/** Leases rows to the worker. One that has been declared dead never gets any, and no worker does while sending is held. */
export const claim = (db: Database, queue: Claimable, worker: string, wanted: readonly Wanted[]): Promise<Claimed[]> =>
  db.byIndex.all(sql<Claimed>`
    with me as (${listed(worker, queue)}), chosen as (
      select r.id
        from me
       cross join unnest(${wanted.map(({ lane }) => lane)}::smallint[],
                         ${wanted.map(({ destination }) => destination)}::text[],
                         ${wanted.map(({ firstId }) => firstId)}::uuid[],
                         ${wanted.map(({ most }) => most)}::int[]) as w (lane, destination, first, most)
       cross join lateral (
               select q.id
                 from ${identifier(queue.table)} q
                where q.state = 'ready'
                  and q.crashes < 2
                  -- As rows: by equal columns and the id the planner might walk the primary key.
                  and (q.lane, q.destination, q.id) >= (w.lane, w.destination, w.first)
                  and (q.lane, q.destination) <= (w.lane, w.destination)
                order by q.lane, q.destination, q.id
                limit w.most
                  for update skip locked) r
    )
    ${leaseChosen(queue, worker)}`)

/** Leases one suspect row at most. */
export const claimSuspect = (
  db: Database,
  queue: Claimable,
  worker: string,
  { lanes, except }: { lanes: readonly number[]; except: readonly string[] },
): Promise<Claimed[]> =>
  db.byIndex.all(sql<Claimed>`
    with me as (${listed(worker, queue)}), chosen as (
      select r.id
        from me
       cross join lateral (
               select q.id
                 from ${identifier(queue.table)} q
                where q.state = 'ready'
                  and q.crashes >= 2
                  and q.lane = any(${lanes}::smallint[])
                  and q.destination <> all(${except}::text[])
                order by q.id
                limit 1
                  for update skip locked) r
    )
    ${leaseChosen(queue, worker)}`)

/** A statement that expires the worker waits for this one, and then sees what it took. */
const listed = (worker: string, queue: Claimable): Query<never> => sql<never>`
      select from workers where id = ${worker} and ${mayGoOn(queue)} for key share`

const mayGoOn = ({ runsWhileHeld }: Pick<Queue<never>, 'runsWhileHeld'>): Query<never> =>
  runsWhileHeld ? sql<never>`true` : sql<never>`sending_is_on()`

/** The rows are reached through an array: joined, the planner expects a tenth of the table and reads all of it. */
const leaseChosen = (
  { table, beginsAtClaim, mayBegin = sql<never>`true` }: Claimable,
  worker: string,
): Query<never> => sql<never>`
    update ${identifier(table)} q
       set state = ${beginsAtClaim ? 'in_flight' : 'claimed'},
           lease_worker = ${worker},
           lease_no = q.lease_no + 1
     where q.id = any(array(select id from chosen))
    returning ${claimedColumns},
           ${beginsAtClaim ? sql<never>`coalesce(${mayBegin}, false)` : sql<never>`false`} as "hasBegun"`

export interface ScanPosition {
  lane: number
  /** The destination that the last scan ended with; empty to begin at the front. */
  after: string
}

/** The next destinations of each lane that have something ready, at most `most` per lane, in order. */
export const scanReady = (
  db: Database,
  table: string,
  lanes: readonly ScanPosition[],
  most: number,
): Promise<Ready[]> =>
  db.byIndex.all(sql<Ready>`
    select l.lane, found.destination, found.id as "firstId"
      from unnest(${lanes.map(({ lane }) => lane)}::smallint[],
                  ${lanes.map(({ after }) => after)}::text[]) as l (lane, after)
     cross join lateral (
             with recursive walk as (
               (select q.destination, q.id, 1 as n
                  from ${identifier(table)} q
                 where q.state = 'ready' and q.crashes < 2 and q.lane = l.lane and q.destination > l.after
                 order by q.destination, q.id
                 limit 1)
               union all
               select next.destination, next.id, walk.n + 1
                 from walk
                cross join lateral (
                        select q.destination, q.id
                          from ${identifier(table)} q
                         where q.state = 'ready' and q.crashes < 2 and q.lane = l.lane
                           and q.destination > walk.destination
                         order by q.destination, q.id
                         limit 1) next
                where walk.n < ${most}
             )
             select destination, id from walk) found
     order by l.lane, found.destination`)

export interface Promoted {
  /** As many as `most` means that there may be more. */
  rows: number
  isHeld: boolean
  /** Whether the much more expensive query for a suspect row is worth it. */
  hasSuspects: boolean
}

/**
 * Moves rows that have become due, and says in the same statement whether sending is held. Then it moves none: what is
 * scheduled can still be cancelled.
 */
export const promote = async (
  db: Database,
  { table, whenDue = sql<never>`'ready'`, ...queue }: Pick<Queue<never>, 'table' | 'whenDue' | 'runsWhileHeld'>,
  most: number,
): Promise<Promoted> => {
  const [promoted] = await db.byIndex.all(sql<Promoted>`
    with moved as (
      update ${identifier(table)} q
         set state = ${whenDue}
       where q.id = any(array(
               select w.id
                 from ${identifier(table)} w
                where w.state = 'waiting'
                  and w.due_at <= clock_now()
                  and ${mayGoOn(queue)}
                order by w.due_at
                limit ${most}
                  for update skip locked))
      returning q.id
    )
    select (select count(*) from moved) as rows, not ${mayGoOn(queue)} as "isHeld",
           exists (select from ${identifier(table)} s where s.state = 'ready' and s.crashes >= 2) as "hasSuspects"`)
  return promoted ?? { rows: 0, isHeld: false, hasSuspects: false }
}
