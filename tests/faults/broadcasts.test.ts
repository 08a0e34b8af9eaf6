import { expect, test } from 'vitest'
import { newAudience } from '../support/audiences.ts'
import { accountedFor, newBroadcast, readBroadcast, sendBroadcast, type BroadcastSeen } from '../support/broadcasts.ts'
import { eventually } from '../support/eventually.ts'
import { startMailNode } from '../support/mail-node.ts'
import { accepted } from '../support/world.ts'

const CONTACTS = 2_000

test('2,000 contacts get a broadcast once each, although workers die while it is expanded, fed and delivered', async () => {
  const here = await startMailNode({
    POSTHOUSE_FAILPOINTS: 'broadcasts.expand=kill@attempt 1,broadcasts.feed=kill@attempt 2 at 500',
    LOG_LEVEL: 'error',
  })
  const { api, from, node, sink } = here
  const people = Array.from({ length: CONTACTS }, (_, i) => `user${i}@sink.test`)
  const audience = await newAudience(api)
  const file = ['email,firstName', ...people.map((email, i) => `${email},User ${i}`)].join('\n')
  const path = `audiences/${audience}/contacts/import`
  const imported = accepted(await api.post<{ id: string }>(path, file, { 'content-type': 'text/csv' }))
  await eventually('everybody is in the audience', async () => {
    const { body } = await api.get<{ status: string }>(`${path}s/${imported.id}`)
    return body.status === 'completed'
  })
  const workers = new Set<number>()
  /** The broadcast now. Whenever one looks, its numbers add up. */
  const look = async (broadcast: { id: string }): Promise<BroadcastSeen> => {
    const pid = node.rolePid('worker')
    if (pid !== undefined) workers.add(pid)
    const seen = await readBroadcast(api, broadcast)
    expect(accountedFor(seen), JSON.stringify(seen.stats)).toBe(seen.stats.recipients)
    return seen
  }
  const draft = await newBroadcast(api, audience, { from })
  expect((await look(draft)).status).toBe('draft')
  const broadcast = await sendBroadcast(api, draft)
  const isFed = async () => (await look(broadcast)).stats.recipients === CONTACTS && here.ledger().size > 0
  await eventually('two workers have died of it, and it goes on', isFed, 120_000)
  expect(workers.size).toBeGreaterThanOrEqual(2)
  for (const share of [0.2, 0.6]) {
    await eventually('some more are delivered', () => here.ledger().size >= CONTACTS * share, 120_000)
    await look(broadcast)
    await here.kill('worker')
  }
  const sent = await eventually(
    'it is sent',
    async () => {
      const seen = await look(broadcast)
      return seen.status === 'sent' && seen
    },
    180_000,
  )
  // The first ones, those that died of the failpoints and of us, and the last.
  expect(workers.size).toBeGreaterThanOrEqual(5)
  expect(sent.stats).toMatchObject({ recipients: CONTACTS, queued: 0, delivered: CONTACTS })
  const messages = Map.groupBy(sink.taken, ({ to }) => to)
  expect([...messages.keys()].toSorted()).toEqual(people.toSorted())
  // What was past the dot when a worker died may come again, byte by byte; nobody gets another message.
  for (const [to, copies] of messages) {
    expect(new Set(copies.map(({ raw }) => raw.toString('latin1'))).size, to).toBe(1)
  }
  expect(sink.taken.length - CONTACTS).toBeLessThanOrEqual(2 * 10)
}, 400_000)
