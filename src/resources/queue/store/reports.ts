import type { ProjectId } from '../../../core/ids.ts'
import type { Db } from '../../../storage/postgres.ts'
import { sql, type Query } from '../../../storage/sql.ts'
import type { CountedReply, EngineRow, HostRow, LastReplyRow, ReplyGroupRow, WorkerReport } from '../schema.ts'

/** Everything that the worker knows takes the place of what it knew. A worker that was expired writes nothing. */
export const writeStates = (db: Db, { workerId, states }: WorkerReport) =>
  db.run(sql`
    with gone as (
      delete from destination_states
       where worker_id = ${workerId} and destination <> all(${states.map(({ destination }) => destination)}::text[])
    )
    insert into destination_states (worker_id, destination, connections, connection_limit, per_minute,
                                    suspended_until, on_trial, since, last_reply)
    select workers.id, s.destination, s.connections, s.connection_limit, s.per_minute,
           case when s.suspended_ms > 0 then clock_now() + s.suspended_ms * interval '1 millisecond' end,
           s.on_trial, clock_now() - s.troubled_ms * interval '1 millisecond', s.last_reply
      from workers
     cross join unnest(
             ${states.map(({ destination }) => destination)}::text[],
             ${states.map(({ connections }) => connections)}::int[],
             ${states.map(({ connectionLimit }) => connectionLimit)}::int[],
             ${states.map(({ perMinute }) => perMinute)}::float8[],
             ${states.map(({ suspendedForMs }) => suspendedForMs)}::float8[],
             ${states.map(({ onTrial }) => onTrial)}::boolean[],
             ${states.map(({ troubledForMs = null }) => troubledForMs)}::float8[],
             ${states.map(({ note }) => (note === undefined ? null : JSON.stringify(note)))}::jsonb[])
             as s (destination, connections, connection_limit, per_minute, suspended_ms, on_trial, troubled_ms,
                   last_reply)
     where workers.id = ${workerId}
    on conflict (destination, worker_id) do update
       set connections = excluded.connections, connection_limit = excluded.connection_limit,
           per_minute = excluded.per_minute, suspended_until = excluded.suspended_until, on_trial = excluded.on_trial,
           since = excluded.since, last_reply = excluded.last_reply`)

export const writeFlows = (db: Db, { workerId, flows }: WorkerReport) =>
  db.run(sql`
    with gone as (
      delete from project_flows
       where worker_id = ${workerId} and project_id <> all(${flows.map(({ projectId }) => projectId)}::uuid[])
    )
    insert into project_flows (worker_id, project_id, per_second)
    select workers.id, f.project_id, f.per_second
      from workers
     cross join unnest(${flows.map(({ projectId }) => projectId)}::uuid[],
                       ${flows.map(({ perSecond }) => perSecond)}::float8[]) as f (project_id, per_second)
     where workers.id = ${workerId}
    on conflict (project_id, worker_id) do update set per_second = excluded.per_second, written_at = clock_now()`)

/** In the order of their keys, so that two workers never wait for each other in a circle. */
export const addReplies = (db: Db, replies: readonly CountedReply[]) =>
  db.run(sql`
    insert into destination_replies (project_id, destination, hour, mark, host, address, tls, outcome, stage, code,
                                     enhanced, text, count, last_at)
    select r.project_id, r.destination, date_trunc('hour', clock_now()), r.mark, r.host, r.address, r.tls, r.outcome,
           r.stage, r.code, r.enhanced, r.text, r.count, clock_now()
      from unnest(
             ${replies.map(({ projectId }) => projectId)}::uuid[],
             ${replies.map(({ destination }) => destination)}::text[], ${replies.map(({ mark }) => mark)}::text[],
             ${replies.map(({ host }) => host)}::text[], ${replies.map(({ address }) => address)}::text[],
             ${replies.map(({ tls }) => tls)}::text[], ${replies.map(({ outcome }) => outcome)}::text[],
             ${replies.map(({ stage }) => stage)}::text[], ${replies.map(({ code }) => code)}::int[],
             ${replies.map(({ enhanced }) => enhanced)}::text[], ${replies.map(({ text }) => text)}::text[],
             ${replies.map(({ count }) => count)}::int[])
             as r (project_id, destination, mark, host, address, tls, outcome, stage, code, enhanced, text, count)
     order by 1, 2, 4
    on conflict (project_id, destination, hour, mark) do update
       set count = destination_replies.count + excluded.count, text = excluded.text, last_at = excluded.last_at`)

export const forgetReplies = (db: Db) =>
  db.run(sql`delete from destination_replies where hour < clock_now() - interval '25 hours'`)

/** All nodes together. Only workers that are alive count: their rows go with them. */
export const engineStates = (db: Db, destinations: readonly string[]) =>
  db.all(sql<EngineRow>`
    select destination, sum(connections)::int as connections, min(connection_limit) as "connectionLimit",
           sum(per_minute) as "perMinute", max(suspended_until) as "suspendedUntil", bool_or(on_trial) as "onTrial",
           min(since) as since,
           (array_agg(last_reply order by last_reply->'at' desc) filter (where last_reply is not null))[1] as "lastReply"
      from destination_states
     where destination = any(${destinations}::text[])
     group by destination`)

export const lastReplies = (db: Db, project: ProjectId, destinations: readonly string[]) =>
  db.all(sql<LastReplyRow>`
    select last.*, (select max(a.last_at)
                      from destination_replies a
                     where a.project_id = ${project} and a.destination = last.destination and a.outcome = 'accepted'
                   ) as "acceptedAt"
      from unnest(${destinations}::text[]) as wanted (destination)
     cross join lateral (
             select destination, outcome, code, enhanced, text, stage, host, last_at as at
               from destination_replies r
              where r.project_id = ${project}
                and r.destination = wanted.destination
                and r.outcome <> 'accepted'
                and r.last_at > clock_now() - interval '24 hours'
              order by r.last_at desc
              limit 1) last`)

/** Where mail of the project went within the last hour, the most frequent first. */
export const recentDestinations = (db: Db, project: ProjectId, most: number) =>
  db.all(sql<{ destination: string }>`
    select destination
      from destination_replies
     where project_id = ${project}
       and hour >= date_trunc('hour', clock_now()) - interval '1 hour'
     group by destination
     order by sum(count) desc, destination
     limit ${most}`)

const sinceYesterday = sql`last_at > clock_now() - interval '24 hours'`

/** Answers that differ in what the pattern finds only are one. */
export const replyGroups = (db: Db, project: ProjectId, destination: string, numbers: string, most: number) =>
  db.all(sql<ReplyGroupRow>`
    select code, enhanced, (array_agg(text order by last_at desc))[1] as text, stage,
           (array_agg(host order by last_at desc))[1] as host, sum(count)::int as count, max(last_at) as "lastAt"
      from destination_replies
     where project_id = ${project} and destination = ${destination} and outcome <> 'accepted' and ${sinceYesterday}
     group by code, enhanced, stage, regexp_replace(text, ${numbers}, '#', 'g')
     order by sum(count) desc, max(last_at) desc
     limit ${most}`)

export const hosts = (db: Db, project: ProjectId, destination: string, most: number) =>
  db.all(sql<HostRow>`
    select host, address, (array_agg(tls order by last_at desc))[1] as tls, sum(count)::int as attempts,
           coalesce(sum(count) filter (where outcome = 'accepted'), 0)::int as accepted,
           (array_agg(outcome order by last_at desc))[1] as last, max(last_at) as "lastAt",
           (array_agg(text order by last_at desc) filter (where outcome = 'declined'))[1] as refused
      from destination_replies
     where project_id = ${project} and destination = ${destination} and host is not null and ${sinceYesterday}
     group by host, address
     order by max(last_at) desc
     limit ${most}`)

/** How much of a project leaves in a second, as the workers that wrote lately say: each has one row. */
export const flowOf = (project: Query<never>): Query<never> => sql<never>`
  (select coalesce(round(sum(per_second)::numeric, 1), 0)::float8
     from project_flows
    where project_id = ${project} and written_at > clock_now() - interval '12 seconds')`

export const leavingPerSecond = async (db: Db, project: ProjectId): Promise<number> =>
  (await db.one(sql<{ rate: number }>`select ${flowOf(sql<never>`${project}::uuid`)} as rate`)).rate

/** So many counts of the latest hours are looked at. */
const MAX_COUNTS = 2_000

/** When a server last took mail of a project. */
export const lastLeftAt = async (db: Db, project: ProjectId): Promise<Date | null> =>
  (
    await db.one(sql<{ at: Date | null }>`
    select max(last_at) filter (where outcome = 'accepted' and ${sinceYesterday}) as at
      from (select outcome, last_at
              from destination_replies
             where project_id = ${project}
             order by hour desc
             limit ${MAX_COUNTS}) latest`)
  ).at

export interface Pace {
  site: string
  /** 0 for one that is suspended, 0.25 for one that is tried with a single mail, 0.5 for one with lower limits. */
  level: number
}

export const pacing = (db: Db) =>
  db.all(sql<Pace>`
    select destination as site,
           min(case when suspended_until > clock_now() then 0 when on_trial then 0.25 else 0.5 end)::float as level
      from destination_states
     where suspended_until > clock_now() or on_trial or connection_limit is not null or per_minute is not null
     group by destination`)
