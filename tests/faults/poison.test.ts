import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startMailNode } from '../support/mail-node.ts'

test('a message that kills whoever sends it is set aside after three deaths, and the others flow', async () => {
  const here = await startMailNode({ POSTHOUSE_FAILPOINTS: 'send.compose=kill@poison', LOG_LEVEL: 'error' })
  const { api, node, sendAll, ledger } = here
  const others = Array.from({ length: 100 }, (_, i) => `user${i}@sink.test`)
  const poison = (await sendAll(['poison@sink.test'])).get('poison@sink.test')!
  await sendAll(others)
  const email = await eventually(
    'the poison is set aside',
    async () => {
      const { body } = await api.get<{ status: string; events: { type: string; detail: string }[] }>(`emails/${poison}`)
      return body.status === 'failed' && body
    },
    node.atMost(60_000),
  )
  const detail = expect.stringMatching(/^Set aside: .* failed 3 times /)
  expect(email.events.at(-1)).toMatchObject({ type: 'email.failed', detail })
  await eventually('the others have arrived', () => ledger().size === others.length, node.atMost(30_000))
  expect(ledger().has('poison@sink.test')).toBe(false)
  await eventually('the operator is told', () => node.output.includes('message set aside'))
  // It takes two deaths to become suspect; the third is that of a process which had nothing else in its hands.
  const worker = node.rolePid('worker')
  await sendAll(['late@sink.test'])
  await eventually('mail still flows', () => ledger().has('late@sink.test'), node.atMost(30_000))
  expect(node.rolePid('worker')).toBe(worker)
  expect((await api.get<{ data: unknown[] }>('suppressions')).body.data).toEqual([])
}, 240_000)
