import type { KeyId, ProjectId } from '../core/ids.ts'
import type { Db, Tx } from '../storage/postgres.ts'
import { sql } from '../storage/sql.ts'
import type { IdempotencyKey } from './route.ts'

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

/** A request that must be done once, with its project: the same key in another project is another key. */
export interface Claim extends IdempotencyKey {
  project: ProjectId
}

export interface StoredAnswer extends Claim {
  status: number | null
  body: string | null
}

/**
 * Those that are ours now. A twin that has inserted but not committed makes this wait for its end, so nobody is
 * answered from a transaction that may still fail. A key past its time is taken over like a new one. In one order, so
 * that two transactions cannot wait for each other.
 */
export const claimIdempotencyKeys = (tx: Tx, claims: readonly Claim[], keptHours: number) =>
  tx.all(sql<{ project: ProjectId; key: string }>`
    insert into idempotency_keys as claim (project_id, key, endpoint, fingerprint)
    select * from unnest(${claims.map(({ project }) => project)}::uuid[], ${claims.map(({ key }) => key)}::text[],
                         ${claims.map(({ endpoint }) => endpoint)}::text[],
                         ${claims.map(({ fingerprint }) => fingerprint)}::bytea[]) as new (project_id, key)
     order by project_id, key
    on conflict (project_id, key) do update
      set endpoint = excluded.endpoint,
          fingerprint = excluded.fingerprint,
          status = null,
          body = null,
          created_at = clock_now()
      where claim.created_at < clock_now() - make_interval(hours => ${keptHours})
    returning project_id as project, key`)

export const storedAnswers = (tx: Tx, claims: readonly Claim[]) =>
  tx.all(sql<StoredAnswer>`
    select project_id as project, key, endpoint, fingerprint, status, body
      from idempotency_keys
     where (project_id, key) in (
             select * from unnest(${claims.map(({ project }) => project)}::uuid[], ${claims.map(({ key }) => key)}::text[]))`)

export const storeAnswers = (tx: Tx, answers: readonly { claim: Claim; status: number; body: string }[]) =>
  tx.run(sql`
    update idempotency_keys claim
       set status = answer.status, body = answer.body
      from unnest(${answers.map(({ claim }) => claim.project)}::uuid[], ${answers.map(({ claim }) => claim.key)}::text[],
                  ${answers.map(({ status }) => status)}::smallint[],
                  ${answers.map(({ body }) => body)}::text[]) as answer (project_id, key, status, body)
     where claim.project_id = answer.project_id and claim.key = answer.key`)

export const releaseIdempotencyKeys = (tx: Tx, claims: readonly Claim[]) =>
  tx.run(sql`
    delete from idempotency_keys
     where (project_id, key) in (
             select * from unnest(${claims.map(({ project }) => project)}::uuid[], ${claims.map(({ key }) => key)}::text[]))`)

export const purgeIdempotencyKeys = (db: Db, keptHours: number) =>
  db.run(sql`delete from idempotency_keys where created_at < clock_now() - make_interval(hours => ${keptHours})`)
