import type { ProjectId } from '../../core/ids.ts'
import type { PageRequest } from '../../core/page.ts'
import type { Db, Tx } from '../../storage/postgres.ts'
import { sql } from '../../storage/sql.ts'
import type { Suppression, SuppressionReason } from './schema.ts'

const columns = sql`
  id, project_id as "projectId", email, reason, message_id as "messageId", note, created_at as "createdAt"`

export interface Filter {
  email: string | undefined
  reason: SuppressionReason | undefined
  createdAfter: Date | undefined
}

export const list = (
  db: Db,
  project: ProjectId,
  { email, reason, createdAfter }: Filter,
  { limit, after }: PageRequest,
) =>
  db.all(sql<Suppression>`
    select ${columns}
      from suppressions
     where project_id = ${project}
       -- A statement of its own for an address: coalesce would hide the index that finds it among millions.
       ${email === undefined ? sql`` : sql`and address_fold(email) = address_fold(${email})`}
       and reason = coalesce(${reason}, reason)
       and (${createdAfter}::timestamptz is null or created_at >= ${createdAfter}::timestamptz + interval '1 millisecond')
       and (${after}::uuid is null or id < ${after}::uuid)
     order by id desc
     limit ${limit + 1}`)

/** An address, as one project sees it. */
export interface Person {
  project: ProjectId
  email: string
}

/** Each with the address that was asked for, which may be written differently on the list. */
export const among = (db: Db, people: readonly Person[]) =>
  db.all(sql<Suppression>`
    select id, project_id as "projectId", asked.email, reason, message_id as "messageId", note, created_at as "createdAt"
      from (select distinct *
              from unnest(${people.map(({ project }) => project)}::uuid[], ${people.map(({ email }) => email)}::text[])
                     as given (project, email)) as asked
      join suppressions on project_id = asked.project and address_fold(suppressions.email) = address_fold(asked.email)`)

export type NewSuppression = Omit<Suppression, 'createdAt'>

/** The one on the list, whoever put it there: it has the id given here only if it is new. */
export const add = (tx: Tx, { id, projectId, email, reason, messageId, note }: NewSuppression) =>
  tx.one(sql<Suppression>`
    with present as (
      select *
        from suppressions
       where project_id = ${projectId}
         and address_fold(email) = address_fold(${email})
       order by id
       limit 1
    ), added as (
      insert into suppressions as raced (id, project_id, email, reason, message_id, note)
      select ${id}, ${projectId}, ${email}, ${reason}, ${messageId}, ${note}
       where not exists (select from present)
      on conflict (project_id, email) do update set email = raced.email
      returning *
    )
    select ${columns} from (select * from present union all select * from added) as one`)

/** An address that is on the list already keeps its first reason. */
export const addAll = (tx: Tx, rows: readonly NewSuppression[]) =>
  tx.run(sql`
    insert into suppressions (id, project_id, email, reason, message_id, note)
    select * from unnest(
      ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ projectId }) => projectId)}::uuid[],
      ${rows.map(({ email }) => email)}::text[], ${rows.map(({ reason }) => reason)}::text[],
      ${rows.map(({ messageId }) => messageId)}::uuid[], ${rows.map(({ note }) => note)}::text[])
    on conflict (project_id, email) do nothing`)

/** All spellings of the address that are on the list, oldest first; nothing when there is none. */
export const remove = (tx: Tx, project: ProjectId, email: string) =>
  tx.all(sql<Suppression>`
    with removed as (
      delete from suppressions
       where project_id = ${project}
         and address_fold(email) = address_fold(${email})
      returning *
    )
    select ${columns} from removed order by id`)
