import type { AudienceId, ContactId, ProjectId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'

/** A person's contact in one audience. */
export interface Membership {
  contactId: ContactId
  audienceId: AudienceId
  audience: string
  email: string
  subscribed: boolean
}

/** A person's contacts in all audiences of the project, the oldest first. */
export const memberships = (db: Db, project: ProjectId, email: string) =>
  db.all(sql<Membership>`
    select contacts.id as "contactId", audience_id as "audienceId", audiences.name as audience, email, subscribed
      from contacts
      join audiences on audiences.id = audience_id and audiences.deleted_at is null
     where contacts.project_id = ${project}
       and email = ${email}
     order by audience_id`)

/** Those of these addresses that are contacts of the project; they are locked until the transaction ends. */
export const holdKnown = (tx: Tx, project: ProjectId, emails: readonly string[]) =>
  tx.all(sql<{ email: string }>`
    select email
      from contacts
     where project_id = ${project}
       and email = any(${emails}::text[])
       and exists (select from audiences where audiences.id = audience_id and deleted_at is null)
     order by email, audience_id
       for share`)

/**
 * The contacts of these people in all audiences: whoever removes one must see whether it was the last, and whoever gives
 * people tags must be alone with them. In one order everywhere, and looked up one by one, as in `lockAll`.
 */
export const lockPeople = (tx: Tx, project: ProjectId, emails: readonly string[]) =>
  tx.run(sql`
    select
      from (select distinct email collate "C" as email
              from unnest(${emails}::text[]) as given (email) order by 1) as wanted
     cross join lateral (
       select
         from contacts
        where project_id = ${project}
          and contacts.email = wanted.email
        order by audience_id
          for update) as held`)

export interface Removed {
  id: ContactId
  email: string
}

/** Of both halves, each by its index. */
export const some = (db: Db, project: ProjectId, audience: AudienceId, limit: number) => {
  const contacts = sql`select id, email from contacts where project_id = ${project} and audience_id = ${audience}`
  return db.all(sql<Removed>`
    (${contacts} and subscribed limit ${limit}) union all (${contacts} and not subscribed limit ${limit}) limit ${limit}`)
}

/** Deletes people with all that we know of them; returns those that were there. */
export const erase = (tx: Tx, project: ProjectId, ids: readonly ContactId[]) =>
  tx.all(sql<Removed>`
    with gone as (
      delete from contacts
       where project_id is not distinct from ${project}
         and id = any(${ids}::uuid[])
      returning id, email
    ), forgotten as (
      delete from contact_consents where project_id = ${project} and contact_id in (select id from gone)
    )
    select id, email from gone`)

/** Removes these people from the reports of imports. */
export const eraseFromReports = (tx: Tx, project: ProjectId, audience: AudienceId, emails: readonly string[]) =>
  tx.run(sql`
    delete from contact_import_errors
     where import_id in (select id from contact_imports where project_id = ${project} and audience_id = ${audience})
       and email = any(${emails}::text[])`)

/** Those of these people who have no contact left in the project. */
export const gone = (tx: Tx, project: ProjectId, emails: readonly string[]) =>
  tx.all(sql<{ email: string }>`
    select email
      from unnest(${emails}::text[]) as person (email)
     where not exists (select from contacts where project_id = ${project} and contacts.email = person.email)`)

/** Forgets the counts of an audience once its contacts are gone. */
export const forgetCounts = (tx: Tx, audience: AudienceId) =>
  tx.run(sql`delete from audience_counts where audience_id = ${audience}`)
