import type { Db, Tx } from '../../../storage/postgres.ts'
import { identifier, sql, type Query } from '../../../storage/sql.ts'
import { grains, type Grain } from '../kinds.ts'
import { MAX_TAGS } from '../limits.ts'
import { columns, latencies, listed, mailFamily, maskOf, nothing, webhookFamily, type Family } from './tables.ts'

/**
 * Moves rows that were added into the tables of minutes, quarters, hours and days, in one statement: a row is always
 * in one of the two, and never in both. Returns how many there were.
 */
export const foldMail = async (tx: Tx, most: number): Promise<number> =>
  (
    await tx.one(sql<{ taken: number }>`
      with ${takenFrom(mailFamily, most)}, ${allowedTags}, ${wideOf(mailFamily, ofAllowedTags)}, ${inserts(mailFamily)}
      select count(*) as taken from taken`)
  ).taken

export const foldWebhooks = async (tx: Tx, most: number): Promise<number> =>
  (
    await tx.one(sql<{ taken: number }>`
      with ${takenFrom(webhookFamily, most)}, ${wideOf(webhookFamily, sql<never>`true`)}, ${inserts(webhookFamily)}
      select count(*) as taken from taken`)
  ).taken

const takenFrom = ({ added }: Family, most: number): Query<never> => sql<never>`
  taken as (
    delete from ${added}
     where ctid = any(array(select ctid from ${added} limit ${most} for update skip locked))
    returning *
  )`

/** Those that the project is counted by already, and as many new ones as there is room for. */
const allowedTags = sql<never>`
  seen as (
    select project_id, tag, known.tag is not null as is_known,
           row_number() over (partition by project_id, known.tag is null order by tag) as rank
      from (select distinct project_id, tag from taken where tag <> '') as fresh
      left join statistics_tags known using (project_id, tag)
  ), allowed as (
    select project_id, tag
      from seen
     where is_known
        or rank + (select count(*) from statistics_tags t where t.project_id = seen.project_id) <= ${MAX_TAGS}
  ), remembered as (
    insert into statistics_tags as known (project_id, tag, seen_at)
    select project_id, tag, clock_now() from allowed order by 1, 2
    on conflict (project_id, tag) do update set seen_at = excluded.seen_at
     where known.seen_at < excluded.seen_at - interval '1 day'
  )`

const ofAllowedTags = sql<never>`tag = '' or (project_id, tag) in (select project_id, tag from allowed)`

/** A column for each count instead of a row. */
const wideOf = ({ names, counts, amount }: Family, where: Query<never>): Query<never> => sql<never>`
  wide as (
    select project_id, at, ${columns(names, (name) => name)},
           ${columns(counts, (column, count) => sql<never>`coalesce(sum(${amount}) filter (where kind = ${count}), 0) as ${column}`)},
           ${listed(latencies.map((name, i) => sql<never>`coalesce(sum(${amount}) filter (where latency = ${i}), 0) as ${identifier(name)}`))}
      from taken
     where ${where}
     group by project_id, at, ${columns(names, (name) => name)}
  )`

const inserts = (family: Family): Query<never> => listed(grains.map((grain) => insertInto(family, grain)))

const insertInto = (family: Family, grain: Grain): Query<never> => {
  const { tables, names, counts, parts } = family
  const sums = [...counts, ...latencies]
  const own = columns(names, (name) => name)
  const sets = parts.flatMap(({ where, sets }) => sets.map((set) => sumsOf(family, grain, where, set)))
  return sql<never>`
  ${tables[grain]} as (
    insert into ${tables[grain]} as known
      (project_id, unsorted_by, at, ${own}, ${columns(sums, (name) => name)})
    ${sets.reduce((before, set) => sql<never>`${before} union all ${set}`)}
    on conflict (project_id, unsorted_by, at, ${own}) do update
       set ${columns(sums, (name) => sql<never>`${name} = known.${name} + excluded.${name}`)}
  )`
}

/** What there is for one combination of names. */
const sumsOf = (family: Family, grain: Grain, where: Query<never>, set: readonly string[]): Query<never> => sql<never>`
    select project_id, ${maskOf(family, set)}::smallint, period,
           ${columns(family.names, (column, name) => (set.includes(name) ? column : nothing(name)))},
           ${columns([...family.counts, ...latencies], (name) => sql<never>`sum(${name})`)}
      from (select *, ${periods[grain]} as period from wide where ${where}) as part
     group by ${listed([sql<never>`project_id, period`, ...set.map(identifier)])}`

const periods: Readonly<Record<Grain, Query<never>>> = {
  minutes: sql<never>`at`,
  quarters: sql<never>`date_bin('15 minutes', at, '2000-01-01T00:00Z')`,
  hours: sql<never>`date_trunc('hour', at, 'UTC')`,
  days: sql<never>`date_trunc('day', at, 'UTC')`,
}

/** Forgets what is older than it is kept: minutes, quarters and hours. Days stay. Returns whether there may be more. */
export const forgetOld = async (db: Db, family: 'mail' | 'webhooks', grain: Exclude<Grain, 'days'>, days: number) => {
  const table = (family === 'mail' ? mailFamily : webhookFamily).tables[grain]
  const forgotten = await db.run(sql`
    delete from ${table}
     where ctid = any(array(
             select ctid
               from ${table}
              where at < date_trunc('day', clock_now(), 'UTC') - ${days} * interval '1 day'
              limit ${FORGOTTEN_AT_ONCE}))`)
  return forgotten === FORGOTTEN_AT_ONCE
}

const FORGOTTEN_AT_ONCE = 10_000

export const forgetTags = (db: Db, days: number) =>
  db.run(sql`delete from statistics_tags where seen_at < clock_now() - ${days} * interval '1 day'`)
