import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { newId, type EmailId } from '../../../src/core/ids.ts'
import { promote } from '../../../src/dispatch/claim.ts'
import { countSuppressed } from '../../../src/resources/broadcasts/store/broadcasts.ts'
import { load, releaseHeld, stretchOf, whenDue, type Place } from '../../../src/resources/emails/store/deliver.ts'
import { isUnderWay } from '../../../src/resources/emails/store/reports.ts'
import { paused } from '../../../src/resources/queue/store/holds.ts'
import { load as loadSms } from '../../../src/resources/sms/messages/store/parts.ts'
import { load as loadWebhooks } from '../../../src/resources/webhooks/store/deliveries.ts'
import { sql } from '../../../src/storage/sql.ts'
import { freshDatabase } from '../../support/database.ts'
import { entriesRead } from '../../support/entries-read.ts'

const ROWS = 3_000

/** Projects, emails and deliveries with the same ids. */
async function emptyQueue() {
  // One connection: a plan is kept by the connection that made it.
  const { db, drop } = await freshDatabase(1)
  onTestFinished(drop)
  const ids = Array.from({ length: ROWS }, () => randomUUID())
  const fill = async (): Promise<void> => {
    const workspace = randomUUID()
    await db.run(sql`insert into workspaces (id, name) values (${workspace}, 'Here')`)
    await db.run(sql`
      insert into projects (id, workspace_id, name)
      select id, ${workspace}, id::text from unnest(${ids}::uuid[]) as id`)
    await db.run(sql`
      insert into emails (id, project_id, content_id, sender, addresses)
      select id, id, id, 'hello@posts.example', '{}' from unnest(${ids}::uuid[]) as id`)
    await db.run(sql`
      insert into deliveries (id, project_id, email_id, position, recipient, destination, lane, state)
      select id, id, id, 0, 'ann@sink.test', 'sink.test', 0, 'ready' from unnest(${ids}::uuid[]) as id`)
  }
  return { db, ids, fill }
}

test('what was planned while the queue was empty finds a few rows of a full one by their keys', async () => {
  const { db, ids, fill } = await emptyQueue()
  await db.run(sql`vacuum analyze deliveries, emails, projects`)
  const some = ids.slice(0, 3)
  for (let i = 0; i < 10; i++) expect(await load(db, some)).toEqual([])
  await fill()
  for (const table of ['deliveries', 'emails', 'projects']) {
    const read = await entriesRead(db.byIndex, table, async () => expect(await load(db, some)).toHaveLength(3))
    expect(read, table).toBeGreaterThanOrEqual(3)
    expect(read, table).toBeLessThan(20)
  }
})

test('a report on a mail that is under way finds it without walking the queue', async () => {
  const { db, ids, fill } = await emptyQueue()
  await fill()
  await db.run(sql`analyze emails, deliveries`)
  const emailId = ids[ROWS / 2] as EmailId
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

test('what paused projects hold back is not looked at again and again', async () => {
  const { db, drop } = await freshDatabase(1)
  onTestFinished(drop)
  const workspace = randomUUID()
  const projects = ['active', 'paused', 'active', 'paused'].map((status) => ({ id: randomUUID(), status }))
  await db.run(sql`insert into workspaces (id, name) values (${workspace}, 'Here')`)
  for (const { id, status } of projects) {
    await db.run(sql`
      insert into projects (id, workspace_id, name, status, paused_at)
      values (${id}, ${workspace}, ${id}, ${status}, case ${status} when 'paused' then clock_now() end)`)
    await db.run(sql`
      insert into deliveries (id, project_id, email_id, position, recipient, destination, lane, state, due_at)
      select gen_random_uuid(), ${id}, gen_random_uuid(), 0, 'ann@sink.test', 'sink.test', 0, 'waiting', clock_now()
        from generate_series(1, ${status === 'paused' ? ROWS : 3})`)
  }
  const states = async () =>
    Object.fromEntries(
      (await db.all(sql<{ state: string; n: number }>`select state, count(*) as n from deliveries group by 1`)).map(
        ({ state, n }) => [state, n],
      ),
    )
  while ((await promote(db, { table: 'deliveries', whenDue }, 1_000)).rows > 0);
  expect(await states()).toEqual({ held: 2 * ROWS, ready: 6 })
  await db.run(sql`update deliveries set state = 'held'`)
  await db.run(sql`vacuum analyze deliveries`)
  const work: Record<string, () => Promise<unknown>> = {
    promote: () => promote(db, { table: 'deliveries', whenDue }, 1_000),
    'the first release': () => releaseHeld(db, sql<never>`null`, paused),
    'the next release': () => releaseHeld(db, sql<never>`null`, paused),
  }
  for (const [name, run] of Object.entries(work)) {
    expect(await entriesRead(db.byIndex, 'deliveries', run), name).toBeLessThan(100)
  }
  expect(await states()).toEqual({ held: 2 * ROWS, ready: 6 })
})

test('what paused destinations hold back is not looked at again and again, and goes on when they do', async () => {
  const { db, drop } = await freshDatabase(1)
  onTestFinished(drop)
  const [workspace, project, other] = [randomUUID(), randomUUID(), randomUUID()]
  await db.run(sql`insert into workspaces (id, name) values (${workspace}, 'Here')`)
  await db.run(sql`
    insert into projects (id, workspace_id, name)
    select id, ${workspace}, id::text from unnest(${[project, other]}::uuid[]) as id`)
  const hold = (count: number, owner: string, destination: string) =>
    db.run(sql`
      insert into deliveries (id, project_id, email_id, position, recipient, destination, lane, state)
      select gen_random_uuid(), ${owner}, gen_random_uuid(), 0, 'ann@sink.test', ${destination}, 0, 'held'
        from generate_series(1, ${count})`)
  await hold(ROWS, project, 'google')
  await hold(3, project, 'microsoft')
  await hold(3, other, 'google')
  await db.run(sql`
    insert into destination_holds (id, workspace_id, project_id, destination)
    values (gen_random_uuid(), ${workspace}, ${project}, 'google')`)
  await db.run(sql`vacuum analyze deliveries`)
  const release = () => releaseHeld(db, sql<never>`null`, paused)
  for (const name of ['the first release', 'the next release']) {
    expect(await entriesRead(db.byIndex, 'deliveries', release), name).toBeLessThan(100)
  }
  const held = sql<{ n: number }>`select count(*) as n from deliveries where state = 'held'`
  expect(await db.one(held)).toEqual({ n: ROWS })
  await db.run(sql`delete from destination_holds`)
  while (await release());
  expect(await db.one(held)).toEqual({ n: 0 })
})

test('a resume does not walk what other projects hold', async () => {
  const { db, drop } = await freshDatabase(1)
  onTestFinished(drop)
  const workspace = randomUUID()
  const [stopped, waits, mine] = [newId<'prj'>(), newId<'prj'>(), newId<'prj'>()]
  await db.run(sql`insert into workspaces (id, name) values (${workspace}, 'Here')`)
  for (const project of [stopped, waits, mine]) {
    await db.run(sql`
      insert into projects (id, workspace_id, name, status, paused_at)
      values (${project}, ${workspace}, ${project}, ${project === stopped ? 'paused' : 'active'},
              case when ${project === stopped} then clock_now() end)`)
  }
  const hold = (project: string, destinations: number, each = 1) =>
    db.run(sql`
      insert into deliveries (id, project_id, email_id, position, recipient, destination, lane, state)
      select gen_random_uuid(), ${project}, gen_random_uuid(), 0, 'ann@sink.test', 'site' || d, 0, 'held'
        from generate_series(1, ${destinations}) as d cross join generate_series(1, ${each})`)
  await hold(stopped, 500)
  await hold(mine, 3, 700)
  await db.run(sql`vacuum analyze deliveries`)
  const held = sql<{ n: number }>`select count(*) as n from deliveries where state = 'held'`
  // Everything of a paused project is one step.
  const ends: (Place | undefined)[] = [stretchOf({}).from]
  while (ends.at(-1) !== undefined) {
    const stretch = { ...stretchOf({}), from: ends.at(-1)! }
    ends.push(await releaseHeld(db, sql<never>`null`, paused, stretch))
  }
  expect(await db.one(held)).toEqual({ n: 500 })
  expect(ends.map((end) => end?.destination)).toEqual(['', 'site2', 'site3', undefined])
  // A destination that is resumed is found although another project waits for hundreds of them.
  await hold(waits, 500)
  await hold(mine, 3)
  await db.run(sql`
    insert into destination_holds (id, workspace_id, project_id, destination)
    select gen_random_uuid(), ${workspace}, ${waits}, 'site' || d from generate_series(1, 500) as d`)
  await db.run(sql`vacuum analyze deliveries`)
  const own = await entriesRead(db.byIndex, 'deliveries', () =>
    releaseHeld(db, sql<never>`null`, paused, stretchOf({ project: mine, destination: 'site2' })),
  )
  expect(await db.one(held)).toEqual({ n: 1_002 })
  expect(own).toBeLessThan(50)
  await db.run(sql`update projects set status = 'paused', paused_at = clock_now() where id = ${waits}`)
  const all = await entriesRead(db.byIndex, 'deliveries', () => releaseHeld(db, sql<never>`null`, paused))
  expect(await db.one(held)).toEqual({ n: 1_000 })
  expect(all).toBeLessThan(100)
})

type Moment = 'never' | 'while it is empty' | 'once it is full'

test.for<{ counted: Moment; planned: Moment }>([
  { counted: 'never', planned: 'while it is empty' },
  { counted: 'never', planned: 'once it is full' },
  { counted: 'while it is empty', planned: 'while it is empty' },
  { counted: 'while it is empty', planned: 'once it is full' },
  { counted: 'once it is full', planned: 'once it is full' },
])(
  'a few events of an endpoint with thousands are found by their keys: outbox counted $counted, planned $planned',
  async ({ counted, planned }) => {
    const { db, drop } = await freshDatabase(1)
    onTestFinished(drop)
    const ids = Array.from({ length: ROWS }, () => randomUUID())
    const endpoint = randomUUID()
    const some = ids.slice(0, 3)
    if (counted === 'while it is empty') await db.run(sql`vacuum analyze webhook_deliveries`)
    if (planned === 'while it is empty') expect(await loadWebhooks(db, some)).toEqual([])
    await db.run(sql`
    insert into webhook_deliveries (id, project_id, endpoint_id, event_id, kind, message_id, body, destination, lane, state)
    select id, id, ${endpoint}, id, 'email.delivered', id, '{}', ${endpoint}, 0, 'ready' from unnest(${ids}::uuid[]) as id`)
    if (counted === 'once it is full') await db.run(sql`vacuum analyze webhook_deliveries`)
    const read = await entriesRead(db.byIndex, 'webhook_deliveries', async () =>
      expect(await loadWebhooks(db, some)).toHaveLength(3),
    )
    expect(read).toBeGreaterThanOrEqual(3)
    expect(read).toBeLessThan(20)
  },
)

test('what was planned while no SMS was queued finds a few of thousands by their keys', async () => {
  const { db, drop } = await freshDatabase(1)
  onTestFinished(drop)
  const ids = Array.from({ length: ROWS }, () => randomUUID())
  await db.run(sql`vacuum analyze sms_parts`)
  const some = ids.slice(0, 3)
  for (let i = 0; i < 10; i++) expect(await loadSms(db, some)).toEqual([])
  // Only the parts are looked at here.
  await db.run(sql`alter table sms_parts drop constraint sms_parts_message_id_fkey`)
  await db.run(sql`
    insert into sms_parts (id, project_id, message_id, seq, units, destination, lane, state)
    select id, id, id, 1, 1, 'main', 0, 'ready' from unnest(${ids}::uuid[]) as id`)
  const read = await entriesRead(db.byIndex, 'sms_parts', () => loadSms(db, some))
  expect(read).toBeGreaterThanOrEqual(3)
  expect(read).toBeLessThan(20)
})

test.each([
  [5_000, 3],
  [3, 5_000],
])('who of %i contacts is among %i suppressions is found without a look at all of both', async (people, listed) => {
  const { db, drop } = await freshDatabase(1)
  onTestFinished(drop)
  const [workspace, project, audience] = [newId<'acc'>(), newId<'prj'>(), newId<'aud'>()]
  await db.run(sql`insert into workspaces (id, name) values (${workspace}, 'Here')`)
  await db.run(sql`insert into projects (id, workspace_id, name) values (${project}, ${workspace}, 'Shop')`)
  await db.run(sql`
    insert into contacts (id, project_id, audience_id, email)
    select gen_random_uuid(), ${project}, ${audience}, 'person' || n || '@example.org'
      from generate_series(1, ${people}) n`)
  await db.run(sql`
    insert into suppressions (id, project_id, email, reason)
    select gen_random_uuid(), ${project}, 'person' || n || '@example.org', 'manual'
      from generate_series(1, ${listed}) n`)
  await db.run(sql`analyze contacts, suppressions`)
  const read = await entriesRead(db, ['contacts', 'suppressions'], async () => {
    const found = await db.transaction((tx) => countSuppressed(tx, project, audience))
    expect(found).toEqual({ count: 3 })
  })
  expect(read).toBeLessThan(100)
})
