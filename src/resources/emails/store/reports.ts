import type { MailReference } from '../../../core/mail-reference.ts'
import type { BroadcastId, EmailId, ProjectId, WorkspaceId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { FinalState } from '../states.ts'

export interface Reported {
  projectId: ProjectId
  workspaceId: WorkspaceId
  emailId: EmailId
  broadcastId: BroadcastId | null
  /** The address as it was given. */
  email: string
  /** The address as suppressions write it. */
  recipient: string
}

/**
 * Nobody says the project: the reference is signed by us, and comes from the outside. Undefined unless the recipient
 * was delivered to until now.
 */
export const moveFromDelivered = (tx: Tx, { emailId, position }: MailReference, state: FinalState) =>
  tx.maybeOne(sql<Reported>`
    update recipients r
       set state = ${state}, updated_at = clock_now()
      from emails e
      join projects p on p.id = e.project_id
     where r.email_id = ${emailId}
       and r.position = ${position}
       and r.state = 'delivered'
       and e.id = r.email_id
    returning r.project_id as "projectId", workspace_id as "workspaceId", e.id as "emailId",
              broadcast_id as "broadcastId", addresses -> 'recipients' -> r.position::int ->> 'email' as email, recipient`)

/** By way of the email, which knows its project: a queue of a million is not searched by anything else. */
export const isUnderWay = async (db: Db, { emailId, position }: MailReference): Promise<boolean> =>
  (
    await db.all(sql`
    select
      from emails e
      join deliveries d on d.project_id = e.project_id and d.email_id = e.id
     where e.id = ${emailId} and d.position = ${position}`)
  ).length > 0
