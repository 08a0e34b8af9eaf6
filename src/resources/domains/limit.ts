import { tooMany } from '../../core/errors.ts'
import type { WorkspaceId } from '../../core/ids.ts'
import { oneByOne } from '../../storage/one-by-one.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import * as store from './store/domains.ts'

/** The transaction in which a workspace gets a domain, sending or receiving. */
export const addingDomain = <T>(db: Database, workspace: WorkspaceId, work: (tx: Tx) => Promise<T>): Promise<T> =>
  oneByOne(db, `domains ${workspace}`, work)

/**
 * Refuses a domain that was just added in such a transaction and is one too many. Each is looked at in the DNS again and
 * again for as long as it exists.
 */
export async function admitDomain(tx: Tx, workspace: WorkspaceId, most: number): Promise<void> {
  const { count } = await store.countAll(tx, workspace)
  if (count > most) throw tooMany('domains', 'The workspace', 'sending and receiving domains', most, count - 1)
}
