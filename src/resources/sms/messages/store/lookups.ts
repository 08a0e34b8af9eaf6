import type { SmsId } from '../../../../core/ids.ts'
import type { Db } from '../../../../storage/postgres.ts'
import { sql } from '../../../../storage/sql.ts'

/** A message that its carrier can be asked about. */
export interface Silent {
  /** Its first part: where carriers can be asked, all parts leave together. */
  id: string
  messageId: SmsId
  connection: string
  /** Whether anybody knows that the carrier has it. */
  isUnknown: boolean
  providerId: string | null
  phone: Buffer
  text: Buffer | null
  senderType: string
  ourAddress: string
  createdAt: Date
  /** What the carrier calls other messages to the same number. */
  known: string[]
}

export interface Patience {
  sentMinutes: number
  unknownMinutes: number
  againMinutes: number
}

/** Those of which nothing was heard for a while, the oldest first. Nobody else gets them before it is time again. */
export const takeSilent = (
  db: Db,
  connections: readonly string[],
  { sentMinutes, unknownMinutes, againMinutes }: Patience,
  most: number,
) =>
  db.all(sql<Silent>`
    with due as (
      update sms_parts
         set looked_up_at = clock_now()
       where id = any(array(
               select id
                 from sms_parts
                where state in ('sent', 'unknown')
                  and destination = any(${connections}::text[])
                  and seq = 1
                  and submitted_at < clock_now() - make_interval(
                        mins => case state when 'sent' then ${sentMinutes}::int else ${unknownMinutes}::int end)
                  and (looked_up_at is null or looked_up_at < clock_now() - make_interval(mins => ${againMinutes}))
                order by submitted_at
                limit ${most}
                  for update skip locked))
      returning id, message_id, destination, state, provider_message_id
    )
    select d.id, d.message_id as "messageId", d.destination as connection, d.state = 'unknown' as "isUnknown",
           d.provider_message_id as "providerId", m.phone, coalesce(m.body_sent, m.body) as text,
           s.type as "senderType", m.our_address as "ourAddress", m.created_at as "createdAt",
           array(select p.provider_message_id
                   from sms_messages o
                   join sms_parts p on p.message_id = o.id
                  where o.project_id = m.project_id
                    and o.phone_hmac = m.phone_hmac
                    and p.destination = d.destination
                    and p.provider_message_id is not null) as known
      from due d
      join sms_messages m on m.id = d.message_id
      join sms_senders s on s.id = m.sender_id`)
