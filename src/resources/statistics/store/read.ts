import type { ProjectId } from '../../../core/ids.ts'
import type { Db } from '../../../storage/postgres.ts'
import { identifier, sql, type Query } from '../../../storage/sql.ts'
import type { Grain } from '../kinds.ts'
import { MAX_CELLS, MAX_TAGS } from '../limits.ts'
import { columns, latencies, listed, mailFamily, maskOf, setWith, webhookFamily, type Family } from './tables.ts'

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
  sumsOf(db, project, mailFamily, asked, knownTag(project))

export const webhookSums = (db: Db, project: ProjectId, asked: Asked): Promise<Sums[]> =>
  sumsOf(db, project, webhookFamily, asked, sql<never>`true`)

/** What was just added under a new tag is shown while there is room for the tag. */
const knownTag = (project: ProjectId): Query<never> => sql<never>`
  (tag = ''
   or exists (select from statistics_tags t where t.project_id = ${project} and t.tag = statistics_added.tag)
   or (select count(*) from statistics_tags t where t.project_id = ${project}) < ${MAX_TAGS})`

/** One statement sees what was moved and what was not yet, each once. */
function sumsOf(db: Db, project: ProjectId, family: Family, asked: Asked, isCounted: Query<never>): Promise<Sums[]> {
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
