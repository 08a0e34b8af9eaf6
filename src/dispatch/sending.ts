/**
 * The switch that decides whether anything leaves this installation.
 *
 *   on → held   the database turns out to be a copy of the one it was (`noticePlace`), or an operator says so
 *   held → on   only an operator says so
 *
 * While it is held no row of any queue is claimed (`sending_is_on()` in the claim), and what workers have in hand stops
 * before its point of no return, as soon as they have heard of it. Everything else goes on.
 */
import type { Database, Db } from '../storage/postgres.ts'
import type { Place } from '../storage/place.ts'
import { identifier, sql } from '../storage/sql.ts'

export interface Held {
  since: Date
  because: string
}

/** Undefined while sending is on. */
export const heldSending = async (db: Db): Promise<Held | undefined> => {
  const { since, because } = await db.one(sql<{ since: Date | null; because: string | null }>`
    select held_since as since, held_because as because from sending`)
  return since === null || because === null ? undefined : { since, because }
}

/** Workers see it like this. */
export const isSendingOn = async (db: Db): Promise<boolean> =>
  (await db.one(sql<{ on: boolean }>`select sending_is_on() as on`)).on

/** False when sending was held already, perhaps for another reason. */
export const holdSending = async (db: Db, because: string): Promise<boolean> =>
  (await db.run(sql`
    update sending set held_since = clock_now(), held_because = ${because} where held_since is null`)) > 0

/** False when sending was on already. */
export const resumeSending = async (db: Db): Promise<boolean> =>
  (await db.run(sql`update sending set held_since = null, held_because = null where held_since is not null`)) > 0

/**
 * Remembers where the database lives, and holds sending when that is another place than the one remembered. A fact that
 * was not known before, or is not known now, speaks neither for a move nor against it; a file's time of birth says more
 * than its inode, which may be given to another file. Of nodes that start at once the first decides, and the others
 * find that nothing has moved.
 */
export async function noticePlace(db: Db, { server, controlFile: { born, inode } }: Place): Promise<void> {
  const here = sql<never>`(select oid from pg_database where datname = current_database())`
  const hasMoved = sql<never>`(
             coalesce(server <> ${server}, false)
          or coalesce(database_oid <> ${here}, false)
          or coalesce(table_oid <> tableoid, false)
          or coalesce(control_file_born <> ${born}, control_file_inode <> ${inode}, false))`
  await db.run(sql`
    update sending
       set held_since = case when ${hasMoved} then clock_now() else held_since end,
           held_because = case when ${hasMoved} then ${COPIED} else held_because end,
           server = coalesce(${server}, server),
           database_oid = ${here},
           table_oid = tableoid,
           control_file_born = coalesce(${born}, control_file_born),
           control_file_inode = coalesce(${inode}, control_file_inode)
     where (server, database_oid, table_oid, control_file_born, control_file_inode)
           is distinct from
           (coalesce(${server}, server), ${here}, tableoid,
            coalesce(${born}, control_file_born), coalesce(${inode}, control_file_inode))`)
}

const COPIED = 'this database is a restored backup or a copy of another one'

/** Counts the rows of a queue that would leave now. */
export const countDue = async (db: Database, table: string): Promise<number> =>
  (
    await db.one(sql<{ due: number }>`
    select count(*) as due
      from ${identifier(table)}
     where state = 'ready' or (state = 'waiting' and due_at <= clock_now())`)
  ).due
