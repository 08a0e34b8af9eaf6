import type { ProjectStatus } from '../../core/caller.ts'
import type { PersonId, ProjectId, SessionId, WorkspaceId } from '../../core/ids.ts'
import type { PageRequest } from '../../core/page.ts'
import type { Role } from '../../core/roles.ts'
import type { Db, Tx } from '../../storage/postgres.ts'
import { sql } from '../../storage/sql.ts'
import type { SessionRow } from './schema.ts'

/** How long sessions last, in all and unused; the workspace may have shorter times. */
export interface SessionLimits {
  days: number
  idleHours: number
}

const columns = sql`
  session.id, session.workspace_id as "workspaceId", session.person_id as "personId", session.device, session.address,
  session.created_at as "createdAt", session.last_seen_at as "lastSeenAt"`

const endsAt = ({ days, idleHours }: SessionLimits) => sql`
  least(session.created_at + make_interval(days => least(${days}::int, workspace.session_days::int)),
        session.last_seen_at + make_interval(hours => least(${idleHours}::int, workspace.session_idle_hours)))`

/** `session` is joined with its `workspace`. */
const isLive = (limits: SessionLimits) => sql`session.ended_at is null and ${endsAt(limits)} > clock_now()`

export interface KnownSession {
  position: number
  sessionId: SessionId
  personId: PersonId
  workspaceId: WorkspaceId
  roles: { projectId: ProjectId | null; role: Role }[]
  isConfirmed: boolean
  hasPassword: boolean
  hasPasskey: boolean
  hasTotp: boolean
  secondFactorRequired: boolean
  projectId: ProjectId | null
  projectStatus: ProjectStatus | null
  smsInvited: boolean | null
}

/** The live sessions behind these hashes, each with the project that its request names. */
export const identify = (
  db: Db,
  limits: SessionLimits,
  confirmedSeconds: number,
  hashes: readonly Buffer[],
  named: readonly (ProjectId | null)[],
) =>
  db.all(sql<KnownSession>`
    select asked.position::int as position, session.id as "sessionId", session.person_id as "personId",
           session.workspace_id as "workspaceId",
           (select coalesce(json_agg(json_build_object('projectId', project_id, 'role', role)), '[]')
              from memberships where person_id = session.person_id) as roles,
           session.confirmed_at > clock_now() - ${confirmedSeconds} * interval '1 second' as "isConfirmed",
           person.password is not null as "hasPassword",
           exists (select from passkeys where person_id = session.person_id) as "hasPasskey",
           person.totp_since is not null as "hasTotp",
           workspace.second_factor_required as "secondFactorRequired",
           project.id as "projectId", project.status as "projectStatus", project.sms_invited as "smsInvited"
      from unnest(${hashes}::bytea[], ${named}::uuid[]) with ordinality as asked (hash, named, position)
      join sessions session on session.token_hash = asked.hash
      join workspaces workspace on workspace.id = session.workspace_id
      join people person on person.id = session.person_id and person.disabled_at is null and person.removed_at is null
      left join projects project on project.workspace_id = session.workspace_id and project.id = asked.named
     where ${isLive(limits)}`)

/** A session that was used is not idle, and neither is its person. */
export const touch = (db: Db, ids: readonly SessionId[]) =>
  db.run(sql`
    with used as (
      update sessions set last_seen_at = clock_now() where id = any(${ids}::uuid[]) and ended_at is null
      returning person_id)
    update people set last_seen_at = clock_now() where id in (select person_id from used)`)

export interface NewSession {
  id: SessionId
  workspaceId: WorkspaceId
  personId: PersonId
  tokenHash: Buffer
  address: string
  device: string
}

export const insert = (tx: Tx, session: NewSession) =>
  tx.run(sql`
    insert into sessions (id, workspace_id, person_id, token_hash, address, device)
    values (${session.id}, ${session.workspaceId}, ${session.personId}, ${session.tokenHash}, ${session.address},
            ${session.device})`)

/** The old token is worth nothing from then on. False when the session has ended meanwhile. */
export const renew = async (tx: Tx, id: SessionId, tokenHash: Buffer, isConfirmation: boolean): Promise<boolean> =>
  (await tx.run(sql`
    update sessions
       set token_hash = ${tokenHash},
           confirmed_at = case when ${isConfirmation}::boolean then clock_now() else confirmed_at end
     where id = ${id} and ended_at is null`)) === 1

export interface Ended {
  id: SessionId
  workspaceId: WorkspaceId
}

export const endByToken = (tx: Tx, tokenHash: Buffer) =>
  tx.maybeOne(sql<Ended & { personId: PersonId }>`
    update sessions set ended_at = clock_now() where token_hash = ${tokenHash} and ended_at is null
    returning id, workspace_id as "workspaceId", person_id as "personId"`)

/** One session of a person, or all of them but `except`. */
export const end = (tx: Tx, person: PersonId, only: SessionId | null, except: SessionId | null) =>
  tx.all(sql<Ended>`
    update sessions
       set ended_at = clock_now()
     where person_id = ${person}
       and (${only}::uuid is null or id = ${only}::uuid)
       and (${except}::uuid is null or id <> ${except}::uuid)
       and ended_at is null
    returning id, workspace_id as "workspaceId"`)

/** Everybody's. */
export const endAll = (tx: Tx, workspace: WorkspaceId) =>
  tx.all(sql<Ended>`
    update sessions set ended_at = clock_now() where workspace_id = ${workspace} and ended_at is null
    returning id, workspace_id as "workspaceId"`)

export const list = (
  db: Db,
  limits: SessionLimits,
  workspace: WorkspaceId,
  person: PersonId,
  { limit, after }: PageRequest,
) =>
  db.all(sql<SessionRow>`
    select ${columns}
      from sessions session
      join workspaces workspace on workspace.id = session.workspace_id
     where session.workspace_id = ${workspace}
       and session.person_id = ${person}
       and ${isLive(limits)}
       and (${after}::uuid is null or session.id < ${after}::uuid)
     order by session.id desc
     limit ${limit + 1}`)

/** Until when a confirmation counts, and until when the session lasts if it is used no more. */
export const times = (db: Db, limits: SessionLimits, confirmedSeconds: number, id: SessionId) =>
  db.maybeOne(sql<{ confirmedUntil: Date; expiresAt: Date }>`
    select session.confirmed_at + ${confirmedSeconds} * interval '1 second' as "confirmedUntil",
           ${endsAt(limits)} as "expiresAt"
      from sessions session
      join workspaces workspace on workspace.id = session.workspace_id
     where session.id = ${id}`)

/** Sessions that ran out count as ended when this finds them. */
export const endExpired = (db: Db, limits: SessionLimits) =>
  db.run(sql`
    update sessions session
       set ended_at = clock_now()
      from workspaces workspace
     where workspace.id = session.workspace_id
       and session.ended_at is null
       and ${endsAt(limits)} <= clock_now()`)

export const forget = (db: Db, days: number) =>
  db.run(sql`delete from sessions where ended_at < clock_now() - make_interval(days => ${days})`)
