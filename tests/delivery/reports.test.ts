import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { EmailId } from '../../src/core/ids.ts'
import { isUnderWay } from '../../src/resources/emails/store/reports.ts'
import { sql } from '../../src/storage/sql.ts'
import { freshDatabase } from '../support/database.ts'
import { entriesRead } from '../support/entries-read.ts'

test('a report on a mail that is under way finds it without walking the queue', async () => {
  const { db, drop } = await freshDatabase(1)
  onTestFinished(drop)
  // Each of a project of its own: newer servers can skip over a few projects in an index.
  const ids = Array.from({ length: 3_000 }, () => randomUUID() as EmailId)
  await db.run(sql`
    insert into emails (id, project_id, content_id, sender, addresses)
    select id, id, id, 'hello@posts.example', '{}' from unnest(${ids}::uuid[]) as id`)
  await db.run(sql`
    insert into deliveries (id, project_id, email_id, position, recipient, destination, lane, state)
    select gen_random_uuid(), id, id, 0, 'ann@sink.test', 'sink.test', 0, 'ready'
      from unnest(${ids}::uuid[]) as id`)
  await db.run(sql`analyze emails, deliveries`)

  const emailId = ids[1_500]!
  const answers: boolean[] = []
  const read = await entriesRead(db, 'deliveries', async () => {
    answers.push(await isUnderWay(db, { emailId, position: 0 }))
    answers.push(await isUnderWay(db, { emailId, position: 1 }))
    answers.push(await isUnderWay(db, { emailId: randomUUID() as EmailId, position: 0 }))
  })
  expect(answers).toEqual([true, false, false])
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(20)
})
