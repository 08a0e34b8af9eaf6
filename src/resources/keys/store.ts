import type { ProjectStatus, Visibility } from '../../core/caller.ts'
import type { KeyId, PersonId, ProjectId, SessionId, WorkspaceId } from '../../core/ids.ts'
import type { PageRequest } from '../../core/page.ts'
import type { ContentAccess, Scope } from '../../core/scopes.ts'
import type { Db, Tx } from '../../storage/postgres.ts'
import { sql } from '../../storage/sql.ts'
import type { Key } from './schema.ts'

const columns = sql`
  id, workspace_id as "workspaceId", project_id as "projectId", name, full_access as "fullAccess", scopes,
  content_access as "contentAccess", last4,
  created_by as "createdBy", created_by_person as "createdByPerson", created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt",
  revoked_at as "revokedAt"`

/** All keys of a workspace, or only those that are bound to a project that the caller sees. */
const visible = ({ workspaceId, projectIds }: Visibility) =>
  sql`workspace_id = ${workspaceId} and (${projectIds}::uuid[] is null or project_id = any(${projectIds}::uuid[]))`

export const list = (db: Db, visibility: Visibility, revoked: boolean, { limit, after }: PageRequest) =>
  db.all(sql<Key>`
    select ${columns}
      from api_keys
     where ${visible(visibility)}
       and (revoked_at is not null) = ${revoked}
       and (${after}::uuid is null or id < ${after}::uuid)
     order by id desc
     limit ${limit + 1}`)

export const find = (db: Db, visibility: Visibility, id: KeyId) =>
  db.maybeOne(sql<Key>`select ${columns} from api_keys where ${visible(visibility)} and id = ${id}`)

export interface NewKey {
  id: KeyId
  workspaceId: WorkspaceId
  projectId: ProjectId | null
  name: string
  fullAccess: boolean
  scopes: readonly Scope[]
  contentAccess: ContentAccess
  secretHash: Buffer
  last4: string
  createdBy: KeyId | null
  /** The person who makes it, and the session they do it in. */
  createdByPerson: { personId: PersonId; sessionId: SessionId } | null
  expiresAt: Date | null
}

/**
 * Undefined when its maker has been revoked, or the session of its maker has ended. The maker's row is locked, so that it
 * does not end meanwhile.
 */
export const insert = (tx: Tx, key: NewKey) =>
  tx.maybeOne(sql<Key>`
    with maker as (
      select id from api_keys where id = ${key.createdBy}::uuid and revoked_at is null for share),
    session as (
      select id from sessions
       where id = ${key.createdByPerson?.sessionId ?? null}::uuid and ended_at is null for share)
    insert into api_keys (id, workspace_id, project_id, name, full_access, scopes, content_access, secret_hash, last4,
                          created_by, created_by_person, expires_at)
    select ${key.id}::uuid, ${key.workspaceId}::uuid, ${key.projectId}::uuid, ${key.name}, ${key.fullAccess}::boolean,
           ${key.scopes}::text[], ${key.contentAccess}, ${key.secretHash}::bytea, ${key.last4},
           ${key.createdBy}::uuid, ${key.createdByPerson?.personId ?? null}::uuid, ${key.expiresAt}::timestamptz
     where (${key.createdBy}::uuid is null or exists (select from maker))
       and (${key.createdByPerson?.sessionId ?? null}::uuid is null or exists (select from session))
    returning ${columns}`)

/** Those of these keys that were not revoked before. */
export const revoke = (tx: Tx, visibility: Visibility, ids: readonly KeyId[]) =>
  tx.all(sql<Key>`
    update api_keys
       set revoked_at = clock_now()
     where ${visible(visibility)}
       and id = any(${ids}::uuid[])
       and revoked_at is null
    returning ${columns}`)

/** The keys that this one made, those that they made, and so on, as far as they still work. */
export const liveDescendants = (tx: Tx, visibility: Visibility, id: KeyId) =>
  tx.all(sql<{ id: KeyId }>`
    with recursive family as (
      select id, revoked_at from api_keys where ${visible(visibility)} and created_by = ${id}
      union
      select child.id, child.revoked_at
        from family
        join api_keys child on child.created_by = family.id)
    select id from family where revoked_at is null order by id`)

/** The same, beginning with the keys that a person made. */
export const liveKeysOfPerson = (tx: Tx, workspace: WorkspaceId, person: PersonId) =>
  tx.all(sql<{ id: KeyId }>`
    with recursive family as (
      select id, revoked_at from api_keys where workspace_id = ${workspace} and created_by_person = ${person}
      union
      select child.id, child.revoked_at
        from family
        join api_keys child on child.created_by = family.id)
    select id from family where revoked_at is null order by id`)

export interface KnownCaller {
  position: number
  keyId: KeyId
  workspaceId: WorkspaceId
  boundTo: ProjectId | null
  fullAccess: boolean
  scopes: Scope[]
  contentAccess: ContentAccess
  expiresAt: Date | null
  projectId: ProjectId | null
  projectStatus: ProjectStatus | null
  smsInvited: boolean | null
}

/**
 * The live keys behind these hashes, each with the project it is bound to or that its request names. One statement for
 * all requests of a moment: looked up one by one, keys were half of the cost of a small request.
 */
export const identify = (db: Db, hashes: readonly Buffer[], named: readonly (ProjectId | null)[]) =>
  db.all(sql<KnownCaller>`
    select asked.position::int as position, key.id as "keyId", key.workspace_id as "workspaceId",
           key.project_id as "boundTo", key.full_access as "fullAccess", key.scopes, key.content_access as "contentAccess", key.expires_at as "expiresAt",
           project.id as "projectId", project.status as "projectStatus", project.sms_invited as "smsInvited"
      from unnest(${hashes}::bytea[], ${named}::uuid[]) with ordinality as asked (hash, named, position)
      join api_keys key on key.secret_hash = asked.hash
      left join projects project
        on project.workspace_id = key.workspace_id
       and project.id = coalesce(key.project_id, asked.named)
     where key.revoked_at is null
       and (key.expires_at is null or key.expires_at > clock_now())`)

export const touch = (db: Db, ids: readonly KeyId[], times: readonly Date[]) =>
  db.run(sql`
    update api_keys key
       set last_used_at = used.at
      from unnest(${ids}::uuid[], ${times}::timestamptz[]) as used (id, at)
     where key.id = used.id
       and (key.last_used_at is null or key.last_used_at < used.at)`)
