import { expect, test } from 'vitest'
import { withDatabase } from '../../src/app/database.ts'
import { loadConfig } from '../../src/config/load.ts'
import { holdSending, resumeSending } from '../../src/dispatch/sending.ts'
import { sql } from '../../src/storage/sql.ts'
import { eventually } from '../support/eventually.ts'
import { startMailNode } from '../support/mail-node.ts'

test('innocents under suspicion leave through a process that is kept, and pay for no death but their own', async () => {
  // Every process dies of the eighth message that it makes, whichever that is.
  const here = await startMailNode({ POSTHOUSE_FAILPOINTS: 'send.compose=kill#8', LOG_LEVEL: 'error' })
  const { node, sink, sendAll, ledger } = here
  const worker = node.rolePid('worker')
  const config = loadConfig({ DATA_DIR: node.dataDir })
  const everybody = Array.from({ length: 20 }, (_, i) => `user${i}@sink.test`)
  await withDatabase(config, (db) => holdSending(db, 'a test'))
  await sendAll(everybody)
  await withDatabase(config, async (db) => {
    await db.run(sql`update deliveries set crashes = 2`)
    await resumeSending(db)
  })
  await eventually('all have arrived', () => ledger().size === everybody.length, node.atMost(60_000))
  expect(new Set(ledger().values())).toEqual(new Set([1]))
  // 7 leave through the first process, and as many through the second: the message that one dies with is the first of the next.
  expect(sink.connections.length).toBeGreaterThanOrEqual(3)
  expect(sink.connections.length).toBeLessThan(10)
  expect(node.rolePid('worker')).toBe(worker)
})
