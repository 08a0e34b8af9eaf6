/**
 * Everybody who was in the audience of a broadcast when it started. No table has them all with what became of them: the
 * recipients are written down when it starts, emails are made of them one by one, and each email knows its own state. So
 * there are sources, each of them a list in the order of one index, and `among` tells what became of those that a source
 * leads to.
 */
import { MAX_ID, type BroadcastId, type ContactId, type EmailId, type ProjectId } from '../../../core/ids.ts'
import type { Db } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { BroadcastRecipientState, LastReply, RecipientRow } from '../schema/recipients.ts'

/** The broadcast, with the ids between which all its emails are. */
export interface Listed {
  projectId: ProjectId
  id: BroadcastId
  first: string
  last: string
}

/** Some people in the order of their keys, the greatest first: all that there are down to `reached`, or to the end. */
export interface Look {
  ids: ContactId[]
  reached: string | null
}

export interface Source {
  /** What its people are sorted by. */
  key: 'contact' | 'email'
  look(db: Db, broadcast: Listed, before: string, most: number): Promise<Look>
}

type Candidate = { key: string; id: ContactId | null }

const lookOf = (rows: readonly Candidate[], most: number): Look => ({
  ids: rows.flatMap(({ id }) => id ?? []),
  reached: rows.length < most ? null : (rows.at(-1)?.key ?? null),
})

/** Everybody: those who were written down as recipients, and those who were left out. */
export const everybody: Source = {
  key: 'contact',
  look: async (db, { projectId, id }, before, most) =>
    lookOf(
      await db.all(sql<Candidate>`
        select contact_id as key, contact_id as id
          from broadcasts b
         cross join lateral (
                 (select contact_id
                    from broadcast_recipients
                   where broadcast_id = b.id and contact_id < ${before}::uuid
                   order by contact_id desc
                   limit ${most})
                  union all
                 (select contact_id
                    from broadcast_left_out
                   where broadcast_id = b.id and because = 'unsubscribed' and contact_id < ${before}::uuid
                   order by contact_id desc
                   limit ${most})
                  union all
                 (select contact_id
                    from broadcast_left_out
                   where broadcast_id = b.id and because = 'suppressed' and contact_id < ${before}::uuid
                   order by contact_id desc
                   limit ${most})) as people
         where b.project_id = ${projectId}
           and b.id = ${id}
         order by contact_id desc
         limit ${most}`),
      most,
    ),
}

export const leftOut = (because: 'unsubscribed' | 'suppressed' | 'deleted'): Source => ({
  key: 'contact',
  look: async (db, { projectId, id }, before, most) =>
    lookOf(
      await db.all(sql<Candidate>`
        select l.contact_id as key, l.contact_id as id
          from broadcasts b
          join broadcast_left_out l on l.broadcast_id = b.id
         where b.project_id = ${projectId}
           and b.id = ${id}
           and l.because = ${because}
           and l.contact_id < ${before}::uuid
         order by l.contact_id desc
         limit ${most}`),
      most,
    ),
})

/** Recipients that no email was made for, yet or ever. */
export const unfed: Source = {
  key: 'contact',
  look: async (db, { projectId, id }, before, most) =>
    lookOf(
      await db.all(sql<Candidate>`
        select r.contact_id as key, r.contact_id as id
          from broadcasts b
          join broadcast_recipients r on r.broadcast_id = b.id
         where b.project_id = ${projectId}
           and b.id = ${id}
           and r.contact_id > coalesce(b.fed_to, ${FIRST}::uuid)
           and r.contact_id < ${before}::uuid
         order by r.contact_id desc
         limit ${most}`),
      most,
    ),
}

const FIRST = '00000000-0000-0000-0000-000000000000'

/** Those whose email ended in a state. The index also leads to other mail of that time, which counts as looked at. */
export const ended = (state: BroadcastRecipientState): Source => ({
  key: 'email',
  look: async (db, { projectId, id, first, last }, before, most) =>
    lookOf(
      await db.all(sql<Candidate>`
        select ended.email_id as key, e.contact_id as id
          from (select r.project_id, r.state, r.email_id
                  from recipients r
                 where (r.project_id, r.state, r.email_id) < (${projectId}, ${state}, least(${before}::uuid, ${first}::uuid))
                   and (r.project_id, r.state, r.email_id) >= (${projectId}, ${state}, ${last}::uuid)
                 order by r.project_id desc, r.state desc, r.email_id desc
                 limit ${most}) as ended
          left join emails e on e.id = ended.email_id and e.broadcast_id = ${id}
         order by ended.email_id desc`),
      most,
    ),
})

/** Those whose email is under way: there are never many at a time. */
export const underWay: Source = {
  key: 'email',
  look: async (db, { projectId, id }, before, most) =>
    lookOf(
      await db.all(sql<Candidate>`
        select email_id as key, contact_id as id
          from deliveries
         where project_id = ${projectId}
           and broadcast_id = ${id}
           and email_id < ${before}::uuid
         order by email_id desc
         limit ${most}`),
      most,
    ),
}

/** Few people have one address: the contact in the audience, and whoever an email of the broadcast went to. */
export const atAddress = (email: string): Source => ({
  key: 'contact',
  look: async (db, { projectId, id, first, last }) => {
    const rows = await db.all(sql<{ id: ContactId }>`
      select c.id
        from broadcasts b
        join contacts c on c.project_id = b.project_id and c.email = ${email} and c.audience_id = b.audience_id
       where b.project_id = ${projectId} and b.id = ${id}
       union
      select e.contact_id
        from (select r.email_id
                from recipients r
               where (r.project_id, r.recipient, r.email_id) < (${projectId}, ${email}, ${first}::uuid)
                 and (r.project_id, r.recipient, r.email_id) >= (${projectId}, ${email}, ${last}::uuid)
               order by r.project_id desc, r.recipient desc, r.email_id desc
               limit ${MAX_TO_ADDRESS}) as ended
        join emails e on e.id = ended.email_id and e.broadcast_id = ${id}
       union
      select d.contact_id
        from deliveries d
       where d.project_id = ${projectId} and d.recipient = ${email} and d.broadcast_id = ${id}`)
    return {
      ids: rows
        .map((row) => row.id)
        .toSorted()
        .toReversed(),
      reached: null,
    }
  },
})

/** So much mail to one address is looked through for the mail of a broadcast. */
const MAX_TO_ADDRESS = 1_000

/** What became of these people, in their order; those that the broadcast does not know are left out. */
export const among = (
  db: Db,
  { projectId, id }: Listed,
  people: readonly ContactId[],
  status: BroadcastRecipientState | undefined,
  most: number,
) =>
  db.all(sql<RecipientRow>`
    select *
      from (select asked.contact_id as id, e.id as "emailId", asked.position,
                   coalesce(e.addresses -> 'recipients' -> 0 ->> 'email', contact.email) as email,
                   case when e.id is not null then s.state
                        when l.because is not null then case l.because when 'unsubscribed' then l.because else 'suppressed' end
                        when asked.contact_id <= coalesce(b.fed_to, ${FIRST}::uuid) then 'suppressed'
                        when b.fed_at is null then 'queued'
                        else 'cancelled' end as status,
                   coalesce(g.opens, 0) as opens, coalesce(g.clicks, 0) as clicks,
                   coalesce(s.updated_at, b.started_at) as "updatedAt"
              from unnest(${people}::uuid[]) with ordinality as asked (contact_id, position)
              join broadcasts b on b.project_id = ${projectId} and b.id = ${id}
              left join emails e on e.broadcast_id = b.id and e.contact_id = asked.contact_id
              left join lateral (
                     select state, updated_at
                       from recipient_states
                      where recipient_states.project_id = ${projectId} and email_id = e.id
                      limit 1) as s on true
              left join engagements g on g.email_id = e.id and g.position = 0
              left join lateral (
                     select because
                       from broadcast_left_out
                      where broadcast_id = b.id
                        and because = any(array['unsubscribed', 'suppressed', 'deleted'])
                        and contact_id = asked.contact_id
                      limit 1) as l on true
              left join lateral (
                     select contacts.email from contacts where contacts.id = asked.contact_id limit 1) as contact on true
             where e.id is not null
                or l.because is not null
                or exists (select from broadcast_recipients r where r.broadcast_id = b.id and r.contact_id = asked.contact_id)
           ) as people
     where ${status}::text is null or status = ${status}
     order by position
     limit ${most}`)

/** What servers said last about these emails, if they did not take them. */
export const lastReplies = (db: Db, project: ProjectId, emails: readonly EmailId[]) =>
  db.all(sql<LastReply>`
    select asked.id as "emailId", said.detail, said.smtp
      from unnest(${emails}::uuid[]) as asked (id)
     cross join lateral (
             select detail, smtp
               from events
              where project_id = ${project}
                and message_id = asked.id
                and kind in ('email.deferred', 'email.bounced', 'email.filteredspam', 'email.quarantined', 'email.failed')
              order by id desc
              limit 1) as said`)

/** The keys by which a list goes on behind a row. */
export const keyOf = ({ id, emailId }: RecipientRow, { key }: Source): string =>
  key === 'contact' ? id : (emailId ?? (MAX_ID as EmailId))
