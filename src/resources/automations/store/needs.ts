/** What automations need of others: audiences, tags and templates. */
import type { AudienceId, AutomationId, ProjectId, TagId, TemplateId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'

/** Those of these that are not there any more. */
export const missing = (
  db: Db,
  project: ProjectId,
  { audiences, tags }: { audiences: readonly AudienceId[]; tags: readonly TagId[] },
) =>
  db.all(sql<{ id: AudienceId | TagId }>`
    select id
      from unnest(${audiences}::uuid[]) as given (id)
     where not exists (select from audiences a
                        where a.project_id = ${project} and a.id = given.id and deleted_at is null)
     union
    select id
      from unnest(${tags}::uuid[]) as given (id)
     where not exists (select from contact_tags t
                        where t.project_id = ${project} and t.id = given.id and deleted_at is null)`)

/** For each of these versions a step whose template is not there any more. */
export const lostTemplates = (db: Db, project: ProjectId, versions: readonly { id: AutomationId; version: number }[]) =>
  db.all(sql<{ automationId: AutomationId; step: string }>`
    select distinct on (m.automation_id) m.automation_id as "automationId", m.step
      from automation_mailings m
      join unnest(${versions.map(({ id }) => id)}::uuid[], ${versions.map(({ version }) => version)}::integer[])
           as given (id, version) on m.automation_id = given.id and m.version = given.version
     where m.project_id = ${project}
       and m.mailing ->> 'templateId' is not null
       and not exists (select from templates t
                        where t.project_id = ${project} and t.id = (m.mailing ->> 'templateId')::uuid)
     order by m.automation_id, m.step`)

/** Enabled automations with a step that was written with the template; so many at most. */
export const usersOf = (tx: Tx, project: ProjectId, template: TemplateId, most: number) =>
  tx.all(sql<{ id: AutomationId; name: string }>`
    select id, name
      from automations
     where project_id = ${project}
       and enabled
       and exists (select from automation_mailings m
                    where m.mailing ->> 'templateId' = ${template}::text
                      and m.automation_id = automations.id
                      and m.version = automations.version)
     order by id
     limit ${most}`)
