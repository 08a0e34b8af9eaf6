import { SetupError } from '../core/errors.ts'
import type { Db } from './postgres.ts'
import { SecretError, type Secrets } from './secrets.ts'
import { sql } from './sql.ts'

const PLACE = { purpose: 'master-key-check', id: 'installation' }

/** Refuses a master key that is not the one this database's secrets are sealed with. The first start decides. */
export async function checkMasterKey(db: Db, secrets: Secrets): Promise<void> {
  await db.run(sql`
    insert into master_key_check (sealed) values (${secrets.seal(PLACE, 'posthouse')}) on conflict do nothing`)
  const { sealed } = await db.one(sql<{ sealed: Buffer }>`select sealed from master_key_check`)
  try {
    secrets.open(PLACE, sealed)
  } catch (error) {
    if (!(error instanceof SecretError)) throw error
    throw new SetupError(
      `This node's master key is not the one that the secrets in the database are sealed with. ` +
        `Give all nodes the same MASTER_KEY, or copy master.key from the data directory of the first. (${error.message})`,
    )
  }
}
