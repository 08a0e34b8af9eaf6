import { tooMany } from '../../core/errors.ts'
import type { WorkspaceId } from '../../core/ids.ts'
import { oneByOne } from '../../storage/one-by-one.ts'
import type { Tx } from '../../storage/postgres.ts'
import * as store from './store.ts'

/**
 * Refuses a domain, sending or receiving, that was just added in this transaction and is one too many. Each is looked at
 * in the DNS again and again for as long as it exists.
 */
export async function admitDomain(tx: Tx, workspace: WorkspaceId, most: number): Promise<void> {
  await oneByOne(tx, `domains ${workspace}`)
  const { count } = await store.countAll(tx, workspace)
  if (count > most) throw tooMany('domains', 'The workspace', 'sending and receiving domains', most, count - 1)
}
