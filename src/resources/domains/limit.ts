import { tooMany } from '../../core/errors.ts'
import type { WorkspaceId } from '../../core/ids.ts'
import { oneByOne } from '../../storage/one-by-one.ts'
import type { Tx } from '../../storage/postgres.ts'
import { sql } from '../../storage/sql.ts'

/**
 * Refuses a domain, sending or receiving, that was just added in this transaction and is one too many. Each is looked at in the DNS again and
 * again for as long as it exists. Those of archived projects, which nobody could remove, do not count.
 */
export async function admitDomain(tx: Tx, workspace: WorkspaceId, most: number): Promise<void> {
  await oneByOne(tx, `domains ${workspace}`)
  const { count } = await tx.one(sql<{ count: number }>`
    select count(*) as count
      from projects
      join (select project_id from domains where removed_at is null
             union all
            select project_id from receiving_domains where removed_at is null) as all_domains
        on all_domains.project_id = projects.id
     where workspace_id = ${workspace}
       and status <> 'archived'`)
  if (count > most) throw tooMany('domains', 'The workspace', 'sending and receiving domains', most, count - 1)
}
