import type { BroadcastId, ContactId, EmailId, ProjectId, RunId, WorkspaceId } from '../../../core/ids.ts'
import type { MailReference } from '../../../core/mail-reference.ts'
import type { ProjectStatus } from '../../../core/caller.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'

/** The recipient that a link in a mail was made for. */
export interface Reader extends MailReference {
  projectId: ProjectId
  workspaceId: WorkspaceId
  projectName: string
  projectStatus: ProjectStatus
  /** The address as it was written to. */
  email: string
  contactId: ContactId | null
  broadcastId: BroadcastId | null
  runId: RunId | null
  tracking: { opens: boolean; clicks: boolean }
}

/** Finds readers by what the signature of a link vouches for, from which the project follows. They come in no order. */
export const readers = (db: Db, references: readonly MailReference[]) =>
  db.all(sql<Reader>`
    select emails.id as "emailId", asked.position, project_id as "projectId", workspace_id as "workspaceId",
           projects.name as "projectName", projects.status as "projectStatus",
           addresses -> 'recipients' -> asked.position::int ->> 'email' as email,
           contact_id as "contactId", broadcast_id as "broadcastId", run_id as "runId",
           options -> 'tracking' as tracking
      from unnest(${references.map(({ emailId }) => emailId)}::uuid[],
                  ${references.map(({ position }) => position)}::smallint[]) as asked (email_id, position)
      join emails on emails.id = asked.email_id
      join projects on projects.id = project_id
     where addresses -> 'recipients' -> asked.position::int is not null`)

export interface Counts {
  opens: number
  clicks: number
  machineOpens: number
  machineClicks: number
}

/** Adds to what was counted before, each recipient once, in one order for all. Returns the sums. */
export const count = (tx: Tx, rows: readonly (MailReference & Counts & { projectId: ProjectId })[]) =>
  tx.all(sql<{ emailId: EmailId; position: number } & Counts>`
    insert into engagements as known
      (email_id, position, project_id, opens, clicks, machine_opens, machine_clicks)
    select * from unnest(
      ${rows.map(({ emailId }) => emailId)}::uuid[], ${rows.map(({ position }) => position)}::smallint[],
      ${rows.map(({ projectId }) => projectId)}::uuid[], ${rows.map(({ opens }) => opens)}::int[],
      ${rows.map(({ clicks }) => clicks)}::int[], ${rows.map(({ machineOpens }) => machineOpens)}::int[],
      ${rows.map(({ machineClicks }) => machineClicks)}::int[])
     order by 1, 2
    on conflict (email_id, position) do update
       set opens = known.opens + excluded.opens,
           clicks = known.clicks + excluded.clicks,
           machine_opens = known.machine_opens + excluded.machine_opens,
           machine_clicks = known.machine_clicks + excluded.machine_clicks
    returning email_id as "emailId", position, opens, clicks, machine_opens as "machineOpens",
              machine_clicks as "machineClicks"`)

/** False if this recipient has unsubscribed by this email before. */
export const markUnsubscribed = async (tx: Tx, { projectId, emailId, position }: Reader): Promise<boolean> =>
  (await tx.run(sql`
    insert into engagements as known (email_id, position, project_id, unsubscribed_at)
    values (${emailId}, ${position}, ${projectId}, clock_now())
    on conflict (email_id, position) do update set unsubscribed_at = clock_now()
     where known.unsubscribed_at is null`)) === 1
