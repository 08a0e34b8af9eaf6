import type { ReceivedId } from '../../../core/ids.ts'
import type { Db } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { ReceivedRow } from '../schema.ts'

export interface OperatorMail {
  id: ReceivedId
  recipient: string
  /** Who wrote it, as far as it was read. */
  from: string | null
  subject: string | null
  receivedAt: Date
}

/** For the operator, who has no project: the only mail here that belongs to none. */
export const list = (db: Db, most: number) =>
  db.all(sql<OperatorMail>`
    select o.id, recipient, coalesce(letter -> 'from' ->> 'email', envelope_from) as "from",
           letter ->> 'subject' as subject, o.received_at as "receivedAt"
      from operator_mail o
      join received_messages m on m.id = message_id
     order by o.id desc
     limit ${most}`)

export const find = (db: Db, id: ReceivedId) =>
  db.maybeOne(sql<{ blob: string; session: ReceivedRow['session']; receivedAt: Date }>`
    select blob, session, o.received_at as "receivedAt" from operator_mail o join received_messages m on m.id = message_id where o.id = ${id}`)
