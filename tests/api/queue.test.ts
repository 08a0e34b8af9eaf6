import { expect, test } from 'vitest'
import { decodeId, newId, type ProjectId } from '../../src/core/ids.ts'
import { lockLeftBehind, releaseAll, type LeaseKey } from '../../src/dispatch/leases.ts'
import type { Database } from '../../src/storage/postgres.ts'
import { lockPicture } from '../../src/resources/queue/store/picture.ts'
import { sql } from '../../src/storage/sql.ts'
import { refusal, send } from '../support/emails.ts'
import { letConfirmationLapse, signIn } from '../support/people.ts'
import { destinationOf, queueOf, type Destination } from '../support/queue.ts'
import { accepted, tenants, world } from '../support/world.ts'

const tenant = tenants()

const uuidOf = (project: string): ProjectId => decodeId('prj', project)!

type Row = 'ready' | 'waiting' | 'scheduled'

/** Recipients of a project as a worker would have left them. */
const fill = (db: Database, project: string, destination: string, rows: number, state: Row = 'ready') =>
  db.run(sql`
    insert into deliveries (id, project_id, email_id, position, recipient, destination, lane, state, due_at, lease_no,
                            attempts)
    select id, ${uuidOf(project)}, gen_random_uuid(), 0, 'ann@sink.test', ${destination}, 0,
           ${state === 'ready' ? 'ready' : 'waiting'}, clock_now() + interval '1 hour' * ${state === 'ready' ? 0 : 1},
           ${state === 'waiting' ? 1 : 0}, ${state === 'waiting' ? 1 : 0}
      from unnest(${Array.from({ length: rows }, () => newId())}::uuid[]) as id`)

const statesOf = (db: Database, project: string) =>
  db.all(sql<{ destination: string; state: string; due: boolean; n: number }>`
    select destination, state, due_at <= clock_now() as due, count(*) as n
      from deliveries where project_id = ${uuidOf(project)} group by 1, 2, 3 order by 1, 2`)

const actions = (db: Database, subject: string, project: string) =>
  db.all(sql<{ action: string; details: Record<string, unknown> }>`
    select action, details from audit_log
     where subject = ${subject} and project_id = ${uuidOf(project)} order by id`)

const named = (data: readonly Destination[]) => data.map(({ destination, waiting }) => [destination, waiting])

test('the queue shows what waits of the project, by destination, what needs a look first', async () => {
  const { db, projectApi, projectId, newProject } = await tenant()
  await fill(db, projectId, 'google', 30)
  await fill(db, projectId, 'mail.firma.example', 2, 'waiting')
  await fill(db, projectId, 'later.example', 5, 'scheduled')
  await fill(db, await newProject(), 'google', 1_000, 'waiting')
  const queue = await queueOf(db, projectApi)
  expect(queue).toMatchObject({ waiting: 32, leavingPerSecond: 0, destinations: { all: 2, needsLook: 1 } })
  expect(named(queue.data)).toEqual([
    ['mail.firma.example', 2],
    ['google', 30],
  ])
  expect(queue.data[1]).toMatchObject({
    name: 'Google',
    state: 'flows',
    needsLook: false,
    pace: { connections: 0, limit: 5, perMinute: null },
    nextTryAt: null,
    lastReply: null,
    explanation: null,
    paused: null,
  })
  expect(Date.parse(queue.data[0]!.nextTryAt!)).toBeGreaterThan(Date.parse(queue.asOf))
  expect(Date.parse(queue.asOf) - Date.parse(queue.oldestAt!)).toBeLessThan(600_000)
  const looked = await queueOf(db, projectApi, '?needsLook=true')
  expect(named(looked.data)).toEqual([['mail.firma.example', 2]])
})

/** An id that was made so many minutes ago. */
const madeBefore = (minutes: number): string => {
  const time = (Date.now() - minutes * 60_000).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-${newId().slice(14)}`
}

test('a destination counts what waits by its age, of the project only, and says what it may get', async () => {
  const { db, projectApi, projectId, newProject } = await tenant()
  const age = (project: string, minutes: number, state: string, leases: number) =>
    db.run(sql`
      insert into deliveries (id, project_id, email_id, position, recipient, destination, lane, state, lease_no, due_at)
      values (${madeBefore(minutes)}, ${uuidOf(project)}, gen_random_uuid(), 0, 'ann@sink.test', 'aged.example',
              ${leases === 0 ? 1 : 2}, ${state}, ${leases}, clock_now() + interval '1 hour')`)
  const other = await newProject()
  for (const project of [projectId, other]) {
    await age(project, 1, 'ready', 0)
    await age(project, 20, 'waiting', 1)
    await age(project, 30, 'ready', 1)
    await age(project, 3 * 60, 'held', 2)
    await age(project, 23 * 60, 'waiting', 3)
    await age(project, 50 * 60, 'waiting', 4)
    // It is scheduled, and waits for nothing but its time.
    await age(project, 40 * 60, 'waiting', 0)
  }
  await age(other, 2, 'ready', 0)
  const { ages, waiting, pace } = await destinationOf(db, projectApi, 'aged.example')
  const counts = { under5Minutes: 1, under1Hour: 2, under6Hours: 1, under24Hours: 1, older: 1 }
  expect({ ages, waiting }).toEqual({ ages: { ...counts, isMore: false }, waiting: 6 })
  expect(pace).toMatchObject({ limit: pace.usualLimit, usualLimit: expect.any(Number) })
  await fill(db, projectId, 'aged.example', 10_000, 'waiting')
  expect((await destinationOf(db, projectApi, 'aged.example')).ages).toMatchObject({ isMore: true })
})

test('the queue says when mail of the project last left, and of no other', async () => {
  const { db, projectApi, projectId, newProject } = await tenant()
  const answered = (project: string, destination: string, outcome: string, minutes: number) =>
    db.run(sql`
      insert into destination_replies (project_id, destination, hour, mark, outcome, text, count, last_at)
      values (${uuidOf(project)}, ${destination}, date_trunc('hour', clock_now() - ${minutes} * interval '1 minute'),
              ${outcome}, ${outcome}, '', 1, clock_now() - ${minutes} * interval '1 minute')`)
  expect((await queueOf(db, projectApi)).lastLeftAt).toBeNull()
  await answered(projectId, 'old.example', 'accepted', 25 * 60)
  await answered(await newProject(), 'google', 'accepted', 0)
  await answered(projectId, 'google', 'refused', 1)
  expect((await queueOf(db, projectApi)).lastLeftAt).toBeNull()
  await answered(projectId, 'one.example', 'accepted', 90)
  await answered(projectId, 'two.example', 'accepted', 30)
  const { lastLeftAt, asOf } = await queueOf(db, projectApi)
  const minutes = (Date.parse(asOf) - Date.parse(lastLeftAt!)) / 60_000
  expect(minutes).toBeGreaterThan(29)
  expect(minutes).toBeLessThan(32)
})

test('pages of the queue follow each other without a gap, each of its length', async () => {
  const { db, projectApi, projectId } = await tenant()
  for (let i = 1; i <= 7; i++) await fill(db, projectId, `site${i}.example`, i)
  const seen: (string | number)[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await queueOf(db, projectApi, `?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
    seen.push(...named(page.data))
    cursor = page.nextCursor
  }
  expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1].map((i) => [`site${i}.example`, i]))
})

test('the queue is counted once for all who look within five seconds, and says when', async () => {
  const { db, projectApi, projectId, anotherApi } = await world()
  await fill(db, projectId, 'google', 1)
  const clients = [projectApi, (await anotherApi()).with(projectApi.key)]
  const start = performance.now()
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, i) => clients[i % 2]!.get<{ asOf: string; waiting: number }>('queue')),
  )
  const pictures = new Set(answers.map(({ body }) => body.asOf))
  expect(pictures.size).toBeLessThanOrEqual(1 + Math.floor((performance.now() - start) / 5_000))
  await fill(db, projectId, 'google', 1)
  expect(await queueOf(db, projectApi)).toMatchObject({ waiting: 2 })
})

test('what waits for another attempt is due at once, and nothing else, of nobody else', async () => {
  const { db, projectApi, projectId, newProject } = await tenant()
  const other = await newProject()
  for (const project of [projectId, other]) await fill(db, project, 'google', 3, 'waiting')
  await fill(db, projectId, 'microsoft', 1, 'waiting')
  await fill(db, projectId, 'google', 2, 'scheduled')
  expect(accepted(await projectApi.post('queue/google/retry'))).toEqual({ recipients: 3 })
  expect(await statesOf(db, projectId)).toEqual([
    { destination: 'google', state: 'ready', due: true, n: 3 },
    { destination: 'google', state: 'waiting', due: false, n: 2 },
    { destination: 'microsoft', state: 'waiting', due: false, n: 1 },
  ])
  expect(await statesOf(db, other)).toEqual([{ destination: 'google', state: 'waiting', due: false, n: 3 }])
  expect(await actions(db, 'google', projectId)).toEqual([
    { action: 'destination.retried', details: { recipients: 3 } },
  ])
  expect(accepted(await projectApi.post('queue/google/retry'))).toEqual({ recipients: 0 })
  expect(await actions(db, 'google', projectId)).toHaveLength(1)
})

test('what may have left with a worker that is gone is not tried at once: its outcome may still be found', async () => {
  const { db, projectApi, projectId } = await tenant()
  await fill(db, projectId, 'google', 2, 'waiting')
  await fill(db, projectId, 'google', 2)
  const { id } = await send(projectApi)
  const worker = newId()
  const leased = await db.all(sql<LeaseKey>`
    update deliveries
       set state = 'in_flight', lease_worker = ${worker}, lease_no = 1
     where project_id = ${uuidOf(projectId)} and state = 'ready'
    returning id, lease_worker as worker, lease_no as "leaseNo"`)
  expect(leased).toHaveLength(3)
  for (const crashed of [true, false]) {
    await db.transaction((tx) => releaseAll(tx, 'deliveries', { workers: [worker], crashed }))
    expect(accepted(await projectApi.post('queue/google/retry'))).toEqual({ recipients: crashed ? 2 : 0 })
    expect(await projectApi.post(`emails/${id}/retry`)).toMatchObject(refusal(409, 'invalid_state'))
    // The worker comes back with its journal, and its word still counts.
    expect(await db.transaction((tx) => lockLeftBehind(tx, 'deliveries', leased))).toHaveLength(3)
    // Whoever leases it next makes whatever was unknown irrelevant.
    await db.run(sql`
      update deliveries set state = 'in_flight', lease_worker = ${worker}
       where id = any(${leased.map((row) => row.id)}::uuid[])`)
  }
  await db.run(sql`
    update deliveries set state = 'waiting', lease_worker = null, lease_no = 2
     where id = any(${leased.map((row) => row.id)}::uuid[])`)
  expect(accepted(await projectApi.post('queue/google/retry'))).toEqual({ recipients: 2 })
  accepted(await projectApi.post(`emails/${id}/retry`))
})

test('more than one request makes due is made due by a job', async () => {
  const { db, projectApi, projectId, services } = await world()
  await fill(db, projectId, 'google', 10_050, 'waiting')
  expect(accepted(await projectApi.post('queue/google/retry'))).toEqual({ recipients: 10_050 })
  expect(await statesOf(db, projectId)).toMatchObject([
    { state: 'ready', n: 10_000 },
    { state: 'waiting', n: 50 },
  ])
  const jobs = await db.all(sql<{ payload: { project: ProjectId; destination: string } }>`
    select payload from jobs where kind = 'queue.retry-destination'`)
  expect(jobs).toHaveLength(1)
  await services.queue.retryAll(jobs[0]!.payload.project, jobs[0]!.payload.destination)
  expect(await statesOf(db, projectId)).toMatchObject([{ state: 'ready', n: 10_050 }])
})

test('a pause names who, since when and why, is written into the log once, and is lifted by a resume', async () => {
  const here = await tenant()
  const { db, projectApi, projectId } = here
  const { client, id } = await signIn(here, { role: 'developer', project: projectId, name: 'Ann' })
  const because = 'Waiting for their postmaster'
  const paused = await client.post<Destination>('queue/idle.example/pause', { because })
  expect(paused.status, paused.text).toBe(200)
  expect(paused.body).toMatchObject({
    destination: 'idle.example',
    waiting: 0,
    state: 'paused',
    needsLook: true,
    paused: { by: { type: 'person', id, name: 'Ann' }, because, everywhere: false },
  })
  expect(paused.body.since).toBe(paused.body.paused!.since)
  expect((await projectApi.post('queue/idle.example/pause', { because: 'Another reason' })).body).toMatchObject({
    paused: { because },
  })
  expect(named((await queueOf(db, projectApi, '?needsLook=true')).data)).toEqual([['idle.example', 0]])
  expect(await projectApi.post('queue/idle.example/retry')).toMatchObject(refusal(409, 'invalid_state'))
  expect((await client.post('queue/idle.example/resume')).body).toMatchObject({ state: 'flows', paused: null })
  expect((await client.post('queue/idle.example/resume')).status).toBe(200)
  expect(await actions(db, 'idle.example', projectId)).toEqual([
    { action: 'destination.paused', details: { everywhere: false, because } },
    { action: 'destination.resumed', details: { everywhere: false } },
  ])
  expect(named((await queueOf(db, projectApi)).data)).toEqual([])
})

test('what one project paused is neither seen nor lifted by another', async () => {
  const [here, there] = [await tenant(), await tenant()]
  expect((await here.projectApi.post('queue/google/pause', { because: 'ours' })).status).toBe(200)
  expect(await destinationOf(there.db, there.projectApi, 'google')).toMatchObject({ state: 'flows', paused: null })
  expect((await there.projectApi.post('queue/google/resume')).status).toBe(200)
  expect(await destinationOf(here.db, here.projectApi, 'google')).toMatchObject({ paused: { because: 'ours' } })
})

test('only owners and admins of the workspace pause for everybody, and hold all sending', async () => {
  const here = await world()
  const { projectApi, clientWith, projectId, db } = here
  const body = { because: 'moving', everywhere: true }
  const queueKey = await clientWith({ scopes: ['queue:write', 'stats:read', 'email:send'] })
  const people = await Promise.all(
    (
      [
        { role: 'owner' },
        { role: 'admin' },
        { role: 'admin', project: projectId },
        { role: 'developer' },
        { role: 'developer', project: projectId },
      ] as const
    ).map(async (who) => ({ who, client: (await signIn(here, who)).client })),
  )
  const [bound, narrow] = [refusal(403, 'project_not_allowed'), refusal(403, 'insufficient_scope')]
  const inProject = { 'x-service-project-id': projectId }
  const without = [
    [projectApi, bound],
    [queueKey, narrow],
    [people[2]!.client, bound],
    [people[3]!.client, narrow],
    [people[4]!.client, bound],
  ] as const
  for (const [client, refused] of without) {
    expect(await client.post('queue/google/pause', body, inProject)).toMatchObject(refused)
    expect(await client.post('queue/google/resume', { everywhere: true }, inProject)).toMatchObject(refused)
    expect(await client.post('sending/hold', { because: 'moving' }, inProject)).toMatchObject(refused)
    expect(await client.post('sending/resume', {}, inProject)).toMatchObject(refused)
  }
  for (const client of [here.api, people[0]!.client, people[1]!.client]) {
    expect((await client.post('queue/google/pause', body, inProject)).body).toMatchObject({
      paused: { everywhere: true },
    })
    expect(await projectApi.post('queue/google/resume')).toMatchObject(refusal(409, 'invalid_state'))
    expect((await client.post('queue/google/resume', { everywhere: true }, inProject)).body).toMatchObject({
      paused: null,
    })
    expect((await client.post('sending/hold', { because: 'moving' })).body).toMatchObject({ held: true })
    expect((await client.post('sending/resume')).body).toMatchObject({ held: false, since: null, because: null })
  }
  const log = await db.all(sql<{ actor: string; action: string; details: Record<string, unknown> }>`
    select actor, action, details from audit_log where subject = 'sending' order by id`)
  expect(log).toEqual(
    ['key', 'person', 'person'].flatMap((actor) => [
      { actor, action: 'sending.held', details: { reason: 'moving' } },
      { actor, action: 'sending.resumed', details: {} },
    ]),
  )
})

test('a person confirms before all sending is held or resumed', async () => {
  const here = await world()
  const owner = await signIn(here, { role: 'owner' })
  const { client } = owner
  await letConfirmationLapse(here, owner)
  for (const path of ['sending/hold', 'sending/resume']) {
    expect(await client.post(path, { because: 'moving' })).toMatchObject(refusal(403, 'confirmation_required'))
  }
})

test('what would leave now is counted of the projects that the caller sees', async () => {
  const { api, projectApi, projectId, db, newProject } = await world()
  const other = await newProject()
  await fill(db, other, 'google', 4)
  await fill(db, projectId, 'google', 2)
  await fill(db, projectId, 'google', 7, 'scheduled')
  await api.post('sending/hold', { because: 'We move.' })
  await send(projectApi)
  await db.run(sql`delete from queue_picture_times`)
  expect((await projectApi.get('sending')).body).toMatchObject({
    held: true,
    because: 'We move.',
    since: expect.any(String),
    due: { emails: 3, webhooks: 0, sms: 0 },
  })
  expect((await api.get('sending')).body).toMatchObject({ due: { emails: 7 } })
  await db.run(sql`update deliveries set due_at = clock_now() where state = 'waiting'`)
  await db.run(sql`delete from queue_picture_times`)
  expect((await projectApi.get('sending')).body).toMatchObject({ due: { emails: 10 } })
  expect((await projectApi.get('sending?due=false')).body).toMatchObject({ held: true, due: null })
})

test('who holds or pauses in an emergency does not wait for the queue to be counted', async () => {
  const { api, projectApi, db } = await world()
  await db.transaction(async (tx) => {
    await lockPicture(tx)
    await tx.run(sql`delete from queue_picture_times`)
    expect(await api.post('sending/hold', { because: 'We move.' })).toMatchObject({ status: 200, body: { held: true } })
    const paused = { status: 200, body: { state: 'paused' } }
    expect(await projectApi.post('queue/google/pause', {})).toMatchObject(paused)
    expect(await projectApi.get('sending?due=false')).toMatchObject({ status: 200, body: { held: true } })
  })
})

test('a name that no destination can have is not found, and one that nothing waits for is', async () => {
  const { db, projectApi } = await tenant()
  for (const name of ['a b', 'ä', 'x'.repeat(301), '%00']) {
    expect(await projectApi.get(`queue/${name}`)).toMatchObject({ status: 404 })
  }
  expect(await destinationOf(db, projectApi, 'nobody.example')).toMatchObject({
    waiting: 0,
    state: 'flows',
    replies: [],
    hosts: [],
  })
})

test('a project pauses a thousand destinations and no more', async () => {
  const { db, projectApi, projectId } = await tenant()
  await db.run(sql`
    insert into destination_holds (id, workspace_id, project_id, destination)
    select gen_random_uuid(), workspace_id, projects.id, 'site' || n
      from projects cross join generate_series(1, 1000) as n where projects.id = ${uuidOf(projectId)}`)
  expect(await projectApi.post('queue/one-more.example/pause')).toMatchObject(refusal(403, 'quota_exceeded'))
})

test('in a paused project nothing is tried at once', async () => {
  const { api, projectApi, projectId } = await tenant()
  await api.patch(`projects/${projectId}`, { status: 'paused' })
  expect(await projectApi.post('queue/google/retry')).toMatchObject(refusal(403, 'project_paused'))
})
