import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { at, mail, post, refusal, rowsOf, send } from '../support/emails.ts'
import type { Database } from '../../src/storage/postgres.ts'
import { world } from '../support/world.ts'

/** From here on the database refuses the rows of emails with this subject, as it would a defect of ours. */
const refuseSubject = (db: Database, subject: string) =>
  db.withClient((client) => client.query(`alter table contents add constraint defect check (subject <> '${subject}')`))

const mend = (db: Database) => db.run(sql`alter table contents drop constraint defect`)

/** Each row knows the transaction that wrote it. */
const transactionsOf = async (db: Database): Promise<number> =>
  (await db.one(sql<{ n: number }>`select count(distinct xmin::text) as n from emails`)).n

test('sends of one moment share their commits', async () => {
  const { projectApi, db } = await world()
  await send(projectApi)
  const replies = await Promise.all(Array.from({ length: 100 }, (_, i) => post(projectApi, { to: at(`p${i}`) })))
  expect(replies.every(({ status }) => status === 202)).toBe(true)
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(100)
  expect(await rowsOf(db)).toMatchObject({ emails: 101, deliveries: 101, used: 101 })
  expect(await transactionsOf(db)).toBeLessThan(40)
})

test('a send that fails does not fail those who share its moment', async () => {
  const { projectApi, db } = await world()
  await refuseSubject(db, 'defect')
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      post(projectApi, { subject: i % 20 === 7 ? 'defect' : 'fine' }, { 'idempotency-key': `k${i}` }),
    ),
  )
  expect(replies.map(({ status }) => status)).toEqual(replies.map((_, i) => (i % 20 === 7 ? 500 : 202)))
  expect(replies[7]).toMatchObject(refusal(500, 'internal_error'))
  expect(await rowsOf(db)).toEqual({ emails: 57, contents: 57, deliveries: 57, keys: 57, used: 57 })
})

test('a send that failed can be repeated with its key', async () => {
  const { projectApi, db } = await world()
  await refuseSubject(db, 'Hello')
  const key = { 'idempotency-key': 'k' }
  expect((await post(projectApi, {}, key)).status).toBe(500)
  await mend(db)
  const sent = await post(projectApi, {}, key)
  expect(sent.status).toBe(202)
  expect(sent.headers.has('idempotency-replayed')).toBe(false)
})

test('a batch is stored whole or not at all, and those beside it are', async () => {
  const { projectApi, db } = await world()
  await projectApi.post('suppressions', { email: at('gone') })
  await refuseSubject(db, 'defect')
  const attachments = [{ filename: 'a.txt', content: 'YQ==' }]
  const emails = Array.from({ length: 100 }, (_, i) =>
    mail({ to: [at(`p${i}`), at('gone')], subject: i === 50 ? 'defect' : 'fine', attachments }),
  )
  const fine = emails.slice(0, 10)
  const key = { 'idempotency-key': 'b' }
  const [broken, whole, ...singles] = await Promise.all([
    projectApi.post('email/batch', emails, key),
    projectApi.post('email/batch', fine),
    ...Array.from({ length: 10 }, () => post(projectApi)),
  ])
  expect(broken).toMatchObject(refusal(500, 'internal_error'))
  expect(whole).toMatchObject({ status: 202, body: { accepted: 10 } })
  expect(singles.every(({ status }) => status === 202)).toBe(true)
  expect(await rowsOf(db)).toEqual({
    emails: 20,
    contents: 20,
    deliveries: 20,
    recipients: 10,
    events: 10,
    attachments: 10,
    blobs: 1,
    used: 20,
  })
  await mend(db)
  expect(await projectApi.post('email/batch', emails, key)).toMatchObject({ status: 202, body: { accepted: 100 } })
  expect(await rowsOf(db)).toMatchObject({ emails: 120, recipients: 110, attachments: 110, keys: 1 })
})

test('whichever statement of a batch fails, none of its rows stays', async () => {
  const { projectApi, db } = await world()
  await projectApi.post('suppressions', { email: at('gone') })
  const attachments = Array.from({ length: 5 }, (_, i) => ({ filename: `${i}.txt`, content: btoa(String(i)) }))
  const emails = Array.from({ length: 3 }, () => mail({ to: [at('ann'), at('gone')], attachments }))
  const inserts = ['contents', 'emails', 'deliveries', 'recipients', 'events', 'content_attachments', 'blobs']
  const steps = [...inserts.map((table) => `insert on ${table}`), 'update on quota_usage']
  for (const step of [...steps, 'insert on idempotency_keys', 'update on idempotency_keys']) {
    await db.withClient(async (client) => {
      await client.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`)
      await client.query(`create trigger refuse after ${step} for each row execute function refuse()`)
    })
    const reply = await projectApi.post('email/batch', emails, { 'idempotency-key': 'k' })
    expect(reply, step).toMatchObject(refusal(500, 'internal_error'))
    expect(await rowsOf(db), step).toEqual({})
    await db.withClient((client) => client.query('drop function refuse cascade'))
  }
  expect((await projectApi.post('email/batch', emails, { 'idempotency-key': 'k' })).status).toBe(202)
  expect(await rowsOf(db)).toMatchObject({ emails: 3, attachments: 15, blobs: 5, keys: 1 })
})
