import { afterAll, expect, test } from 'vitest'
import { isUnavailable } from '../../src/storage/outage.ts'
import { sql } from '../../src/storage/sql.ts'
import { freshDatabase } from '../support/database.ts'

const { db, drop } = await freshDatabase()
afterAll(drop)

test('a process that stops within a transaction loses it and its locks before others give up waiting', async () => {
  await db.run(sql`create table held (value int)`)
  await db.run(sql`insert into held values (0)`)
  const other = Promise.withResolvers<number>()
  const stopped = db.transaction(async (tx) => {
    await tx.run(sql`update held set value = 1`)
    // The server gives up a statement after 30 seconds, and a transaction without one earlier.
    db.run(sql`update held set value = value + 2`).then(other.resolve, other.reject)
    await other.promise
  })
  await expect(stopped).rejects.toSatisfy(isUnavailable)
  expect(await db.one(sql`select value from held`)).toEqual({ value: 2 })
})
