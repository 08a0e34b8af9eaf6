import { expect, test } from 'vitest'
import { makeAllDue } from '../jobs/world.ts'
import { addContact, newAudience, runJobs } from '../support/audiences.ts'
import { accountedFor, newBroadcast, readBroadcast, reconciliation, type BroadcastSeen } from '../support/broadcasts.ts'
import { moveClock } from '../support/clock.ts'
import { at, hoursFromNow } from '../support/emails.ts'
import { holdSending, resumeSending } from '../../src/dispatch/sending.ts'
import { sql } from '../../src/storage/sql.ts'
import { world, type World } from '../support/world.ts'

const states = ['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled'] as const
type State = (typeof states)[number]

/** The whole table: what each move makes of a broadcast. What is not here is refused. */
const moves: Record<string, Partial<Record<State, State | 'gone'>>> = {
  patch: { draft: 'draft' },
  delete: { draft: 'gone', scheduled: 'gone' },
  send: { draft: 'sending' },
  schedule: { draft: 'scheduled', scheduled: 'scheduled' },
  cancel: { scheduled: 'draft', sending: 'cancelled', paused: 'cancelled' },
  pause: { sending: 'paused' },
  resume: { paused: 'sending' },
}

const move = ({ projectApi }: World, id: string, name: string) => {
  if (name === 'patch') return projectApi.patch(`broadcasts/${id}`, { name: 'Other' })
  if (name === 'delete') return projectApi.delete(`broadcasts/${id}`)
  const body = name === 'schedule' ? { sendAt: hoursFromNow(2) } : undefined
  return projectApi.post(`broadcasts/${id}/${name}`, body)
}

/** A broadcast to one person, on the way that leads to this state. */
async function inState(here: World, state: State): Promise<BroadcastSeen> {
  const { projectApi } = here
  const audience = await newAudience(projectApi)
  const { email } = await addContact(projectApi, audience, at('ann'))
  const broadcast = await newBroadcast(projectApi, audience)
  const way = {
    draft: [],
    scheduled: ['schedule'],
    sending: ['send'],
    paused: ['send', 'pause'],
    sent: ['send'],
    cancelled: ['send', 'cancel'],
  }[state]
  for (const name of way) expect((await move(here, broadcast.id, name)).status, name).toBeLessThan(300)
  if (state === 'sent') {
    // With nobody left to wait for.
    await projectApi.delete(`audiences/${audience}/contacts/${email}`)
    await runJobs(here)
  }
  const seen = await readBroadcast(projectApi, broadcast)
  expect(seen.status).toBe(state)
  return seen
}

test('every move is possible from the states of the table, and refused from all others', async () => {
  const here = await world()
  for (const state of states) {
    for (const [name, table] of Object.entries(moves)) {
      const { id } = await inState(here, state)
      const { status, body } = await move(here, id, name)
      const after = await here.projectApi.get<BroadcastSeen>(`broadcasts/${id}`)
      const expected = table[state]
      if (expected === undefined) {
        expect({ status, code: body['code'], state: body['state'] }, `${name} of ${state}`).toEqual({
          status: 409,
          code: 'invalid_state',
          state,
        })
        expect(after.body.status).toBe(state)
      } else {
        expect(status, `${name} of ${state}`).toBe(name === 'send' ? 202 : 200)
        if (expected === 'gone') expect(after.status).toBe(404)
        else expect(after.body.status).toBe(expected)
      }
    }
  }
})

test('a cancelled broadcast is a draft again: without a time, and free to be changed, sent or deleted', async () => {
  const here = await world()
  const { id, sendAt } = await inState(here, 'scheduled')
  expect(sendAt).not.toBeNull()
  expect((await move(here, id, 'cancel')).body).toMatchObject({ status: 'draft', sendAt: null })
  expect((await move(here, id, 'patch')).status).toBe(200)
  expect((await move(here, id, 'schedule')).body).toMatchObject({ status: 'scheduled' })
  await move(here, id, 'cancel')
  // The job that waited for its time finds nothing to do.
  await moveClock(here.db, 3 * 3_600)
  await makeAllDue(here.db)
  await runJobs(here)
  expect(await readBroadcast(here.projectApi, { id })).toMatchObject({ status: 'draft', startedAt: null })
})

test('a broadcast that is cancelled while it is sent ends: those who have no message yet get none, and all are counted', async () => {
  const here = await world()
  const { projectApi, db, services } = here
  const audience = await newAudience(projectApi)
  const people = Array.from({ length: 12 }, (_, i) => at(`user${i}`))
  for (const email of people) await addContact(projectApi, audience, email)
  const { id } = await newBroadcast(projectApi, audience, { throttle: { perMinute: 30 } })
  await move(here, id, 'send')
  await runJobs(here)
  // Five have an email; one of those was tried and is put off, one is in the hands of a worker.
  const emails = await db.all(sql<{ id: string }>`select id from deliveries order by id`)
  expect(emails).toHaveLength(5)
  await db.run(sql`update deliveries set state = 'waiting', attempts = 1 where id = ${emails[0]!.id}`)
  await db.run(sql`update broadcast_counts set deferred = 1`)
  await db.run(sql`update deliveries set state = 'in_flight', lease_worker = id where id = ${emails[1]!.id}`)
  const { status, body } = await projectApi.post<BroadcastSeen>(`broadcasts/${id}/cancel`)
  expect({ status, body }).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  expect(body.completedAt).not.toBeNull()
  expect(accountedFor(body)).toBe(12)

  await makeAllDue(db)
  await runJobs(here)
  const seen = await readBroadcast(projectApi, { id })
  expect(seen.stats).toMatchObject({ recipients: 12, queued: 1, deferred: 0, cancelled: 11 })
  expect(await reconciliation(projectApi, { id })).toMatchObject([{ status: 'sending' }])
  const { body: listed } = await projectApi.get<{ data: { status: string }[] }>('emails?status=cancelled')
  expect(listed.data).toHaveLength(4)
  // What the worker held comes back to be tried again; it is not.
  await db.run(sql`update deliveries set state = 'waiting', lease_worker = null`)
  await services.sendingBroadcasts.attend()
  await makeAllDue(db)
  await runJobs(here)
  const after = await readBroadcast(projectApi, { id })
  expect(after).toMatchObject({ status: 'cancelled', stats: { recipients: 12, queued: 0, cancelled: 12 } })
  expect(await reconciliation(projectApi, { id })).toEqual([])
  // Nobody looks after it any more.
  await services.sendingBroadcasts.attend()
  expect(await db.all(sql`select 1 from jobs where kind = 'broadcasts.advance'`)).toEqual([])
})

test('one that is cancelled before anybody was written down says how many would have got it', async () => {
  const here = await world()
  const { projectApi } = here
  const { id } = await inState(here, 'cancelled')
  await runJobs(here)
  expect(await readBroadcast(projectApi, { id })).toMatchObject({ stats: { recipients: 1, queued: 0, cancelled: 1 } })
})

test('a scheduled broadcast starts when its time has come, and not before', async () => {
  const here = await world()
  const { projectApi, db } = here
  const { id } = await inState(here, 'scheduled')
  const status = async () => {
    await makeAllDue(db)
    await runJobs(here)
    return (await readBroadcast(projectApi, { id })).status
  }
  expect(await status()).toBe('scheduled')
  await projectApi.post(`broadcasts/${id}/schedule`, { sendAt: hoursFromNow(5) })
  await moveClock(db, 3 * 3_600)
  expect(await status()).toBe('scheduled')
  await moveClock(db, 6 * 3_600)
  expect(await status()).toBe('sending')
  expect((await readBroadcast(projectApi, { id })).stats.recipients).toBe(1)
})

test('while sending is held a broadcast whose time has come stays scheduled; it starts afterwards, unless it was cancelled', async () => {
  const here = await world()
  const { projectApi, db, services } = here
  const [kept, cancelled] = [await inState(here, 'scheduled'), await inState(here, 'scheduled')]
  const statuses = async () => {
    await makeAllDue(db)
    await runJobs(here)
    return Promise.all([kept, cancelled].map(async (one) => (await readBroadcast(projectApi, one)).status))
  }
  await holdSending(db, 'a test')
  await moveClock(db, 6 * 3_600)
  expect(await statuses()).toEqual(['scheduled', 'scheduled'])
  expect((await move(here, cancelled.id, 'cancel')).status).toBe(200)
  await resumeSending(db)
  await services.sendingBroadcasts.attend()
  expect(await statuses()).toEqual(['sending', 'draft'])
})

test('what cannot be sent when its time comes is a draft again, and says why', async () => {
  const here = await world()
  const { projectApi, db } = here
  const { id, audienceId } = await inState(here, 'scheduled')
  await projectApi.patch(`audiences/${audienceId}/contacts/${at('ann')}`, { subscribed: false })
  await moveClock(db, 3 * 3_600)
  await makeAllDue(db)
  await runJobs(here)
  const seen = await readBroadcast(projectApi, { id })
  expect(seen).toMatchObject({ status: 'draft', sendAt: null, problem: expect.stringContaining('Nobody') })
  const { body } = await projectApi.patch<BroadcastSeen>(`broadcasts/${id}`, {})
  expect(body.problem).toBeNull()
})

test('a scheduled broadcast waits for its paused project, and starts when that goes on', async () => {
  const here = await world()
  const { projectApi, api, projectId, db } = here
  const { id } = await inState(here, 'scheduled')
  await api.patch(`projects/${projectId}`, { status: 'paused' })
  await moveClock(db, 3 * 3_600)
  await makeAllDue(db)
  await runJobs(here)
  expect((await readBroadcast(projectApi, { id })).status).toBe('scheduled')
  await api.patch(`projects/${projectId}`, { status: 'active' })
  await runJobs(here)
  expect((await readBroadcast(projectApi, { id })).status).toBe('sending')
})

test('archiving a project cancels what is scheduled and ends what is being sent', async () => {
  const here = await world()
  const { api, projectId, db } = here
  const scheduled = await inState(here, 'scheduled')
  const fed = await inState(here, 'sending')
  const paused = await inState(here, 'paused')
  await runJobs(here)
  const untouched = await inState(here, 'sending')
  await api.delete(`projects/${projectId}`)
  await makeAllDue(db)
  await runJobs(here)
  const seen = async ({ id }: BroadcastSeen) =>
    (await api.get<BroadcastSeen>(`broadcasts/${id}`, { headers: { 'x-service-project-id': projectId } })).body
  expect(await seen(scheduled)).toMatchObject({ status: 'draft', sendAt: null })
  for (const one of [fed, paused]) {
    const after = await seen(one)
    expect(after).toMatchObject({ status: 'sent', stats: { recipients: 1, queued: 0, cancelled: 1 } })
  }
  // Nobody had been written down yet.
  expect(await seen(untouched)).toMatchObject({ status: 'sent', stats: { recipients: 0 } })
})

test('of fifty who send at once one does, and everybody in the audience gets one email', async () => {
  const here = await world()
  const { projectApi, db } = here
  const other = (await here.anotherApi()).with(projectApi.key)
  const audience = await newAudience(projectApi)
  const people = Array.from({ length: 20 }, (_, i) => at(`user${i}`))
  for (const email of people) await addContact(projectApi, audience, email)
  const { id } = await newBroadcast(projectApi, audience)
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? projectApi : other).post(`broadcasts/${id}/send`)),
  )
  const answers = replies.map(({ status }) => status).toSorted()
  expect(answers).toEqual([202, ...Array.from({ length: 49 }, () => 409)])
  await Promise.all([runJobs(here), runJobs(here)])
  const outstanding = await reconciliation(projectApi, { id })
  expect(outstanding.map(({ email }) => email).toSorted()).toEqual(people.toSorted())
  const { emails, contents } = await db.one(sql<{ emails: number; contents: number }>`
    select (select count(*) from emails) as emails, (select count(*) from contents) as contents`)
  expect({ emails, contents }).toEqual({ emails: 20, contents: 1 })
})

test('send, delete and cancel in the same moment: one of the stories that could have been', async () => {
  const here = await world()
  const { projectApi } = here
  const audience = await newAudience(projectApi)
  await addContact(projectApi, audience, at('ann'))
  const winners = new Set<string>()
  const race = async (from: 'draft' | 'scheduled', headStart: number): Promise<void> => {
    const { id } = await newBroadcast(projectApi, audience)
    if (from === 'scheduled') await move(here, id, 'schedule')
    const names = ['send', 'delete', 'cancel'].toSorted(() => Math.random() - 0.5)
    const replies = await Promise.all(
      names.map(async (name) => {
        // Sending looks at more before it moves. The others look around for a while too, or they would always win.
        const looks = name === 'send' ? 0 : headStart
        for (let i = 0; i < looks; i++) await projectApi.get(`broadcasts/${id}`)
        return move(here, id, name)
      }),
    )
    const [send, remove, cancel] = ['send', 'delete', 'cancel'].map((name) => replies[names.indexOf(name)]!.status)
    // Sent or deleted, never both; from the schedule it cannot be sent unless it was cancelled before.
    expect(remove === 200).toBe(send !== 202)
    // A draft has nothing to cancel, unless it was sent before.
    if (from === 'draft' && cancel === 200) expect(send).toBe(202)
    if (from === 'scheduled' && send === 202) expect(cancel).toBe(200)
    const ending = from === 'draft' && cancel === 200 ? 'cancelled' : 'sending'
    for (const status of [send, remove, cancel]) expect([200, 202, 404, 409]).toContain(status)
    const after = await projectApi.get<BroadcastSeen>(`broadcasts/${id}`)
    expect(after.status === 404 ? 'gone' : after.body.status).toBe(remove === 200 ? 'gone' : ending)
    winners.add(`${from} ${send === 202 ? 'send' : 'delete'}`)
  }
  for (let round = 0; round < 20 || (winners.size < 3 && round < 100); round++) {
    await Promise.all([race('draft', round % 8), race('scheduled', round % 8)])
  }
  // A race that only one side ever wins is none.
  expect([...winners]).toEqual(expect.arrayContaining(['draft send', 'draft delete', 'scheduled delete']))
})

test('a draft that changes while it is being sent is sent as it was, or as it is, and never half', async () => {
  const here = await world()
  const { projectApi, db } = here
  const audience = await newAudience(projectApi)
  await addContact(projectApi, audience, at('ann'))
  for (let round = 0; round < 20; round++) {
    const { id } = await newBroadcast(projectApi, audience, { subject: 'first', html: 'first' })
    const [sent, changed] = await Promise.all([
      projectApi.post(`broadcasts/${id}/send`),
      projectApi.patch(`broadcasts/${id}`, { subject: 'second', html: 'second' }),
    ])
    expect(sent.status).toBe(202)
    const version = changed.status === 200 ? 'second' : 'first'
    expect(await db.one(sql`select subject, html from contents order by id desc limit 1`)).toEqual({
      subject: version,
      html: version,
    })
  }
})
