import { expect, test } from 'vitest'
import { at, hoursFromNow, post, problemsOf, read, refusal, rowsOf, send, type ShownEmail } from '../support/emails.ts'
import { eventually } from '../support/eventually.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Client } from '../support/client.ts'
import { created, tenants, world, type World } from '../support/world.ts'

const tenant = tenants()

const cancel = (client: Client, { id }: { id: string }, body?: unknown) =>
  client.post<ShownEmail & { state?: string }>(`emails/${id}/cancel`, body)

const reschedule = (client: Client, { id }: { id: string }, sendAt: unknown) =>
  client.post<ShownEmail & { state?: string }>(`emails/${id}/reschedule`, { sendAt })

const audited = ({ db }: World, id: string) =>
  db.all(sql<{ action: string; details: object; request: string }>`
    select action, details, request_id as request from audit_log where subject = ${id} order by id`)

test('an email with a time is scheduled for it', async () => {
  const { projectApi } = await tenant()
  const sendAt = hoursFromNow(1)
  const sent = await send(projectApi, { sendAt, to: [at('ann'), at('bob')] })
  expect(sent).toMatchObject({ status: 'scheduled', sendAt })
  expect(await read(projectApi, sent)).toMatchObject({
    status: 'scheduled',
    sendAt,
    sentAt: null,
    recipients: [
      { status: 'scheduled', nextAttemptAt: sendAt },
      { status: 'scheduled', nextAttemptAt: sendAt },
    ],
  })
})

test('a time may have any offset, and comes back in UTC', async () => {
  const { projectApi } = await tenant()
  const moment = new Date(Date.now() + 86_400_000)
  const shifted = (minutes: number) => new Date(moment.getTime() + minutes * 60_000).toISOString().slice(0, -1)
  for (const [offset, minutes] of Object.entries({ Z: 0, '+02:00': 120, '-11:30': -690, '+14:00': 840 })) {
    expect(await send(projectApi, { sendAt: `${shifted(minutes)}${offset}` })).toMatchObject({
      status: 'scheduled',
      sendAt: moment.toISOString(),
    })
  }
})

test('up to five minutes late means now, and up to a year ahead is in reach', async () => {
  const { projectApi } = await tenant()
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const year = 365 * 24 * 60
  expect(await send(projectApi, { sendAt: inMinutes(-4.9) })).toMatchObject({ status: 'queued' })
  expect(await send(projectApi, { sendAt: inMinutes(year - 1) })).toMatchObject({ status: 'scheduled' })
  for (const minutes of [-5.1, -year, year + 1]) {
    expect(problemsOf(await post(projectApi, { sendAt: inMinutes(minutes) })), String(minutes)).toEqual(['/sendAt'])
  }
})

test('a scheduled email is cancelled for good', async () => {
  const here = await world()
  const { projectApi, db } = here
  const sent = await send(projectApi, { sendAt: hoursFromNow(1), cc: at('bob') })
  const cancelled = await cancel(projectApi, sent)
  expect(cancelled).toMatchObject({
    status: 200,
    body: { id: sent.id, status: 'cancelled', counts: { cancelled: 2 }, events: [] },
  })
  expect(await read(projectApi, sent)).toEqual(cancelled.body)
  expect(await rowsOf(db)).toMatchObject({ recipients: 2 })
  expect(await rowsOf(db)).not.toHaveProperty('deliveries')
  const refused = { status: 409, body: { code: 'invalid_state', state: 'cancelled' } }
  expect(await cancel(projectApi, sent)).toMatchObject(refused)
  expect(await reschedule(projectApi, sent, hoursFromNow(2))).toMatchObject(refused)
  expect(await audited(here, sent.id)).toEqual([
    { action: 'email.cancelled', details: {}, request: cancelled.headers.get('x-request-id') },
  ])
})

test('a scheduled email is moved, earlier or later, as often as one likes', async () => {
  const here = await world()
  const { projectApi } = here
  const sent = await send(projectApi, { sendAt: hoursFromNow(5), cc: at('bob') })
  const times = [hoursFromNow(9), hoursFromNow(1), hoursFromNow(-0.01)]
  for (const sendAt of times) {
    const moved = await reschedule(projectApi, sent, sendAt)
    expect(moved).toMatchObject({ status: 200, body: { id: sent.id, status: 'scheduled', sendAt } })
    expect(moved.body.recipients.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([sendAt, sendAt])
    expect(await read(projectApi, sent)).toEqual(moved.body)
  }
  expect((await audited(here, sent.id)).map(({ action, details }) => [action, details])).toEqual(
    times.map((sendAt) => ['email.rescheduled', { sendAt }]),
  )
})

test('an email that is not scheduled can be neither cancelled nor moved', async () => {
  const here = await world()
  const { projectApi } = here
  const sent = await send(projectApi)
  const refused = { status: 409, body: { code: 'invalid_state', state: 'queued' } }
  expect(await cancel(projectApi, sent)).toMatchObject(refused)
  expect(await reschedule(projectApi, sent, hoursFromNow(1))).toMatchObject(refused)
  expect(await audited(here, sent.id)).toEqual([])
})

test('the refusal says what was asked for, and in which state the email is', async () => {
  const { projectApi } = await tenant()
  const sent = await send(projectApi)
  const said = (deed: string, state: string) =>
    `Only an email that is still scheduled can be ${deed}; this one is ${state}.`
  expect((await cancel(projectApi, sent)).body).toMatchObject({ error: said('cancelled', 'queued') })
  expect((await reschedule(projectApi, sent, hoursFromNow(1))).body).toMatchObject({ error: said('moved', 'queued') })
  const gone = await send(projectApi, { sendAt: hoursFromNow(1) })
  await cancel(projectApi, gone)
  expect((await cancel(projectApi, gone)).body).toMatchObject({ error: said('cancelled', 'cancelled') })
})

test('a new time is as good as a first one', async () => {
  const { projectApi } = await tenant()
  const sent = await send(projectApi, { sendAt: hoursFromNow(1) })
  for (const sendAt of [undefined, null, 'soon', '2030-01-01T00:00:00', hoursFromNow(-1), hoursFromNow(366 * 24)]) {
    expect(problemsOf(await reschedule(projectApi, sent, sendAt)), String(sendAt)).toEqual(['/sendAt'])
  }
  expect(problemsOf(await projectApi.post(`emails/${sent.id}/reschedule`, { sendAt: hoursFromNow(1), x: 1 }))).toEqual([
    '/x',
  ])
  expect(await read(projectApi, sent)).toMatchObject({ sendAt: sent.sendAt })
})

test('cancel takes no body, or an empty one', async () => {
  const { projectApi } = await tenant()
  const soon = () => send(projectApi, { sendAt: hoursFromNow(1) })
  const email = await soon()
  expect(problemsOf(await cancel(projectApi, email, { reason: 'x' }))).toEqual(['/reason'])
  expect(await cancel(projectApi, email, {})).toMatchObject({ status: 200 })
  expect(await cancel(projectApi, await soon())).toMatchObject({ status: 200 })
})

test('a workspace key moves and cancels without naming the project; a wrong header finds nothing', async () => {
  const { api, projectApi, newProject } = await world()
  const sent = await send(projectApi, { sendAt: hoursFromNow(1) })
  const elsewhere = { 'x-service-project-id': await newProject() }
  expect(await api.post(`emails/${sent.id}/cancel`, {}, elsewhere)).toMatchObject(refusal(404, 'not_found'))
  expect(await reschedule(api, sent, hoursFromNow(2))).toMatchObject({ status: 200 })
  expect(await cancel(api, sent)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
})

test('a cancelled email is cancelled, also where somebody was suppressed from the start', async () => {
  const { projectApi } = await tenant()
  created(await projectApi.post('suppressions', { email: at('gone') }))
  const sent = await send(projectApi, { to: [at('gone'), at('ann')], sendAt: hoursFromNow(1) })
  expect((await cancel(projectApi, sent)).body).toMatchObject({
    status: 'cancelled',
    counts: { cancelled: 1, suppressed: 1 },
  })
})

test('of many who cancel at once one does it', async () => {
  const { projectApi } = await tenant()
  const sent = await send(projectApi, { sendAt: hoursFromNow(1) })
  const replies = await Promise.all(Array.from({ length: 20 }, () => cancel(projectApi, sent)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(409)])
})

test('cancelling waits for whoever holds the email, and then looks again', async () => {
  const { projectApi, db } = await world()
  const sent = await send(projectApi, { sendAt: hoursFromNow(1) })
  let cancelling: ReturnType<typeof cancel> | undefined
  await db.transaction(async (tx) => {
    // As a worker does that takes it in this moment.
    await tx.run(sql`update deliveries set state = 'ready'`)
    cancelling = cancel(projectApi, sent)
    await eventually('it waits', async () => {
      const waiting = await db.one(sql<{ n: number }>`
        select count(*) as n from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`)
      return waiting.n > 0
    })
  })
  expect(await cancelling).toMatchObject({ status: 409, body: { code: 'invalid_state', state: 'queued' } })
})

test('scheduled mail of a paused project can still be cancelled and moved', async () => {
  const { api, projectApi, projectId } = await world()
  const sent = await send(projectApi, { sendAt: hoursFromNow(1) })
  await api.patch(`projects/${projectId}`, { status: 'paused' })
  expect(await reschedule(projectApi, sent, hoursFromNow(2))).toMatchObject({ status: 200 })
  expect(await cancel(projectApi, sent)).toMatchObject({ status: 200 })
})

test('archiving a project cancels what it has not sent, and nothing of others', async () => {
  const { api, projectApi, projectId, newProject, clientWith } = await world()
  const other = await clientWith({ scopes: ['*'], projectId: await newProject() })
  const scheduled = await send(projectApi, { sendAt: hoursFromNow(1), cc: at('bob') })
  const queued = await send(projectApi)
  const theirs = await send(other, { sendAt: hoursFromNow(1) })
  await api.delete(`projects/${projectId}`)
  expect(await read(api, scheduled)).toMatchObject({ status: 'cancelled', counts: { cancelled: 2 } })
  expect(await read(api, queued)).toMatchObject({ status: 'cancelled' })
  expect(await read(api, theirs)).toMatchObject({ status: 'scheduled' })
})
