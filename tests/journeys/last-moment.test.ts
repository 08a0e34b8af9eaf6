import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import type { Client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { mailWorld, steadyPauses, type MailWorld } from '../support/mail-world.ts'

/** How long after our yes something may still leave. */
const SECOND = 1_000
/** Slow in different places, so that messages are anywhere between the queue and their last dot. */
const slow = Array.from(
  { length: 8 },
  (_, n) => `tarpit-${200 + 50 * n}${n % 2 === 0 ? '' : '-at-data'}+${n}@sink.test`,
)

test('whoever is suppressed while mail to them is on its way gets nothing more', async () => {
  const here = await mailWorld({ circumstances: steadyPauses })
  const { send, email, sink, projectApi, advance } = here
  const scheduled = await send('later@sink.test', { sendAt: new Date(Date.now() + 600_000).toISOString() })
  const ids = await Promise.all(slow.map((to) => send(to)))
  await eventually('the first is through', () => sink.taken.length > 0)
  const since = new Map<string, number>()
  await Promise.all(
    [...slow, 'later@sink.test'].map(async (address) => {
      expect((await projectApi.post('suppressions', { email: address })).status).toBe(201)
      since.set(address, performance.now())
    }),
  )
  await advance({ minutes: 11 })
  const emails = await eventually('all are finished', async () => {
    const found = await Promise.all([...ids, scheduled].map(email))
    return found.every(({ status }) => status === 'delivered' || status === 'suppressed') && found
  })
  for (const { to, at } of sink.taken) expect(at - since.get(to)!, to).toBeLessThan(SECOND)
  const taken = new Set(sink.taken.map(({ to }) => to))
  for (const { status, recipients, events } of emails) {
    expect(status).toBe(taken.has(recipients[0]!.email) ? 'delivered' : 'suppressed')
    expect(events).toMatchObject([{ type: `email.${status}` }])
    if (status === 'suppressed') expect(recipients).toMatchObject([{ attempts: 0 }])
  }
  expect(emails.at(-1)!.status).toBe('suppressed')
  expect(emails.slice(0, -1).some(({ status }) => status === 'suppressed')).toBe(true)
})

test('a permission does not outlive the patience that a slow server asks for', async () => {
  const { send, becomes, sink, projectApi } = await mailWorld()
  const to = 'tarpit-2s@sink.test'
  const id = await send(to)
  const wire = () => sink.connections.map(({ chunks }) => Buffer.concat(chunks).toString('latin1')).join('')
  await eventually('the server lets us wait', () => wire().includes(`RCPT TO:<${to}>`))
  expect((await projectApi.post('suppressions', { email: to })).status).toBe(201)
  expect((await becomes(id, 'suppressed')).events).toMatchObject([{ type: 'email.suppressed' }])
  expect(sink.taken).toEqual([])
})

test('the mail of a paused project is held wherever it is, and flows when the project goes on', async () => {
  const here = await mailWorld({ circumstances: steadyPauses })
  const { send, email, becomes, sink, projectApi, api, projectId, advance, from, db } = here
  const witness = await anotherProject(here)
  const scheduled = await send('later@sink.test', { sendAt: new Date(Date.now() + 600_000).toISOString() })
  const ids = await Promise.all(slow.map((to) => send(to)))
  await eventually('the first is through', () => sink.taken.length > 0)
  expect((await api.patch(`projects/${projectId}`, { status: 'paused' })).status).toBe(200)
  const paused = performance.now()
  const refused = await projectApi.post('email/send', { from, to: 'x@sink.test', subject: 'x', text: 'x' })
  expect([refused.status, refused.body['code']]).toEqual([403, 'project_paused'])
  await advance({ minutes: 11 })
  await nothingInHand(here)
  await becomes(await send('witness@sink.test', { from: 'w@witness.example' }, witness), 'delivered')
  // Its time has come, and that is all: no worker has taken it.
  const untouched = sql`select from deliveries where state = 'held' and lease_no = 0`
  await eventually('it is held', async () => (await db.all(untouched)).length === 1)
  await nothingInHand(here)
  expect(await email(scheduled)).toMatchObject({ status: 'scheduled', recipients: [{ attempts: 0 }] })

  const ours = () => sink.taken.filter(({ to }) => to !== 'witness@sink.test')
  for (const { to, at } of ours()) expect(at - paused, to).toBeLessThan(SECOND)
  const early = new Set(ours().map(({ to }) => to))
  expect(early.size).toBeLessThan(slow.length)
  for (const { status, recipients } of await Promise.all(ids.map(email))) {
    const isEarly = early.has(recipients[0]!.email)
    expect(status, recipients[0]!.email).toMatch(isEarly ? /^delivered$/ : /^(queued|deferred)$/)
    expect(recipients[0]!.attempts).toBe(isEarly ? 1 : 0)
  }

  expect((await api.patch(`projects/${projectId}`, { status: 'active' })).status).toBe(200)
  await Promise.all([...ids, scheduled].map((id) => becomes(id, 'delivered')))
  expect(
    ours()
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual([...slow, 'later@sink.test'].toSorted())
})

test('an archived project sends nothing more, what is scheduled is cancelled', async () => {
  const here = await mailWorld({ circumstances: steadyPauses })
  const { send, email, becomes, sink, api, newProject, clientWith, verifiedDomain, advance } = here
  const projectId = await newProject()
  const client = await clientWith({ projectId, scopes: ['*'] })
  await verifiedDomain('archived.example', client)
  const from = 'hello@archived.example'
  const scheduled = await send(
    'later@sink.test',
    { from, sendAt: new Date(Date.now() + 600_000).toISOString() },
    client,
  )
  const ids = await Promise.all(slow.map((to) => send(to, { from }, client)))
  await eventually('the first is through', () => sink.taken.length > 0)
  expect((await api.delete(`projects/${projectId}`)).status).toBe(200)
  const archived = performance.now()
  await advance({ minutes: 11 })
  const emails = await eventually('all are finished', async () => {
    const found = await Promise.all([...ids, scheduled].map(email))
    return found.every(({ status }) => status === 'delivered' || status === 'cancelled') && found
  })
  expect(emails.at(-1)).toMatchObject({ status: 'cancelled', recipients: [{ attempts: 0 }] })
  expect(emails.slice(0, -1).some(({ status }) => status === 'cancelled')).toBe(true)
  for (const { to, at } of sink.taken) expect(at - archived, to).toBeLessThan(SECOND)
  expect(sink.taken).toHaveLength(emails.filter(({ status }) => status === 'delivered').length)
  await becomes(await send('others@sink.test'), 'delivered')
})

async function anotherProject({ newProject, clientWith, verifiedDomain }: MailWorld): Promise<Client> {
  const client = await clientWith({ projectId: await newProject(), scopes: ['*'] })
  await verifiedDomain('witness.example', client)
  return client
}

/** No worker holds anything: whatever is left is in the queue, or out of it. */
const nothingInHand = ({ db }: MailWorld): Promise<unknown> =>
  eventually('no worker holds anything', async () => {
    const { held } = await db.one(sql<{ held: number }>`
      select count(*) as held from deliveries where state in ('ready', 'claimed', 'in_flight')`)
    return held === 0
  })
