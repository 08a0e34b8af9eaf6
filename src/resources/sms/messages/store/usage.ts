import type { ProjectId } from '../../../../core/ids.ts'
import type { Db } from '../../../../storage/postgres.ts'
import { sql, type Query } from '../../../../storage/sql.ts'
import type { Tally } from '../schema/usage.ts'
import type { Grouping } from '../states.ts'

export interface Span {
  from: Date
  to: Date
  mode: 'test' | 'live'
}

export type Counted = Partial<Tally> & { first: string | null; second: string | null }

/** What a bucket is named by. Of money `at` is when it moved, of messages when they were made. */
const keyOf = (grouping: Grouping | undefined, at: Query<never>): Query<never> => {
  switch (grouping) {
    case 'day':
      return sql<never>`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD')`
    case 'month':
      return sql<never>`to_char(${at} at time zone 'UTC', 'YYYY-MM')`
    case 'country':
      return sql<never>`m.country`
    case 'category':
      return sql<never>`m.category`
    case 'sender':
      return sql<never>`m.sender_id::text`
    case 'program':
      return sql<never>`m.program_id::text`
    case 'status':
      return sql<never>`sms_status(m)`
    default:
      return sql<never>`null::text`
  }
}

export const messages = (db: Db, project: ProjectId, { from, to, mode }: Span, groups: readonly Grouping[]) => {
  const at = sql<never>`m.created_at`
  return db.all(sql<Counted>`
    select ${keyOf(groups[0], at)} as first, ${keyOf(groups[1], at)} as second,
           count(*) filter (where m.direction = 'outbound') as outbound,
           count(*) filter (where m.direction = 'inbound') as inbound,
           coalesce(sum(m.segments) filter (where m.direction = 'outbound'), 0)::bigint as segments,
           count(*) filter (where m.status = 'delivered') as delivered,
           count(*) filter (where m.status = 'undelivered') as undelivered,
           count(*) filter (where m.status = 'failed') as failed,
           count(*) filter (where m.status = 'expired') as expired,
           count(*) filter (where m.status = 'unconfirmed') as unconfirmed,
           count(*) filter (where m.status in ('queued', 'deferred', 'sent')) as pending
      from sms_messages m
     where m.project_id = ${project}
       and m.mode = ${mode}
       and m.created_at >= ${from}
       and m.created_at < ${to}
     group by 1, 2
     order by 1, 2`)
}

export const money = (db: Db, project: ProjectId, { from, to, mode }: Span, groups: readonly Grouping[]) => {
  const at = sql<never>`l.created_at`
  return db.all(sql<Counted>`
    select ${keyOf(groups[0], at)} as first, ${keyOf(groups[1], at)} as second,
           coalesce(-sum(l.reserved_delta_micros) filter (where l.type = 'charge'), 0)::bigint as "chargedMicros",
           coalesce(sum(l.available_delta_micros) filter (where l.type = 'refund'), 0)::bigint as "refundedMicros"
      from sms_ledger l
      join sms_wallets w on w.id = l.wallet_id
      join sms_messages m on m.id = l.message_id
     where l.project_id = ${project}
       and w.mode = ${mode}
       and l.type in ('charge', 'refund')
       and l.created_at >= ${from}
       and l.created_at < ${to}
     group by 1, 2`)
}
