import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import type { Client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { mailWorld, steadyPauses, type MailWorld } from '../support/mail-world.ts'
import { accepted } from '../support/world.ts'

const SITE = 'mx.sink.test'
const MAILS = 1_000

/** Sends to everybody, a hundred at a time. */
async function sendAll({ projectApi, from }: MailWorld, recipients: readonly string[]): Promise<void> {
  for (let i = 0; i < recipients.length; i += 100) {
    const emails = recipients.slice(i, i + 100).map((to) => ({ from, to, subject: 'Hello', text: 'Hello.' }))
    accepted(await projectApi.post('email/batch', { emails }))
  }
}

async function anotherProject({ newProject, clientWith, verifiedDomain }: MailWorld): Promise<Client> {
  const client = await clientWith({ projectId: await newProject(), scopes: ['*'] })
  await verifiedDomain('witness.example', client)
  return client
}

const statesIn = async ({ db }: MailWorld): Promise<Record<string, number>> => {
  const rows = await db.all(sql<{ state: string; n: number }>`
    select state, count(*) as n from deliveries group by 1`)
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}

const nothingInHand = (here: MailWorld): Promise<unknown> =>
  eventually('no worker has anything in its hands', async () => {
    const { ready = 0, claimed = 0, in_flight: inFlight = 0 } = await statesIn(here)
    return ready + claimed + inFlight === 0
  })

test('of mail that two workers send as fast as they can, none leaves once its next permission is asked for', async () => {
  const here = await mailWorld({ circumstances: steadyPauses, workers: 2 })
  const { sink, projectApi, send, becomes } = here
  const witness = await anotherProject(here)
  const recipients = Array.from({ length: MAILS }, (_, i) => `user${i}@sink.test`)
  await becomes(await send('first@sink.test'), 'delivered')
  await sendAll(here, recipients)
  await eventually('some have left', () => sink.taken.length > 100)
  const paused = await projectApi.post(`queue/${SITE}/pause`, { because: 'Stop' })
  expect(paused.status, paused.text).toBe(200)
  // Whatever has a permission of before may use it; whoever asks for one is refused and puts its mail aside.
  await nothingInHand(here)
  const left = sink.taken.length
  expect(left).toBeLessThan(MAILS)
  const { held } = await statesIn(here)
  expect(held).toBe(MAILS + 1 - left)

  await sendAll(here, ['late1@sink.test', 'late2@sink.test'])
  await becomes(await send('others@sink.test', { from: 'w@witness.example' }, witness), 'delivered')
  await nothingInHand(here)
  expect(sink.taken.slice(left).map(({ to }) => to)).toEqual(['others@sink.test'])

  expect((await projectApi.post(`queue/${SITE}/resume`)).status).toBe(200)
  await eventually('everything has left', () => sink.taken.length === MAILS + 4, 180_000).catch(
    async (error: unknown) => {
      throw new Error(`${sink.taken.length} left, ${JSON.stringify(await statesIn(here))}`, { cause: error })
    },
  )
  expect(new Set(sink.taken.map(({ to }) => to)).size).toBe(MAILS + 4)
})

test('mail that a slow server keeps waiting before its last dot does not leave after a pause', async () => {
  const here = await mailWorld({ circumstances: steadyPauses })
  const { sink, projectApi, send, becomes } = here
  await becomes(await send('first@sink.test'), 'delivered')
  const slow = ['tarpit-15s+1@sink.test', 'tarpit-15s+2@sink.test']
  const ids = await Promise.all(slow.map((to) => send(to)))
  const wire = () => sink.connections.map(({ chunks }) => Buffer.concat(chunks).toString('latin1')).join('')
  await eventually('the server lets us wait', () => slow.every((to) => wire().includes(`RCPT TO:<${to}>`)))
  expect((await projectApi.post(`queue/${SITE}/pause`, { because: 'Stop' })).status).toBe(200)
  for (const id of ids) {
    const { recipients, events } = await becomes(id, 'deferred')
    expect(recipients).toMatchObject([{ attempts: 0 }])
    expect(events).toMatchObject([{ type: 'email.deferred', detail: `Mail to ${SITE} is paused: Stop` }])
  }
  expect(sink.taken.map(({ to }) => to)).toEqual(['first@sink.test'])
})

test('mail that is put aside in the moment of the resume leaves with the rest', async () => {
  const here = await mailWorld({ circumstances: steadyPauses, workers: 2 })
  const { sink, projectApi, send, becomes } = here
  await becomes(await send('first@sink.test'), 'delivered')
  let sent = 1
  for (let round = 0; round < 8; round++) {
    expect((await projectApi.post(`queue/${SITE}/pause`)).status).toBe(200)
    const recipients = Array.from({ length: 100 }, (_, i) => `r${round}-${i}@sink.test`)
    await sendAll(here, recipients)
    sent += recipients.length
    await eventually('the first are put aside', async () => ((await statesIn(here))['held'] ?? 0) > 0)
    expect((await projectApi.post(`queue/${SITE}/resume`)).status).toBe(200)
    // The release that follows the resume finds all of them: none waits for the next minute.
    await eventually('all have left', () => sink.taken.length === sent, 30_000)
  }
})
