import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { hoursFromNow } from '../support/emails.ts'
import { eventually } from '../support/eventually.ts'
import { mailWorld, type MailWorld } from '../support/mail-world.ts'
import { accepted } from '../support/world.ts'

const setStatus = ({ api, projectId }: MailWorld, status: 'active' | 'paused') =>
  api.patch(`projects/${projectId}`, { status })

/** The worker has looked at everything whose time has come. */
const nothingIsDue = ({ db }: MailWorld) =>
  eventually('nothing is due any more', async () => {
    const due = await db.all(sql`
      select from deliveries
       where state in ('ready', 'claimed', 'in_flight') or (state = 'waiting' and due_at <= clock_now())`)
    return due.length === 0
  })

const idsIn = async ({ projectApi }: MailWorld, status: string) =>
  (await projectApi.get<{ data: { id: string }[] }>(`emails?status=${status}`)).body.data.map(({ id }) => id).toSorted()

test('mail that falls due in a paused project stays scheduled, and leaves when the project goes on', async () => {
  const here = await mailWorld()
  const { send, email, becomes, advance, projectApi, sink } = here
  const sendAt = hoursFromNow(1)
  const [left, cancelled, moved] = [
    await send('left@sink.test', { sendAt, cc: 'too@sink.test' }),
    await send('cancelled@sink.test', { sendAt }),
    await send('moved@sink.test', { sendAt }),
  ]
  await setStatus(here, 'paused')
  await advance({ hours: 2 })
  await nothingIsDue(here)

  expect(await email(left)).toMatchObject({
    status: 'scheduled',
    sendAt,
    counts: { scheduled: 2 },
    recipients: [
      { status: 'scheduled', attempts: 0, nextAttemptAt: null },
      { status: 'scheduled', attempts: 0, nextAttemptAt: null },
    ],
  })
  expect(await idsIn(here, 'scheduled')).toEqual([left, cancelled, moved].toSorted())
  expect([...(await idsIn(here, 'queued')), ...(await idsIn(here, 'deferred'))]).toEqual([])
  expect(await projectApi.post(`emails/${cancelled}/cancel`)).toMatchObject({
    status: 200,
    body: { status: 'cancelled' },
  })
  const later = hoursFromNow(5)
  expect(await projectApi.post(`emails/${moved}/reschedule`, { sendAt: later })).toMatchObject({
    status: 200,
    body: { status: 'scheduled', sendAt: later, recipients: [{ nextAttemptAt: later }] },
  })

  await setStatus(here, 'active')
  const arrived = await becomes(left, 'delivered')
  expect(arrived).toMatchObject({ recipients: [{ attempts: 1 }, { attempts: 1 }] })
  expect(arrived.events.map(({ type }) => type)).toEqual(['email.delivered', 'email.delivered'])
  expect(await email(moved)).toMatchObject({ status: 'scheduled' })
  await advance({ hours: 4 })
  await becomes(moved, 'delivered')
  expect(await email(cancelled)).toMatchObject({ status: 'cancelled' })
  expect(sink.taken.map(({ to }) => to).toSorted()).toEqual(['left@sink.test', 'moved@sink.test', 'too@sink.test'])
})

test('moved to now, it still waits for its project; archived with it, it is cancelled', async () => {
  const here = await mailWorld({ bare: true })
  const { send, email, advance, projectApi, api, projectId, config } = here
  const mail = { from: config.sandboxSender, sendAt: hoursFromNow(1) }
  const id = await send(`ann@${config.simulatorDomain}`, mail)
  await setStatus(here, 'paused')
  await advance({ hours: 2 })
  await nothingIsDue(here)
  expect(await projectApi.post(`emails/${id}/reschedule`, { sendAt: hoursFromNow(0) })).toMatchObject({ status: 200 })
  here.services.doorbell.ring('deliveries')
  await nothingIsDue(here)
  expect(await email(id)).toMatchObject({ status: 'scheduled' })
  await api.delete(`projects/${projectId}`)
  expect(await email(id)).toMatchObject({ status: 'cancelled', recipients: [{ attempts: 0 }] })
})

test('300 are cancelled and moved while their project goes on: never both, never neither', async () => {
  const here = await mailWorld()
  const { projectApi, from, advance, sink } = here
  const people = Array.from({ length: 300 }, (_, i) => `user${i}@sink.test`)
  const ids = new Map<string, string>()
  for (let at = 0; at < people.length; at += 100) {
    const some = people.slice(at, at + 100)
    const emails = some.map((to) => ({ from, to, subject: 'Later', text: 'Now.', sendAt: hoursFromNow(1) }))
    const { data } = accepted(await projectApi.post<{ data: { id: string }[] }>('email/batch', { emails }))
    data.forEach(({ id }, i) => ids.set(some[i]!, id))
  }
  await setStatus(here, 'paused')
  await advance({ hours: 2 })
  await nothingIsDue(here)
  const answers = new Map<string, number>()
  let resumed: Promise<unknown> | undefined
  for (const [i, to] of people.entries()) {
    // In the middle of it, and so that it takes its effect while the others are asked for.
    if (i === 60) resumed = setStatus(here, 'active')
    // Whoever is quicker than the worker waits until that has begun, so that both sides win sometimes.
    if (i === 240) await eventually('the worker has begun', () => sink.taken.length > 0)
    const [move, body] = i % 2 === 0 ? ['cancel'] : ['reschedule', { sendAt: hoursFromNow(24 * 300) }]
    const { status } = await projectApi.post(`emails/${ids.get(to)}/${move}`, body)
    answers.set(to, status)
  }
  await resumed
  const [won, lost] = [200, 409].map((status) => people.filter((to) => answers.get(to) === status))
  expect(won!.length + lost!.length).toBe(people.length)
  expect(Math.min(won!.length, lost!.length)).toBeGreaterThan(20)
  await eventually('what was not stopped has arrived', () => sink.taken.length >= lost!.length)
  await nothingIsDue(here)
  expect(sink.taken.map(({ to }) => to).toSorted()).toEqual(lost!.toSorted())
})
