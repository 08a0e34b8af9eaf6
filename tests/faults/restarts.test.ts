import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startMailNode } from '../support/mail-node.ts'

test('every process is replaced in turn under load: nothing is lost, repeated or refused', async () => {
  const here = await startMailNode()
  const { api, from, node, ledger } = here
  const statuses = new Map<number, number>()
  const acknowledged: string[] = []
  const load = { isEnough: false }
  const sender = async (name: number): Promise<void> => {
    for (let i = 0; !load.isEnough; i++) {
      const to = `user${name}-${i}@sink.test`
      const { status } = await api.post('email/send', { from, to, subject: 'Hello', html: '<p>Hello.</p>' })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 202) acknowledged.push(to)
    }
  }
  const senders = Promise.all([1, 2, 3, 4].map(sender))
  for (const role of ['api', 'worker', 'inbound', 'api', 'worker'] as const) {
    const before = ledger().size
    await eventually('mail flows', () => ledger().size > before + 50)
    const leaving = node.rolePids(role)
    const stoppedAt = performance.now()
    await here.kill(role, 'SIGTERM')
    await eventually(`the old ${role} is gone`, () => !node.rolePids(role).some((pid) => leaving.includes(pid)))
    expect(performance.now() - stoppedAt).toBeLessThan(node.atMost(30_000))
  }
  load.isEnough = true
  await senders
  expect([...statuses.keys()]).toEqual([202])
  await eventually('everything has arrived', () => ledger().size === acknowledged.length)
  expect([...ledger().values()].filter((count) => count > 1)).toEqual([])
}, 240_000)
