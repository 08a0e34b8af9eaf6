import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'

/** Locks old contents that no recipient is waiting for any more. */
const expired = (days: number, most: number) => sql`
  select id
    from contents
   where purged_at is null
     and created_at < clock_now() - make_interval(days => ${days})
     and id not in (
           -- What is still to be sent although it is so old was scheduled far ahead: that is little.
           select content_id
             from deliveries
             join emails on emails.id = email_id
            where emails.created_at < clock_now() - make_interval(days => ${days}))
     -- One that is sent slowly may take longer than that.
     and id not in (select content_id from broadcasts where status in ('sending', 'paused'))
   order by created_at
   limit ${most}
     for update skip locked`

/** Empties older contents; recipients, subject and time stay. Returns how many there were. */
export const purge = (tx: Tx, days: number, most: number) =>
  tx.run(sql`
    with old as (${expired(days, most)}), files as (
      delete from content_attachments where content_id in (select id from old)
    )
    update contents
       set html = null, text = null, headers = '{}', variables = '{}', purged_at = clock_now()
     where id in (select id from old)`)

/** Those of these blobs that some content refers to. */
export const usedBlobs = (db: Db, addresses: readonly string[]) =>
  db.all(sql<{ blob: string }>`select distinct blob from content_attachments where blob = any(${addresses}::text[])`)
