import type { PersonId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'

/** Attempts on one account, and from one place, wait for each other: many at once count like many in a row. */
export const lock = (tx: Tx, account: Buffer | null, address: string) =>
  tx.run(sql`
    select pg_advisory_xact_lock(7015210, hashtext(encode(${account}::bytea, 'hex'))),
           pg_advisory_xact_lock(7015211, hashtext(${address}))`)

export interface Failures {
  /** Of the account, within the window. */
  ofAccount: number
  secondsSinceLast: number | null
  /** How long it takes until the address has fewer than `most`; null while it has. */
  addressFreeIn: number | null
}

export const count = (
  tx: Tx,
  account: Buffer | null,
  address: string,
  limits: { accountSeconds: number; addressSeconds: number; mostOfAddress: number },
) =>
  tx.one(sql<Failures>`
    select account.failures as "ofAccount",
           extract(epoch from clock_now() - account.latest)::float8 as "secondsSinceLast",
           (select extract(epoch from at + ${limits.addressSeconds} * interval '1 second' - clock_now())::float8
              from sign_in_failures
             where address = ${address}
               and at > clock_now() - ${limits.addressSeconds} * interval '1 second'
             order by at desc
            offset ${limits.mostOfAddress - 1}
             limit 1) as "addressFreeIn"
      from (select count(*) as failures, max(at) as latest
              from sign_in_failures
             where account = ${account}::bytea
               and at > clock_now() - ${limits.accountSeconds} * interval '1 second') as account`)

export const insert = (tx: Tx, account: Buffer | null, address: string) =>
  tx.one(sql<{ id: number }>`
    insert into sign_in_failures (account, address) values (${account}, ${address}) returning id`)

/** The attempt was no failure. */
export const remove = (db: Db, id: number) => db.run(sql`delete from sign_in_failures where id = ${id}`)

/** Nor do the failures before it count any more. */
export const clear = (tx: Tx, id: number, account: Buffer | null) =>
  tx.run(sql`delete from sign_in_failures where id = ${id} or account = ${account}::bytea`)

/** False when it was noted a short while ago, or no person has this address. */
export const noteRefusal = async (tx: Tx, person: PersonId | null, everySeconds: number): Promise<boolean> =>
  (await tx.run(sql`
    update people
       set refusal_noted_at = clock_now()
     where id = ${person}::uuid
       and (refusal_noted_at is null or refusal_noted_at < clock_now() - ${everySeconds} * interval '1 second')`)) === 1

export const forget = (db: Db, seconds: number) =>
  db.run(sql`delete from sign_in_failures where at < clock_now() - ${seconds} * interval '1 second'`)
