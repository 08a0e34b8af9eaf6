import { expect, test } from 'vitest'
import { allJobs } from '../../src/app/jobs.ts'
import { sql } from '../../src/storage/sql.ts'
import { enqueueNamed, runnerOf } from '../jobs/world.ts'
import { moveClock } from '../support/clock.ts'
import { accepted, world, type World } from '../support/world.ts'

const DAY = 86_400

const from = 'sandbox@sandbox.posthouse.test'
const to = 'delivered@simulator.posthouse.test'

async function run({ db, services }: World, job: string): Promise<void> {
  await enqueueNamed(db, job)
  await runnerOf(db, allJobs(db, services)).runOnce()
}

const send = async ({ projectApi }: World, more: object): Promise<string> =>
  accepted(await projectApi.post<{ id: string }>('email/send', { from, to, subject: 'Kept', text: 'Secret', ...more }))
    .id

const blobs = async ({ db }: World): Promise<number> =>
  (await db.one(sql<{ n: number }>`select count(*) as n from blobs`)).n

test('what a mail said is forgotten after 30 days, unless it is still to be sent', async () => {
  const here = await world()
  const { projectApi, db } = here
  const attachments = [{ filename: 'a.txt', content: Buffer.from('attached').toString('base64') }]
  const old = await send(here, { attachments, html: '<p>Secret</p>', headers: { 'X-Order': '7' } })
  const sendAt = new Date(Date.now() + 60 * DAY * 1_000).toISOString()
  const scheduled = await send(here, { sendAt })
  // As if a worker had been here.
  await db.run(sql`
    with gone as (delete from deliveries where state = 'ready' returning *)
    insert into recipients (email_id, position, project_id, recipient, state, attempts)
    select email_id, position, project_id, recipient, 'delivered', 1 from gone`)
  await run(here, 'emails.purge-contents')
  expect((await projectApi.get(`emails/${old}`)).body).toMatchObject({ text: 'Secret', contentPurgedAt: null })

  await moveClock(db, 31 * DAY)
  await run(here, 'emails.purge-contents')
  const purged = (await projectApi.get(`emails/${old}`)).body
  expect(purged).toMatchObject({
    html: null,
    text: null,
    headers: {},
    attachments: [],
    subject: 'Kept',
    status: 'delivered',
  })
  expect(purged['contentPurgedAt']).toMatch(/Z$/)
  expect((await projectApi.get(`emails/${scheduled}`)).body).toMatchObject({ text: 'Secret', contentPurgedAt: null })

  expect(await blobs(here)).toBe(1)
  await run(here, 'storage.sweep-blobs')
  expect(await blobs(here)).toBe(0)
})

test('the bytes of an attachment stay as long as one mail has it', async () => {
  const here = await world()
  const attachments = [{ filename: 'a.txt', content: Buffer.from('attached').toString('base64') }]
  await send(here, { attachments })
  await moveClock(here.db, DAY)
  await run(here, 'storage.sweep-blobs')
  expect(await blobs(here)).toBe(1)
})

test('events are forgotten after 90 days, month by month', async () => {
  const here = await world()
  const { db } = here
  const happen = (days: number) => sql`
    insert into events (id, project_id, workspace_id, kind, message_id, recipient, detail, at)
    select gen_random_uuid(), id, workspace_id, 'email.delivered', id, ${`${days} days ago`}, '', now() - make_interval(days => ${days})
      from projects`
  for (const days of [200, 91, 89, 0]) await db.run(happen(days))
  await run(here, 'events.keep')
  const left = async () =>
    (await db.all(sql<{ recipient: string }>`select recipient from events order by at`)).map(
      ({ recipient }) => recipient,
    )
  expect(await left()).toEqual(['89 days ago', '0 days ago'])
  const months = async () =>
    (
      await db.all(
        sql<{ relname: string }>`select relname from pg_class where relname ~ '^events_[0-9]{4}_[0-9]{2}$' order by 1`,
      )
    ).map(({ relname }) => relname)
  const before = await months()
  expect(before).toHaveLength(3)
  // Half a year later the months of today are gone, with all that was in them.
  await moveClock(db, 183 * DAY)
  await run(here, 'events.keep')
  expect(await left()).toEqual([])
  const after = await months()
  expect(after).toHaveLength(3)
  expect(after.some((month) => before.includes(month))).toBe(false)
})
