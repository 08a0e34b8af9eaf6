import type { ProjectId, SmsId } from '../../core/ids.ts'
import type { Db } from '../../storage/postgres.ts'
import { sql } from '../../storage/sql.ts'

export interface Violation {
  walletId: string
  projectId: ProjectId
  invariant: string
}

/** What must hold of all money at all times; every row is a defect. All looks at one moment. */
export const violations = (db: Db) =>
  db.all(sql<Violation>`
    with chained as (
      select l.*,
             lag(seq, 1, 0::bigint) over w as seq_before,
             lag(available_after_micros::bigint, 1, 0::bigint) over w as available_before,
             lag(reserved_after_micros::bigint, 1, 0::bigint) over w as reserved_before
        from sms_ledger l
      window w as (partition by wallet_id order by seq)
    ), totals as (
      select wallet_id, max(seq) as seq, sum(available_delta_micros) as available, sum(reserved_delta_micros) as reserved,
             sum(available_delta_micros) filter (where type = 'top_up') as top_ups,
             sum(available_delta_micros) filter (where type = 'top_up_reversal') as reversals,
             sum(available_delta_micros) filter (where type = 'adjustment') as adjustments,
             sum(reserved_delta_micros) filter (where type = 'charge') as charges,
             sum(available_delta_micros) filter (where type = 'refund') as refunds
        from sms_ledger
       group by wallet_id
    ), sides as (
      select entry_id,
             sum(debit_micros) as debits, sum(credit_micros) as credits,
             sum(credit_micros - debit_micros) filter (where account = 'wallet:available') as available,
             sum(credit_micros - debit_micros) filter (where account = 'wallet:reserved') as reserved
        from sms_postings
       group by entry_id
    ), per_message as (
      select message_id, wallet_id,
             sum(reserved_delta_micros) filter (where type = 'reservation') as reserved,
             coalesce(-sum(reserved_delta_micros) filter (where type in ('charge', 'release')), 0) as resolved,
             coalesce(-sum(reserved_delta_micros) filter (where type = 'charge'), 0) as charged,
             coalesce(sum(available_delta_micros) filter (where type = 'refund'), 0) as refunded
        from sms_ledger
       where message_id is not null
       group by message_id, wallet_id
    )
    select w.id as "walletId", w.project_id as "projectId", found.invariant
      from sms_wallets w
     cross join lateral (
             select 'the postings of an entry do not add up to zero, or are not what it says' as invariant
               from sms_ledger l
               left join sides s on s.entry_id = l.id
              where l.wallet_id = w.id
                and (s.debits is null or s.debits <> s.credits
                     or coalesce(s.available, 0) <> l.available_delta_micros
                     or coalesce(s.reserved, 0) <> l.reserved_delta_micros)
              union
             select 'an entry does not follow from the one before it'
               from chained c
              where c.wallet_id = w.id
                and (c.seq <> c.seq_before + 1
                     or c.available_after_micros <> c.available_before + c.available_delta_micros
                     or c.reserved_after_micros <> c.reserved_before + c.reserved_delta_micros)
              union
             select 'the wallet is not what its ledger says'
               from (select 1) one
               left join totals t on t.wallet_id = w.id
              where coalesce(t.available, 0) <> w.available_micros
                 or coalesce(t.reserved, 0) <> w.reserved_micros
                 or coalesce(t.seq, 0) <> w.ledger_seq
                 or w.available_micros + w.reserved_micros <> coalesce(t.top_ups, 0) + coalesce(t.reversals, 0)
                    + coalesce(t.adjustments, 0) + coalesce(t.charges, 0) + coalesce(t.refunds, 0)
              union
             select 'what is reserved is not what open messages need'
              where w.reserved_micros <> coalesce((
                      select sum(m.segment_micros * m.segments)
                        from sms_messages m
                       where m.project_id = w.project_id and m.mode = w.mode and m.direction = 'outbound'
                         and m.money_settled_at is null), 0)
              union
             select 'a message was resolved for something else than was reserved for it, or refunded more than charged'
               from per_message p
               join sms_messages m on m.id = p.message_id
              where p.wallet_id = w.id
                and (p.resolved <> case when m.money_settled_at is null then 0 else p.reserved end
                     or p.refunded > p.charged
                     or p.charged <> m.charged_micros)
              union
             select 'less than nothing is available, and no top-up was reversed'
              where w.available_micros < 0
                and not exists (
                      select from sms_ledger l where l.wallet_id = w.id and l.type = 'top_up_reversal')) found
     order by w.id`)

/** Messages that are over, and whose reservation is not: never by their age, always by their state. */
export const unresolved = (db: Db, most: number) =>
  db.all(sql<{ id: SmsId }>`
    select m.id
      from sms_messages m
     where m.direction = 'outbound'
       and m.money_settled_at is null
       and m.status in ('sent', 'delivered', 'undelivered', 'failed', 'expired')
       and not exists (
             select from sms_parts p
              where p.message_id = m.id
                and p.state in ('held', 'waiting', 'ready', 'claimed', 'in_flight', 'unknown'))
     limit ${most}`)
