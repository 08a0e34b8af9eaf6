import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { checkMasterKey } from '../../src/storage/master-key-check.ts'
import { Secrets } from '../../src/storage/secrets.ts'
import { freshDatabase } from '../support/database.ts'

const { db, drop } = await freshDatabase()
afterAll(drop)

test('the first master key is the one, and any other is refused, before it seals anything', async () => {
  const [first, second] = [randomBytes(32), randomBytes(32)]
  await checkMasterKey(db, new Secrets([first]))
  await checkMasterKey(db, new Secrets([first]))
  await expect(checkMasterKey(db, new Secrets([second]))).rejects.toThrow('master key is not the one')
  // While it is rotated, the old key is listed behind the new one.
  await checkMasterKey(db, new Secrets([second, first]))
})
