import type { KeyId, ProjectId } from '../core/ids.ts'
import type { Db, Tx } from '../storage/postgres.ts'
import { sql } from '../storage/sql.ts'

export interface BucketLevel {
  granted: number
  /** What is left for all nodes together after this grant. */
  tokens: number
}

/** Refills the key's bucket for the time passed and takes up to `wanted` whole tokens out of it. */
export const takeTokens = (db: Db, key: KeyId, wanted: number, perSecond: number, burst: number) =>
  db.one(sql<BucketLevel>`
    insert into rate_buckets as bucket (key_id, tokens, granted, filled_at)
    values (${key}, ${burst}::int - least(${wanted}::int, ${burst}::int), least(${wanted}::int, ${burst}::int), clock_timestamp())
    on conflict (key_id) do update
      set (tokens, granted, filled_at) = (
        select level - least(${wanted}::int, floor(level)),
               least(${wanted}::int, floor(level)),
               greatest(bucket.filled_at, clock_timestamp())
          from (select least(${burst}::int, bucket.tokens + ${perSecond}::int
                  * greatest(0, extract(epoch from clock_timestamp() - bucket.filled_at)::float8))) as refilled (level))
    returning tokens, granted`)

export interface StoredAnswer {
  endpoint: string
  fingerprint: Buffer
  status: number | null
  body: string | null
}

/**
 * True when the key is ours now. A twin that has inserted but not committed makes this wait for its end, so it is
 * never answered from a transaction that may still fail. A key past its time is taken over like a new one.
 */
export const claimIdempotencyKey = async (
  tx: Tx,
  project: ProjectId,
  key: string,
  endpoint: string,
  fingerprint: Buffer,
  keptHours: number,
): Promise<boolean> =>
  (await tx.run(sql`
    insert into idempotency_keys as claim (project_id, key, endpoint, fingerprint)
    values (${project}, ${key}, ${endpoint}, ${fingerprint})
    on conflict (project_id, key) do update
      set endpoint = excluded.endpoint,
          fingerprint = excluded.fingerprint,
          status = null,
          body = null,
          created_at = clock_now()
      where claim.created_at < clock_now() - make_interval(hours => ${keptHours})`)) === 1

export const storedAnswer = (tx: Tx, project: ProjectId, key: string) =>
  tx.one(sql<StoredAnswer>`
    select endpoint, fingerprint, status, body
      from idempotency_keys
     where project_id = ${project} and key = ${key}`)

export const storeAnswer = (tx: Tx, project: ProjectId, key: string, status: number, body: string) =>
  tx.run(sql`
    update idempotency_keys
       set status = ${status}, body = ${body}
     where project_id = ${project} and key = ${key}`)

export const purgeIdempotencyKeys = (db: Db, keptHours: number) =>
  db.run(sql`delete from idempotency_keys where created_at < clock_now() - make_interval(hours => ${keptHours})`)
