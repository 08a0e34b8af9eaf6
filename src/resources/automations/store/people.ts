import type { AudienceId, ContactId, ProjectId, TagId } from '../../../core/ids.ts'
import type { Db } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'

export interface SimulatedPerson {
  id: ContactId
  email: string
  firstName: string | null
  lastName: string | null
  properties: Record<string, unknown>
  subscribed: boolean
  isSuppressed: boolean
  tags: TagId[]
  projectName: string
}

export type PersonRef = { id: ContactId } | { email: string }

/** Finds the contact in the audience or, without an audience, the person's first contact that is subscribed. */
export const find = (db: Db, project: ProjectId, person: PersonRef, audience: AudienceId | null) =>
  db.maybeOne(sql<SimulatedPerson>`
    select c.id, c.email, first_name as "firstName", last_name as "lastName", properties, subscribed,
           exists (select from suppressions s
                    where s.project_id = c.project_id
                      and address_fold(s.email) = address_fold(c.email collate "default")) as "isSuppressed",
           array(select tag_id from applied_tags applied
                  where applied.project_id = c.project_id and applied.email = c.email) as tags,
           projects.name as "projectName"
      from contacts c
      join audiences on audiences.id = c.audience_id and audiences.deleted_at is null
      join projects on projects.id = c.project_id
     where c.project_id = ${project}
       and ${
         'id' in person
           ? sql`c.id = ${person.id}`
           : sql`c.email = ${person.email} and c.audience_id = coalesce(${audience}::uuid, c.audience_id)`
       }
     order by subscribed desc, c.id
     limit 1`)

export const allTags = (db: Db, project: ProjectId) =>
  db.all(sql<{ id: TagId }>`select id from contact_tags where project_id = ${project} and deleted_at is null`)
