import type { KeyId, SessionId } from '../core/ids.ts'
import type { Db } from '../storage/postgres.ts'
import { sql } from '../storage/sql.ts'

export interface BucketLevel {
  granted: number
  /** The tokens that are left for all nodes together after this grant. */
  tokens: number
}

/** Refills the key's bucket for the time passed and takes up to `wanted` whole tokens out of it. */
export const takeTokens = (db: Db, key: KeyId | SessionId, wanted: number, perSecond: number, burst: number) =>
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
