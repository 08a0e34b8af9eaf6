import { identifier, sql, type Query } from '../../../storage/sql.ts'
import { mailCounts } from '../kinds.ts'
import { ALL_MAIL } from './numbers.ts'

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
      select ${listed((count) => identifier(count))}
        from statistics_minutes
       where project_id = ${project} and unsorted_by = ${ALL_MAIL} and at = ${minute}
       union all
      select ${listed((count) => sql<never>`case kind when ${count} then recipients else 0 end`)}
        from few
       where tag = '' and at = ${minute}
    )
    select jsonb_build_object(${listed((count) => sql<never>`${count}::text, coalesce(sum(${identifier(count)}), 0)`)}) as counts,
           (select count(*) from few) = ${most} as is_more
      from counted)`

const listed = (make: (count: string) => Query<never>): Query<never> =>
  mailCounts.map(make).reduce((before, part) => sql<never>`${before}, ${part}`)
