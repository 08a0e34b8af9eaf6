import type { KeyId, PersonId, ProjectId, SessionId, WorkspaceId } from '../../../core/ids.ts'
import type { PageRequest } from '../../../core/page.ts'
import type { Role } from '../../../core/roles.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { MadeKey, Person, Roles } from '../schema.ts'

const columns = sql`
  person.id, person.workspace_id as "workspaceId", person.name, person.email,
  (select json_build_object(
            'workspace', max(role) filter (where project_id is null),
            'projects', coalesce(json_agg(json_build_object('projectId', project_id, 'role', role) order by project_id)
                                 filter (where project_id is not null), '[]'))
     from memberships where person_id = person.id) as roles,
  person.password is not null as "hasPassword", person.totp_since is not null as "hasTotp",
  exists (select from passkeys where person_id = person.id) as "hasPasskey",
  person.created_at as "createdAt", person.last_seen_at as "lastSeenAt", person.disabled_at as "disabledAt"`

export interface PeopleFilter {
  q: string | null
  role: Role | null
  projectId: ProjectId | null
}

export const list = (db: Db, workspace: WorkspaceId, filter: PeopleFilter, { limit, after }: PageRequest) =>
  db.all(sql<Person>`
    select ${columns}
      from people person
     where person.workspace_id = ${workspace}
       and person.removed_at is null
       and (${filter.q}::text is null or strpos(lower(person.name || ' ' || person.email), lower(${filter.q})) > 0)
       and (${filter.role}::text is null and ${filter.projectId}::uuid is null or exists (
             select from memberships held
              where held.person_id = person.id
                and (${filter.role}::text is null or held.role = ${filter.role})
                and (${filter.projectId}::uuid is null or held.project_id is null or held.project_id = ${filter.projectId}::uuid)))
       and (${after}::uuid is null or person.id < ${after}::uuid)
     order by person.id desc
     limit ${limit + 1}`)

/** Not those who were removed. */
export const find = (db: Db, workspace: WorkspaceId, id: PersonId) =>
  db.maybeOne(sql<Person>`
    select ${columns} from people person
     where person.workspace_id = ${workspace} and person.id = ${id} and person.removed_at is null`)

export const findByEmail = (db: Db, workspace: WorkspaceId, email: string) =>
  db.maybeOne(sql<Person>`
    select ${columns} from people person
     where person.workspace_id = ${workspace} and lower(person.email) = lower(${email}) and person.removed_at is null`)

/**
 * Changes of people wait for each other, so that whatever they checked still holds when they are done. What only refers to
 * the workspace, such as a new key, does not wait: it holds its maker's session, which such a change may be about to end.
 */
export const lock = (tx: Tx, workspace: WorkspaceId) =>
  tx.run(sql`select from workspaces where id = ${workspace} for no key update`)

/** Whether another person owns the workspace and can sign in. */
export const hasOtherOwner = async (db: Db, workspace: WorkspaceId, except: PersonId | null): Promise<boolean> =>
  (
    await db.one(sql<{ exists: boolean }>`
      select exists (
        select from memberships held
          join people person on person.id = held.person_id
         where held.workspace_id = ${workspace}
           and held.project_id is null
           and held.role = 'owner'
           and person.disabled_at is null
           and person.removed_at is null
           and (${except}::uuid is null or person.id <> ${except}::uuid))`)
  ).exists

export interface NewPerson {
  id: PersonId
  workspaceId: WorkspaceId
  name: string
  email: string
  emailVerified: boolean
  password: string | null
}

/** Undefined when another person has the address. */
export const insert = (tx: Tx, person: NewPerson) =>
  tx.maybeOne(sql<{ id: PersonId }>`
    insert into people (id, workspace_id, name, email, email_verified, password)
    values (${person.id}, ${person.workspaceId}, ${person.name}, ${person.email}, ${person.emailVerified},
            ${person.password})
    on conflict (workspace_id, lower(email)) do nothing
    returning id`)

/** All roles of a person: those that are not named end. */
export async function setRoles(tx: Tx, workspace: WorkspaceId, id: PersonId, { workspace: role, projects }: Roles) {
  await tx.run(sql`delete from memberships where workspace_id = ${workspace} and person_id = ${id}`)
  await tx.run(sql`
    insert into memberships (workspace_id, person_id, project_id, role)
    select ${workspace}::uuid, ${id}::uuid, held.project_id, held.role
      from unnest(${[...(role === null ? [] : [null]), ...projects.map(({ projectId }) => projectId)]}::uuid[],
                  ${[...(role === null ? [] : [role]), ...projects.map((held) => held.role)]}::text[])
        as held (project_id, role)`)
}

/** Those of these projects that the workspace has. */
export const knownProjects = (db: Db, workspace: WorkspaceId, ids: readonly ProjectId[]) =>
  db.all(sql<{ id: ProjectId }>`
    select id from projects where workspace_id = ${workspace} and id = any(${ids}::uuid[])`)

/** False when it was so before. */
export const setDisabled = async (tx: Tx, workspace: WorkspaceId, id: PersonId, disabled: boolean): Promise<boolean> =>
  (await tx.run(sql`
    update people
       set disabled_at = case when ${disabled}::boolean then clock_now() end
     where workspace_id = ${workspace}
       and id = ${id}
       and removed_at is null
       and (disabled_at is not null) <> ${disabled}::boolean`)) === 1

/** The row stays with its name, for the audit log; address, roles and every way in go. */
export const remove = (tx: Tx, workspace: WorkspaceId, id: PersonId) =>
  tx.run(sql`
    with gone as (
      update people
         set removed_at = clock_now(), email = null, email_verified = false, password = null, totp_secret = null,
             totp_since = null, totp_step = null, preferences = '{}'
       where workspace_id = ${workspace} and id = ${id} and removed_at is null
      returning id),
    roles as (delete from memberships where person_id in (select id from gone)),
    codes as (delete from recovery_codes where person_id in (select id from gone)),
    links as (delete from one_time_links where person_id in (select id from gone)),
    challenges as (delete from passkey_challenges where person_id in (select id from gone))
    delete from passkeys where person_id in (select id from gone)`)

/** The live keys that a person made. */
export const keysOf = (db: Db, workspace: WorkspaceId, id: PersonId) =>
  db.all(sql<MadeKey>`
    select id from api_keys
     where workspace_id = ${workspace} and created_by_person = ${id} and revoked_at is null
     order by id desc`)

/** The present role of the calling person, undefined when the session has ended. The row stays locked. */
export const roleOfActor = (tx: Tx, session: SessionId) =>
  tx.maybeOne(sql<{ role: Role | null }>`
    select (select role from memberships where person_id = session.person_id and project_id is null) as role
      from sessions session
     where session.id = ${session} and session.ended_at is null
       for share`)

export const isLiveKey = async (tx: Tx, key: KeyId): Promise<boolean> =>
  (await tx.maybeOne(sql`select id from api_keys where id = ${key} and revoked_at is null for share`)) !== undefined
