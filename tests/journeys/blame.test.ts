import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { mailWorld } from '../support/mail-world.ts'

const dkim =
  '421-4.7.28 Our system has detected an unusual rate of unsolicited mail originating from your DKIM domain [posts.example 35].'

test('a domain that a provider blames is held back there, and everybody else goes on', async () => {
  const replies: Record<string, string> = { 'dot first@gmail.test': dkim.replace('-', ' ') }
  const zones = {
    'gmail.test': { MX: ['10 mx.google.com'] },
    'workspace.test': { MX: ['10 mx.google.com'] },
    'mx.google.com': { A: ['127.0.0.1'] },
  }
  const here = await mailWorld({ sink: { replies }, zones })
  const { send, becomes, sink, newProject, clientWith, verifiedDomain, email, advance } = here
  const neighbour = await clientWith({ projectId: await newProject(), scopes: ['*'] })
  await verifiedDomain('elsewhere.example', neighbour)
  const first = await becomes(await send('first@gmail.test'), 'deferred')
  const waits = Date.parse(first.recipients[0]!.nextAttemptAt!) - Date.parse(first.events[0]!.timestamp)
  expect(waits).toBeGreaterThanOrEqual(30 * 60_000)

  // Also at a domain of which nobody knew yet that the same provider takes its mail.
  const held = [await send('second@gmail.test'), await send('third@workspace.test')]
  const others = [
    await send('ann@gmail.test', { from: 'hello@elsewhere.example' }, neighbour),
    await send('bob@workspace.test', { from: 'hello@elsewhere.example' }, neighbour),
    await send('carl@sink.test'),
  ]
  for (const id of others) await becomes(id, 'delivered')
  expect(sink.taken.map(({ to }) => to).toSorted()).toEqual(['ann@gmail.test', 'bob@workspace.test', 'carl@sink.test'])
  for (const id of held) expect((await email(id)).recipients).toMatchObject([{ attempts: 0 }])

  delete replies['dot first@gmail.test']
  await advance({ minutes: 40 })
  await eventually('one goes ahead', async () => sink.taken.length > others.length)
  await advance({ minutes: 5 })
  for (const id of [first.id, ...held]) await becomes(id, 'delivered')
})

test('what a provider has against our address slows down the whole site', async () => {
  const replies = {
    'dot first@gmail.test':
      '421 4.7.28 [127.0.0.1 15] Our system has detected an unusual rate of unsolicited mail originating from your IP address.',
  }
  const zones = { 'gmail.test': { MX: ['10 mx.google.com'] }, 'mx.google.com': { A: ['127.0.0.1'] } }
  const { send, becomes, sink, email } = await mailWorld({ sink: { replies }, zones })
  await becomes(await send('first@gmail.test'), 'deferred')
  const second = await send('second@gmail.test')
  await becomes(await send('carl@sink.test'), 'delivered')
  expect((await email(second)).status).toBe('queued')
  expect(sink.taken.map(({ to }) => to)).toEqual(['carl@sink.test'])
})
