import type { ProjectId, TemplateId } from '../../core/ids.ts'
import type { PageRequest } from '../../core/page.ts'
import type { Db, Tx } from '../../storage/postgres.ts'
import { sql } from '../../storage/sql.ts'
import type { Template, TemplateVariable } from './schema.ts'

const columns = sql`
  id, project_id as "projectId", name, alias, subject, html, text, variables, starter, version,
  created_at as "createdAt", updated_at as "updatedAt"`

/** Ends the statement of a change: what `written` holds becomes a version that stays. */
const keptVersions = sql`
  insert into template_versions (template_id, version, project_id, subject, html, text, variables)
  select id, version, project_id, subject, html, text, variables from written`

export const list = (db: Db, project: ProjectId, alias: string | undefined, { limit, after }: PageRequest) =>
  db.all(sql<Template>`
    select ${columns}
      from templates
     where project_id = ${project}
       and (${alias}::text is null or alias = ${alias}::text)
       and (${after}::uuid is null or id < ${after}::uuid)
     order by id desc
     limit ${limit + 1}`)

export const find = (db: Db, project: ProjectId, id: TemplateId) =>
  db.maybeOne(sql<Template>`select ${columns} from templates where project_id = ${project} and id = ${id}`)

export const findByAlias = (db: Db, project: ProjectId, alias: string) =>
  db.maybeOne(sql<Template>`select ${columns} from templates where project_id = ${project} and alias = ${alias}`)

/** The starters in the order in which a list shows them. */
export const findStarters = (db: Db, project: ProjectId) =>
  db.all(sql<Template>`
    select ${columns} from templates where project_id = ${project} and starter is not null order by id desc`)

export interface TemplateFields {
  name: string
  alias: string | null
  subject: string
  html: string
  text: string
  variables: readonly TemplateVariable[]
}

/** An alias that is taken violates `templates_alias`. */
export const insert = (db: Db, project: ProjectId, id: TemplateId, fields: TemplateFields) =>
  db.one(sql<Template>`
    with written as (
      insert into templates (id, project_id, name, alias, subject, html, text, variables)
      values (${id}, ${project}, ${fields.name}, ${fields.alias}, ${fields.subject}, ${fields.html}, ${fields.text},
              ${JSON.stringify(fields.variables)})
      returning *
    ), kept as (${keptVersions})
    select ${columns} from written`)

/** A new version. Undefined when the template is gone; an alias that is taken violates `templates_alias`. */
export const update = (db: Db, project: ProjectId, id: TemplateId, change: Partial<TemplateFields>) =>
  db.maybeOne(sql<Template>`
    with written as (
      update templates
         set name = coalesce(${change.name}, name),
             alias = case when ${change.alias !== undefined} then ${change.alias ?? null} else alias end,
             subject = coalesce(${change.subject}, subject),
             html = coalesce(${change.html}, html),
             text = coalesce(${change.text}, text),
             variables = coalesce(${change.variables && JSON.stringify(change.variables)}::jsonb, variables),
             version = version + 1,
             updated_at = clock_now()
       where project_id = ${project}
         and id = ${id}
      returning *
    ), kept as (${keptVersions})
    select ${columns} from written`)

/** Locks templates against deletion until the transaction ends. Returns those that are there. */
export const hold = (tx: Tx, project: ProjectId, ids: readonly TemplateId[]) =>
  tx.all(sql<{ id: TemplateId }>`
    select id
      from templates
     where project_id = ${project}
       and id = any(${ids}::uuid[])
     order by id
       for key share`)

/** Locks the template until the transaction ends. Undefined when it is gone. */
export const lock = (tx: Tx, project: ProjectId, id: TemplateId) =>
  tx.maybeOne(sql<{ id: TemplateId }>`
    select id from templates where project_id = ${project} and id = ${id} for update`)

export const remove = (tx: Tx, project: ProjectId, id: TemplateId) =>
  tx.run(sql`delete from templates where project_id = ${project} and id = ${id}`)

export interface StarterFields extends TemplateFields {
  id: TemplateId
  starter: string
}

const given = (starters: readonly StarterFields[]) => sql`
  jsonb_to_recordset(${JSON.stringify(starters)}::jsonb) as given
    (id uuid, starter text, name text, alias text, subject text, html text, text text, variables jsonb)`

/** Answers those that were made: not a starter that is there, nor one whose alias somebody else has. */
export const insertStarters = (tx: Tx, project: ProjectId, starters: readonly StarterFields[]) =>
  tx.all(sql<{ starter: string }>`
    with written as (
      insert into templates (id, project_id, name, alias, subject, html, text, variables, starter)
      select id, ${project}, name, alias, subject, html, text, variables, starter from ${given(starters)}
      on conflict do nothing
      returning *
    ), kept as (${keptVersions})
    select starter from written`)

/**
 * A new version of every starter that is not as given. The alias stays: it is what sends call it by. Locked in one
 * order, so that two who restore at once do not wait for each other.
 */
export const restoreStarters = (tx: Tx, project: ProjectId, starters: readonly StarterFields[]) =>
  tx.all(sql<{ starter: string }>`
    with edited as (
      select template.id, given.name, given.subject, given.html, given.text, given.variables
        from ${given(starters)}
        join templates template using (starter)
       where template.project_id = ${project}
         and (template.name, template.subject, template.html, template.text, template.variables)
             is distinct from (given.name, given.subject, given.html, given.text, given.variables)
       order by template.id
         for update of template
    ), written as (
      update templates template
         set name = edited.name,
             subject = edited.subject,
             html = edited.html,
             text = edited.text,
             variables = edited.variables,
             version = template.version + 1,
             updated_at = clock_now()
        from edited
       where template.project_id = ${project}
         and template.id = edited.id
      returning template.*
    ), kept as (${keptVersions})
    select starter from written`)
