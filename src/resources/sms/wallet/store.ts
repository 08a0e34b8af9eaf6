import type { ProjectId, SmsEntryId, SmsId, SmsTopUpId } from '../../../core/ids.ts'
import type { PageRequest } from '../../../core/page.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { Entry, EntryType, Mode, Period, TopUp, Wallet } from './schema.ts'

const today = sql<never>`(clock_now() at time zone 'UTC')::date`

const walletColumns = sql<never>`
  w.id, w.project_id as "projectId", p.workspace_id as "workspaceId", w.mode, w.currency,
  w.available_micros as available, w.reserved_micros as reserved, w.low_micros as low, w.daily_cap_micros as "dailyCap",
  w.is_low as "isLow", w.frozen_at as "frozenAt", w.ledger_seq as seq, clock_now() as now,
  (${today} + 1)::timestamp at time zone 'UTC' as tomorrow,
  case w.spent_on when ${today} then w.spent_micros else 0 end as "spentToday"`

/** By default the live one of a project that sends live, else the test one. */
export const find = (db: Db, project: ProjectId, mode: Mode | undefined) =>
  db.maybeOne(sql<Wallet>`
    select ${walletColumns}
      from sms_wallets w
      join projects p on p.id = w.project_id
     where w.project_id = ${project}
       and w.mode = coalesce(${mode}, case when p.sms_live then 'live' else 'test' end)`)

/** Held until the transaction ends. Whoever locks a message as well locks this first. */
export const lock = (tx: Tx, project: ProjectId, mode: Mode) =>
  tx.one(sql<Wallet>`
    select ${walletColumns}
      from sms_wallets w
      join projects p on p.id = w.project_id
     where w.project_id = ${project} and w.mode = ${mode}
       for update of w`)

/** Those that these messages are paid from, in one order. */
export const lockOfMessages = (tx: Tx, messages: readonly string[]) =>
  tx.all(sql<{ id: string; projectId: ProjectId; mode: Mode }>`
    select w.id, w.project_id as "projectId", w.mode
      from sms_wallets w
     where (w.project_id, w.mode) in (select project_id, mode from sms_messages where id = any(${messages}::uuid[]))
     order by w.id
       for update of w`)

export const create = (tx: Tx, project: ProjectId, id: string, mode: Mode, dailyCap: bigint | null) =>
  tx.run(sql`
    insert into sms_wallets (id, project_id, mode, daily_cap_micros)
    values (${id}, ${project}, ${mode}, ${dailyCap})
    on conflict (project_id, mode) do nothing`)

/** One entry: what it does to the two accounts of a wallet, and to which other account on the other side. */
export interface Movement {
  id: SmsEntryId
  walletId: string
  type: EntryType
  debit: Account
  credit: Account
  /** Positive. */
  amount: bigint
  /** Refused, and nothing written, when less than the amount is available or the wallet is frozen. */
  mustBeCovered?: boolean
  messageId?: SmsId
  topUpId?: SmsTopUpId
  reversesEntryId?: SmsEntryId
  reference?: string
  reason?: string
  segments?: number
}

export type Account =
  | 'wallet:available'
  | 'wallet:reserved'
  | 'platform:cash'
  | 'platform:revenue'
  | 'platform:adjustments'

export interface Moved {
  available: number
  reserved: number
  /** It fell below its threshold just now. */
  fellLow: boolean
}

/**
 * The wallet, the entry and its postings in one statement. A wallet that was low is not low any more only when there is
 * a quarter more than the threshold, so that nobody is told of every message around it. Entries never go back in time,
 * whichever transaction began first: a month that is over stays as it was.
 */
export const move = (tx: Tx, m: Movement) =>
  tx.maybeOne(sql<Moved>`
    with before as (
      select id, is_low from sms_wallets where id = ${m.walletId} for update
    ), wallet as (
      update sms_wallets w
         set available_micros = w.available_micros + ${deltaOf(m, 'wallet:available')}::bigint,
             reserved_micros = w.reserved_micros + ${deltaOf(m, 'wallet:reserved')}::bigint,
             is_low = case
               when w.available_micros + ${deltaOf(m, 'wallet:available')}::bigint < w.low_micros then true
               when w.available_micros + ${deltaOf(m, 'wallet:available')}::bigint >= w.low_micros + w.low_micros / 4
               then false
               else w.is_low end,
             spent_micros = case w.spent_on when ${today} then w.spent_micros else 0 end + ${spentBy(m)}::bigint,
             spent_on = ${today},
             ledger_seq = w.ledger_seq + 1,
             last_entry_at = greatest(w.last_entry_at, clock_now())
        from before
       where w.id = before.id
         and (not ${m.mustBeCovered ?? false}::boolean
              or (w.available_micros >= ${m.amount}::bigint and w.frozen_at is null))
      returning w.*, before.is_low as was_low
    ), entry as (
      insert into sms_ledger
        (id, project_id, wallet_id, seq, type, message_id, top_up_id, reverses_entry_id, reference, reason, segments,
         available_delta_micros, reserved_delta_micros, available_after_micros, reserved_after_micros, created_at)
      select ${m.id}::uuid, project_id, id, ledger_seq, ${m.type}, ${m.messageId ?? null}::uuid,
             ${m.topUpId ?? null}::uuid, ${m.reversesEntryId ?? null}::uuid, ${m.reference ?? null}, ${m.reason ?? null},
             ${m.segments ?? 0}::int, ${deltaOf(m, 'wallet:available')}::bigint, ${deltaOf(m, 'wallet:reserved')}::bigint,
             available_micros, reserved_micros, last_entry_at
        from wallet
      returning id
    ), posted as (
      insert into sms_postings (entry_id, line, account, debit_micros, credit_micros)
      select entry.id, side.line, side.account, side.debit, side.credit
        from entry
       cross join (values (1::smallint, ${m.debit}, ${m.amount}::bigint, 0::bigint),
                          (2::smallint, ${m.credit}, 0::bigint, ${m.amount}::bigint)) as side (line, account, debit, credit)
    )
    select available_micros as available, reserved_micros as reserved, is_low and not was_low as "fellLow" from wallet`)

/** The wallet's accounts are what we owe: a credit is more of it. */
function deltaOf({ debit, credit, amount }: Movement, account: Account): bigint {
  if (credit === account) return amount
  return debit === account ? -amount : 0n
}

const spentBy = ({ type, amount }: Movement): bigint => {
  if (type === 'charge') return amount
  return type === 'refund' ? -amount : 0n
}

const entryColumns = sql<never>`
  l.id, l.seq, l.type, l.message_id as "messageId", l.top_up_id as "topUpId", l.reverses_entry_id as "reversesEntryId",
  l.available_delta_micros as "availableDelta", l.reserved_delta_micros as "reservedDelta",
  l.available_after_micros as "availableAfter", l.reserved_after_micros as "reservedAfter", l.created_at as "createdAt",
  (select json_agg(json_build_object('account', account, 'debit', debit_micros, 'credit', credit_micros) order by line)
     from sms_postings
    where entry_id = l.id) as postings`

export interface EntryFilter {
  type: EntryType | undefined
  messageId: SmsId | undefined
  topUpId: SmsTopUpId | undefined
  createdAfter: Date | undefined
  createdBefore: Date | undefined
}

/** Newest first; `after` is the number of the last entry of the page before. */
export const entries = (
  db: Db,
  { projectId, id }: Wallet,
  filter: EntryFilter,
  { limit, after }: { limit: number; after: number | null },
) =>
  db.all(sql<Entry>`
    select ${entryColumns}
      from sms_ledger l
     where l.project_id = ${projectId}
       and l.wallet_id = ${id}
       and l.type = coalesce(${filter.type}, l.type)
       and (${filter.messageId ?? null}::uuid is null or l.message_id = ${filter.messageId ?? null}::uuid)
       and (${filter.topUpId ?? null}::uuid is null or l.top_up_id = ${filter.topUpId ?? null}::uuid)
       and l.created_at >= coalesce(${filter.createdAfter ?? null}::timestamptz, l.created_at)
       and (${filter.createdBefore ?? null}::timestamptz is null or l.created_at < ${filter.createdBefore ?? null}::timestamptz)
       and (${after}::bigint is null or l.seq < ${after}::bigint)
     order by l.seq desc
     limit ${limit + 1}`)

export const entry = (db: Db, project: ProjectId, id: SmsEntryId) =>
  db.maybeOne(sql<Entry>`
    select ${entryColumns} from sms_ledger l where l.project_id = ${project} and l.id = ${id}`)

export const entriesOfMessage = (db: Db, project: ProjectId, message: SmsId) =>
  db.all(sql<Entry>`
    select ${entryColumns} from sms_ledger l where l.project_id = ${project} and l.message_id = ${message} order by l.seq`)

export const isMessage = async (db: Db, project: ProjectId, id: SmsId): Promise<boolean> =>
  (await db.maybeOne(sql`select from sms_messages where project_id = ${project} and id = ${id}`)) !== undefined

/** Every month from the wallet's first to this one, newest first. Read off the ledger, which nobody can change. */
export const periods = (db: Db, { projectId, id }: Wallet, month: string | undefined) =>
  db.all(sql<Period>`
    with wallet as (
      select id, created_at from sms_wallets where project_id = ${projectId} and id = ${id}
    ), months as (
      select first at time zone 'UTC' as starts, (first + interval '1 month') at time zone 'UTC' as ends
        from wallet
       cross join generate_series(date_trunc('month', created_at at time zone 'UTC'),
                                  date_trunc('month', clock_now() at time zone 'UTC'), interval '1 month') first
    ), sums as (
      select m.starts, m.ends,
             coalesce(sum(l.available_delta_micros) filter (where l.type = 'top_up'), 0)::bigint as top_ups,
             coalesce(-sum(l.available_delta_micros) filter (where l.type = 'top_up_reversal'), 0)::bigint as reversals,
             coalesce(-sum(l.reserved_delta_micros) filter (where l.type = 'charge'), 0)::bigint as charges,
             coalesce(sum(l.available_delta_micros) filter (where l.type = 'refund'), 0)::bigint as refunds,
             coalesce(sum(l.available_delta_micros) filter (where l.type = 'adjustment'), 0)::bigint as adjustments,
             coalesce(sum(l.segments) filter (where l.type = 'charge'), 0)::bigint as segments,
             coalesce(sum(l.available_delta_micros + l.reserved_delta_micros), 0)::bigint as change
        from months m
        left join sms_ledger l
          on l.wallet_id = ${id} and l.project_id = ${projectId} and l.created_at >= m.starts and l.created_at < m.ends
       group by m.starts, m.ends
    ), chained as (
      select sums.*, to_char(starts at time zone 'UTC', 'YYYY-MM') as month,
             (coalesce(sum(change) over (order by starts), 0) - change)::bigint as opening
        from sums
    )
    select month, starts as "startsAt", ends as "endsAt", clock_now() < ends as "isOpen", opening, top_ups as "topUps",
           reversals, charges, refunds, adjustments, segments
      from chained
     where month = coalesce(${month}, month)
     order by starts desc`)

const topUpColumns = sql<never>`
  t.id, t.amount_micros as amount, t.currency, t.status, t.method, t.reference, t.created_at as "createdAt",
  t.settled_at as "settledAt",
  (select l.id from sms_ledger l where l.top_up_id = t.id and l.type = 'top_up') as "entryId"`

export const topUps = (db: Db, { projectId, id }: Wallet, { limit, after }: PageRequest) =>
  db.all(sql<TopUp>`
    select ${topUpColumns}
      from sms_top_ups t
     where t.project_id = ${projectId}
       and t.wallet_id = ${id}
       and (${after}::uuid is null or t.id < ${after}::uuid)
     order by t.id desc
     limit ${limit + 1}`)

export const topUp = (db: Db, project: ProjectId, id: SmsTopUpId) =>
  db.maybeOne(sql<TopUp>`select ${topUpColumns} from sms_top_ups t where t.project_id = ${project} and t.id = ${id}`)

export const topUpByReference = (tx: Tx, wallet: string, reference: string) =>
  tx.maybeOne(sql<TopUp>`
    select ${topUpColumns} from sms_top_ups t where t.wallet_id = ${wallet} and t.reference = ${reference}`)

export const insertTopUp = (
  tx: Tx,
  { projectId, id: wallet, currency }: Pick<Wallet, 'projectId' | 'id' | 'currency'>,
  id: SmsTopUpId,
  { amount, method, reference }: { amount: bigint; method: string; reference: string },
) =>
  tx.run(sql`
    insert into sms_top_ups (id, project_id, wallet_id, amount_micros, currency, status, method, reference, settled_at)
    values (${id}, ${projectId}, ${wallet}, ${amount}, ${currency}, 'settled', ${method}, ${reference}, clock_now())`)

/** Undefined when it is not settled, or not there. */
export const reverseTopUp = (tx: Tx, wallet: string, reference: string) =>
  tx.maybeOne(sql<{ id: SmsTopUpId; amount: number; entryId: SmsEntryId }>`
    update sms_top_ups t
       set status = 'reversed', reversed_at = clock_now()
     where t.wallet_id = ${wallet}
       and t.reference = ${reference}
       and t.status = 'settled'
    returning t.id, t.amount_micros as amount,
              (select l.id from sms_ledger l where l.top_up_id = t.id and l.type = 'top_up') as "entryId"`)

export const adjustment = (tx: Tx, wallet: string, reference: string) =>
  tx.maybeOne(sql<{ id: SmsEntryId }>`
    select id from sms_ledger where wallet_id = ${wallet} and reference = ${reference}`)

export const freeze = (tx: Tx, wallet: string, isFrozen: boolean) =>
  tx.run(sql`
    update sms_wallets
       set frozen_at = case when ${isFrozen} then coalesce(frozen_at, clock_now()) end
     where id = ${wallet}`)

export const cap = (tx: Tx, wallet: string, dailyCap: bigint | null) =>
  tx.run(sql`update sms_wallets set daily_cap_micros = ${dailyCap} where id = ${wallet}`)
