/** The tables of numbers: what they have, how rows that were added come into them, and how a question is answered. */
import type { ProjectId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { identifier, sql, type Query } from '../../../storage/sql.ts'
import { grains, mailCounts, webhookCounts, type Grain } from '../kinds.ts'
import { LATENCY_CLASSES, MAX_CELLS, MAX_TAGS } from '../limits.ts'

/** Tables that are alike: what was added, and what it was moved into. */
interface Family {
  added: Query<never>
  tables: Readonly<Record<Grain, Query<never>>>
  /** The columns that rows can be sorted by. */
  names: readonly string[]
  counts: readonly string[]
  /** What a row of `added` counts. */
  amount: Query<never>
  /** The combinations of names that are kept, for rows with a tag and for others. */
  parts: readonly { where: Query<never>; sets: readonly (readonly string[])[] }[]
}

const ownNames = ['domain_id', 'provider', 'source', 'template_id'] as const

const mailFamily: Family = {
  added: sql<never>`statistics_added`,
  tables: tablesOf('statistics'),
  names: [...ownNames, 'tag'],
  counts: mailCounts,
  amount: sql<never>`recipients`,
  parts: [
    { where: sql<never>`tag = ''`, sets: [[], ...ownNames.map((name) => [name]), ownNames] },
    { where: sql<never>`tag <> ''`, sets: [['tag'], [...ownNames, 'tag']] },
  ],
}

const webhookFamily: Family = {
  added: sql<never>`webhook_statistics_added`,
  tables: tablesOf('webhook_statistics'),
  names: ['endpoint_id'],
  counts: webhookCounts,
  amount: sql<never>`deliveries`,
  parts: [{ where: sql<never>`true`, sets: [[], ['endpoint_id']] }],
}

function tablesOf(prefix: string): Family['tables'] {
  const [minutes, quarters, hours, days] = grains.map((grain) => identifier(`${prefix}_${grain}`))
  if (minutes === undefined || quarters === undefined || hours === undefined || days === undefined) {
    throw new Error('a grain without a table')
  }
  return { minutes, quarters, hours, days }
}

const latencies = Array.from({ length: LATENCY_CLASSES }, (_, i) => `latency_${i}`)

/** The smallest combination that is kept and has these names. */
function setWith({ parts }: Family, names: readonly string[]): readonly string[] {
  const fitting = parts.flatMap(({ sets }) => sets).filter((set) => names.every((name) => set.includes(name)))
  const [smallest] = fitting.toSorted((a, b) => a.length - b.length)
  if (smallest === undefined) throw new Error(`nothing is sorted by ${names.join(', ')}`)
  return smallest
}

/** A number for a combination: a bit for each name that is not part of it, the last name in the lowest bit. */
const maskOf = ({ names }: Family, set: readonly string[]): number =>
  names.reduce((mask, name) => mask * 2 + (set.includes(name) ? 0 : 1), 0)

/** What stands in a column that a row is not sorted by, and for mail that has no such name. */
const nothing = (name: string): Query<never> =>
  name.endsWith('_id') ? sql<never>`'00000000-0000-0000-0000-000000000000'::uuid` : sql<never>`''`

const listed = (parts: readonly Query<never>[]): Query<never> =>
  parts.length === 0 ? sql<never>`` : parts.reduce((before, part) => sql<never>`${before}, ${part}`)

/** One column for each name, made of it. */
const columns = (names: readonly string[], make: (name: Query<never>, text: string) => Query<never>) =>
  listed(names.map((name) => make(identifier(name), name)))

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

/** Any number that no other program takes an advisory lock on in this database. */
const FOLD_LOCK = 7_015_244

export const lockFolds = (tx: Tx) => tx.all(sql`select pg_advisory_xact_lock(${FOLD_LOCK}::bigint)`)

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

/** What is asked of one family of tables. */
export interface Asked {
  /** Where periods begin, and where the last one ends. */
  bounds: readonly Date[]
  grain: Grain
  /** Before this moment there are days only. */
  keptSince: Date
  /** The column that makes the series. */
  groupBy: string | undefined
  filter: Readonly<Record<string, string>>
  /** False for totals alone. */
  withPoints: boolean
  /** Whether times are wanted for each point, and not only for each series. */
  withLatencies: boolean
}

/** A cell of the answer, or the sum of a series where `period` is null. */
export interface Sums {
  /** Counted from 1. */
  period: number | null
  key: string | null
  /** In the order of the family's counts. */
  counts: number[]
  /** Null for a point, unless they were asked for. */
  latencies: number[] | null
}

export const mailSums = (db: Db, project: ProjectId, asked: Asked): Promise<Sums[]> =>
  answerOf(db, project, mailFamily, asked, knownTag(project))

export const webhookSums = (db: Db, project: ProjectId, asked: Asked): Promise<Sums[]> =>
  answerOf(db, project, webhookFamily, asked, sql<never>`true`)

/** What was just added under a new tag is shown while there is room for the tag. */
const knownTag = (project: ProjectId): Query<never> => sql<never>`
  (tag = ''
   or exists (select from statistics_tags t where t.project_id = ${project} and t.tag = statistics_added.tag)
   or (select count(*) from statistics_tags t where t.project_id = ${project}) < ${MAX_TAGS})`

/** One statement sees what was moved and what was not yet, each once. */
function answerOf(db: Db, project: ProjectId, family: Family, asked: Asked, isCounted: Query<never>): Promise<Sums[]> {
  const { bounds, grain, keptSince, groupBy, filter, withPoints, withLatencies } = asked
  const { added, tables, counts, amount, names } = family
  const set = setWith(family, [...Object.keys(filter), ...(groupBy === undefined ? [] : [groupBy])])
  const key = groupBy === undefined ? sql<never>`null::text` : sql<never>`${identifier(groupBy)}::text`
  const within = sql<never>`project_id = ${project} and at >= ${bounds[0]} and at < ${bounds.at(-1)}`
  const chosen = Object.entries(filter)
    .map(([name, value]) => sql<never>`and ${identifier(name)} = ${value}`)
    .reduce((before, part) => sql<never>`${before} ${part}`, sql<never>``)
  const kept = (table: Query<never>, when: Query<never>) => sql<never>`
    select at, ${key} as key, ${columns([...counts, ...latencies], (name) => name)}
      from ${table}
     where ${within} and unsorted_by = ${maskOf(family, set)} ${chosen} and ${when}`
  const untagged = names.includes('tag')
    ? sql<never>`and ${set.includes('tag') ? sql<never>`tag <> ''` : sql<never>`tag = ''`}`
    : sql<never>``
  return db.all(sql<Sums>`
    with counted as (
      ${kept(tables[grain], sql<never>`at >= ${keptSince}`)}
      union all
      ${kept(tables.days, sql<never>`at < ${keptSince}`)}
      union all
      select at, ${key},
             ${columns(counts, (_, count) => sql<never>`case kind when ${count} then ${amount} else 0 end`)},
             ${listed(latencies.map((_, i) => sql<never>`case latency when ${i} then ${amount} else 0 end`))}
        from ${added}
       where ${within} ${chosen} ${untagged} and ${isCounted}
    ), placed as (
      select width_bucket(at, ${bounds}::timestamptz[]) as period, counted.* from counted
    )
    select ${withPoints ? sql<never>`period` : sql<never>`null::int as period`}, key, array[${columns(counts, (name) => sql<never>`sum(${name})`)}]::float8[] as counts,
           case when ${withPoints ? sql<never>`grouping(period) = 1` : sql<never>`true`} or ${withLatencies}
             then array[${columns(latencies, (name) => sql<never>`sum(${name})`)}]::float8[] end as latencies
      from placed
     group by grouping sets (${withPoints ? sql<never>`(period, key), ` : sql<never>``}(key))
     limit ${MAX_CELLS * 2}`)
}

export const now = (db: Db) => db.one(sql<{ now: Date }>`select clock_now() as now`)

const minute = sql<never>`date_trunc('minute', clock_now())`

/**
 * What was counted of a project in the minute that runs, as a part of a statement about many projects. It has `counts`, and
 * `is_more` where more rows than `most` wait to be moved into the minutes: then the counts are too low.
 */
export const presentMinute = (project: Query<never>, most: number): Query<never> => sql<never>`
  lateral (
    with few as materialized (
      select at, tag, kind, recipients from statistics_added where project_id = ${project} limit ${most}
    ), counted as (
      select ${eachCount((count) => identifier(count))}
        from statistics_minutes
       where project_id = ${project} and unsorted_by = ${maskOf(mailFamily, [])} and at = ${minute}
       union all
      select ${eachCount((count) => sql<never>`case kind when ${count} then recipients else 0 end`)}
        from few
       where tag = '' and at = ${minute}
    )
    select jsonb_build_object(${eachCount((count) => sql<never>`${count}::text, coalesce(sum(${identifier(count)}), 0)`)}) as counts,
           (select count(*) from few) = ${most} as is_more
      from counted)`

const eachCount = (make: (count: string) => Query<never>): Query<never> => listed(mailCounts.map(make))
