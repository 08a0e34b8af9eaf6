import { expect, test } from 'vitest'
import { identifier, sql } from '../../../src/storage/sql.ts'
import { eventually } from '../../support/eventually.ts'
import { mailWorld, type MailWorld } from '../../support/mail-world.ts'

/** Much longer than the second after which it is tried again, much less than what cannot be read is left alone for. */
const SOON_MS = 15_000

test('a database that goes away while a mail is made costs it no attempt, and is no error of the mail', async () => {
  await expectAnotherTry(await mailWorld({ workers: 0 }), 'contents')
})

test('a database that goes away while a mail is read costs it no attempt, and is no error of the mail', async () => {
  await expectAnotherTry(await mailWorld({ workers: 0 }), 'emails')
})

async function expectAnotherTry(here: MailWorld, table: string): Promise<void> {
  const { send, becomes, startWorker, db, sink, logs } = here
  const id = await send('someone@sink.test')
  // Whoever wants to read the table has to wait, and loses its connection while it does.
  await db.transaction(async (tx) => {
    await tx.run(sql`lock table ${identifier(table)} in access exclusive mode`)
    await startWorker()
    await eventually(`somebody waits for ${table}, and is cut off`, async () => {
      const { cut } = await db.one(sql<{ cut: number }>`
        select count(pg_terminate_backend(pid)) as cut
          from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`)
      return cut > 0
    })
  })
  const { recipients, events } = await becomes(id, 'delivered', SOON_MS)
  expect(recipients).toMatchObject([{ attempts: 1 }])
  expect(events).toMatchObject([{ type: 'email.delivered' }])
  expect(sink.taken).toHaveLength(1)
  expect(logs.filter((line) => line.includes('"level":50'))).toEqual([])
}
