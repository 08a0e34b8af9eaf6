import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startMailNode } from '../support/mail-node.ts'

const people = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, i) => `${name}${i}@sink.test`)

test('a pause outlives every process that knew of it, and what it holds is sent once after the resume', async () => {
  const here = await startMailNode()
  const { api } = here
  await here.sendAll(people(1, 'first'))
  await eventually('the site is known', () => here.ledger().size === 1)
  const pause = await api.post('queue/mx.sink.test/pause', { because: 'Their postmaster was asked' })
  expect(pause.status, pause.text).toBe(200)
  const before = await here.sendAll(people(50, 'before'))
  const isDeferred = async (id: string): Promise<boolean> =>
    (await api.get<{ status: string }>(`emails/${id}`)).body.status === 'deferred'
  await eventually('some are put aside', async () => isDeferred([...before.values()][0]!))

  await here.kill('worker')
  await here.kill('api')
  const after = await here.sendAll(people(50, 'after'))
  for (const id of [...before.values(), ...after.values()]) {
    await eventually(`${id} is put aside`, () => isDeferred(id), 120_000)
  }
  expect(here.ledger().size).toBe(1)
  expect((await api.get('queue/mx.sink.test')).body).toMatchObject({
    state: 'paused',
    paused: { because: 'Their postmaster was asked' },
  })

  expect((await api.post('queue/mx.sink.test/resume')).status).toBe(200)
  await eventually('everything has arrived', () => here.ledger().size === 101, 120_000)
  expect([...here.ledger().values()].every((count) => count === 1)).toBe(true)
}, 300_000)
