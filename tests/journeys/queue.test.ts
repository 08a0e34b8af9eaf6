import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import type { Client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { impatient, mailWorld, steadyPauses, type MailWorld } from '../support/mail-world.ts'
import { destinationOf, queueOf, type DestinationDetail } from '../support/queue.ts'

/** The site of `sink.test`, once a worker has met it. */
const SITE = 'mx.sink.test'

/** The destination, once it is like that. */
const becomes = (here: MailWorld, name: string, is: (seen: DestinationDetail) => boolean, client = here.projectApi) =>
  eventually(`${name} is as expected`, async () => {
    const seen = await destinationOf(here.db, client, name)
    return is(seen) && seen
  })

async function anotherProject({ newProject, clientWith, verifiedDomain }: MailWorld): Promise<Client> {
  const client = await clientWith({ projectId: await newProject(), scopes: ['*'] })
  await verifiedDomain('witness.example', client)
  return client
}

const fromWitness = { from: 'w@witness.example' }

test('mail to a paused destination is deferred with the words of whoever paused it, and leaves after the resume', async () => {
  const here = await mailWorld({ circumstances: steadyPauses, workers: 2 })
  const { send, email, becomes: emailBecomes, sink, projectApi } = here
  const witness = await anotherProject(here)
  await emailBecomes(await send('first@sink.test'), 'delivered')
  const paused = await projectApi.post(`queue/${SITE}/pause`, { because: 'They call us spam' })
  expect(paused.status, paused.text).toBe(200)
  const ids = await Promise.all(['a', 'b', 'c'].map((name) => send(`${name}@sink.test`)))
  for (const id of ids) {
    const { recipients, events } = await emailBecomes(id, 'deferred')
    expect(recipients).toMatchObject([{ attempts: 0, nextAttemptAt: null, destination: SITE }])
    expect(events).toMatchObject([
      { type: 'email.deferred', detail: `Mail to ${SITE} is paused: They call us spam`, smtp: null },
    ])
  }
  const { body: known } = await projectApi.get('addresses/a@sink.test')
  expect(known).toMatchObject({ emails: { last: [{ status: 'deferred', explanation: null }] } })
  // Nobody else's mail is touched.
  await emailBecomes(await send('others@sink.test', fromWitness, witness), 'delivered')
  expect(sink.taken.map(({ to }) => to)).toEqual(['first@sink.test', 'others@sink.test'])
  expect(await destinationOf(here.db, projectApi, SITE)).toMatchObject({ state: 'paused', waiting: 3 })
  expect((await projectApi.post(`queue/${SITE}/resume`)).status).toBe(200)
  for (const id of ids) await emailBecomes(id, 'delivered')
  expect((await email(ids[0]!)).recipients).toMatchObject([{ attempts: 1, destination: SITE }])
})

test('mail that a pause held for days is tried after the resume for as long as any other, and then given up', async () => {
  const here = await mailWorld({ circumstances: steadyPauses })
  const { send, email, becomes: emailBecomes, projectApi, advance } = here
  await emailBecomes(await send('first@sink.test'), 'delivered')
  const id = await send('451-4.2.0@sink.test')
  const triedTimes = (times: number) =>
    eventually(`it was tried ${times} times`, async () => (await email(id)).recipients[0]!.attempts === times)
  await triedTimes(1)
  for (const tries of [2, 3]) {
    expect((await projectApi.post(`queue/${SITE}/pause`)).status).toBe(200)
    await advance({ hours: 1 })
    await eventually('it is held', async () => (await email(id)).recipients[0]!.nextAttemptAt === null)
    await advance({ hours: 72 })
    expect((await projectApi.post(`queue/${SITE}/resume`)).status).toBe(200)
    await triedTimes(tries)
    expect(await email(id)).toMatchObject({ status: 'deferred' })
  }
  await advance({ hours: 48 })
  const { events } = await emailBecomes(id, 'failed')
  expect(events.at(-1)!.detail).toMatch(/^Given up after two days\. Last: 451/)
})

test('mail whose site is found out on the way is held like the rest', async () => {
  const here = await mailWorld({ circumstances: steadyPauses })
  const { send, becomes: emailBecomes, sink, projectApi } = here
  expect((await projectApi.post(`queue/${SITE}/pause`)).status).toBe(200)
  // Nobody has met this domain before: it waits under its own name, and its server is the one that is paused.
  const id = await send('new@other.test')
  const { recipients, events } = await eventually('it is held there', async () => {
    const found = await here.email(id)
    return found.events.length > 0 && found
  })
  expect(recipients).toMatchObject([{ status: 'deferred', destination: SITE }])
  expect(events).toMatchObject([{ detail: `Mail to ${SITE} is paused.` }])
  expect(sink.taken).toEqual([])
  expect((await projectApi.post(`queue/${SITE}/resume`)).status).toBe(200)
  await emailBecomes(id, 'delivered')
})

test('a pause for everybody holds the mail of every project', async () => {
  const here = await mailWorld({ circumstances: steadyPauses })
  const { send, becomes: emailBecomes, sink, api, projectApi, projectId } = here
  const witness = await anotherProject(here)
  const inProject = { 'x-service-project-id': projectId }
  await api.post(`queue/${SITE}/pause`, { because: 'The address is blocked', everywhere: true }, inProject)
  const ids = [await send('a@sink.test'), await send('b@sink.test', fromWitness, witness)]
  for (const id of ids) await emailBecomes(id, 'deferred')
  expect(await destinationOf(here.db, witness, SITE)).toMatchObject({
    state: 'paused',
    paused: { everywhere: true, because: 'The address is blocked' },
  })
  expect(sink.taken).toEqual([])
  expect((await projectApi.post(`queue/${SITE}/resume`)).status).toBe(409)
  await api.post(`queue/${SITE}/resume`, { everywhere: true }, inProject)
  for (const id of ids) await emailBecomes(id, 'delivered')
})

test('a destination that answers "later" says so with the reply, in words, and when it is tried next', async () => {
  const here = await mailWorld({ circumstances: steadyPauses })
  const { send, becomes: emailBecomes, projectApi, db } = here
  const witness = await anotherProject(here)
  for (const name of ['450-4.2.0+1', '450-4.2.0+2', '450-4.2.0+3']) {
    await emailBecomes(await send(`${name}@sink.test`), 'deferred')
  }
  await emailBecomes(await send('fine@sink.test', fromWitness, witness), 'delivered')
  const seen = await becomes(here, SITE, ({ waiting, replies }) => waiting === 3 && replies[0]?.count === 3)
  expect(seen).toMatchObject({
    state: 'slowed',
    needsLook: true,
    lastReply: { code: 450, enhanced: '4.2.0', stage: 'rcpt', host: SITE },
    explanation: { title: expect.any(String), sentence: expect.any(String) },
    replies: [{ code: 450, enhanced: '4.2.0' }],
    hosts: [{ host: SITE, address: '127.0.0.1', attempts: 3, accepted: 0, last: 'refused', refused: null }],
  })
  expect(Date.parse(seen.nextTryAt!)).toBeGreaterThan(Date.parse(seen.asOf))
  const queue = await queueOf(db, projectApi, '?needsLook=true')
  expect(queue).toMatchObject({ waiting: 3, data: [{ destination: SITE, state: 'slowed' }] })
  // The other project sees its own numbers and hosts, and nothing of what was answered to others.
  const theirs = await becomes(here, SITE, ({ hosts }) => hosts.length > 0, witness)
  expect(theirs).toMatchObject({ waiting: 0, state: 'flows', lastReply: null, replies: [], explanation: null })
  expect(theirs.hosts).toMatchObject([{ attempts: 1, accepted: 1, last: 'accepted' }])
})

test('what one project heard when a destination was suspended explains it to another, without a word of the reply', async () => {
  const here = await mailWorld({ circumstances: steadyPauses })
  const { send, becomes: emailBecomes, sink, db } = here
  const witness = await anotherProject(here)
  sink.options.replies = { 'rcpt secret@sink.test': '421 4.7.0 secret@sink.test of posts.example: too many mails' }
  await emailBecomes(await send('first@sink.test', fromWitness, witness), 'delivered')
  await emailBecomes(await send('secret@sink.test'), 'deferred')
  // Its own replies are written a moment after the state of the destination.
  const own = await becomes(here, SITE, ({ state, lastReply }) => state !== 'flows' && lastReply?.text !== null)
  // Not even its own project hears to whom: whoever sees numbers need not see that.
  expect(own.lastReply!.text).toBe('…@… of posts.example: too many mails')
  const noted = await db.all(sql<{ text: string }>`select last_reply->>'text' as text from destination_states`)
  expect(noted.map(({ text }) => text).filter((text) => text?.includes('secret'))).toEqual([])
  await send('waits@sink.test', fromWitness, witness)
  const theirs = await becomes(here, SITE, ({ state, waiting }) => state !== 'flows' && waiting === 1, witness)
  expect(theirs).toMatchObject({ needsLook: true, lastReply: { code: 421, text: null }, replies: [] })
  expect(theirs.explanation).not.toBeNull()
  const answers = [theirs, await queueOf(db, witness)].map((answer) => JSON.stringify(answer)).join('')
  expect(answers).not.toMatch(/secret|posts\.example/)
})

test('a destination whose server does not answer is unreachable, and is forgotten with its worker', async () => {
  const here = await mailWorld({
    circumstances: { ...steadyPauses, ...impatient },
    zones: { 'gone.test': { MX: ['10 mx.gone.test'] }, 'mx.gone.test': { A: ['127.0.0.77'] } },
    workers: 0,
  })
  const worker = await here.startWorker()
  const id = await here.send('a@gone.test')
  await here.becomes(id, 'deferred')
  const seen = await becomes(here, 'mx.gone.test', ({ state }) => state === 'unreachable')
  expect(seen).toMatchObject({ waiting: 1, lastReply: { code: null, stage: 'connect' }, needsLook: true })
  const states = sql`select from destination_states`
  await eventually('the worker has written', async () => (await here.db.all(states)).length > 0)
  await worker.stop()
  expect(await here.db.all(states)).toEqual([])
})

test('what leaves is told while it leaves, and taken back when nothing does', async () => {
  const here = await mailWorld({ circumstances: steadyPauses })
  await here.becomes(await here.send('a@sink.test'), 'delivered')
  const written = sql<{ n: number }>`
    select count(*) as n from (select from destination_states union all select from project_flows) as rows`
  await eventually('it has told what left', async () => (await queueOf(here.db, here.projectApi)).leavingPerSecond > 0)
  await eventually('it has told that nothing does', async () => (await here.db.one(written)).n === 0)
})
