import { expect, test } from 'vitest'
import { classify } from '../../../src/delivery/mail/classify.ts'
import { SimulatorTransport } from '../../../src/delivery/mail/transports/simulator.ts'
import type { Outgoing } from '../../../src/delivery/mail/transports/transport.ts'

function world() {
  let now = 0
  const waits: number[] = []
  const simulator = new SimulatorTransport({
    clock: { now: () => now },
    wait: async (ms) => {
      waits.push(ms)
      now += ms
    },
  })
  const send = (local: string, more: Partial<Outgoing> = {}) =>
    simulator.send({
      from: 'a@b.test',
      to: `${local}@simulator.posthouse.test`,
      size: 5,
      eightBit: false,
      content: () => [Buffer.from('hello')],
      beforeDot: async () => true,
      attempts: 0,
      ...more,
    })
  return { send, waits }
}

test.each([
  ['delivered', { kind: 'delivered' }],
  ['delivered+label', { kind: 'delivered' }],
  ['Delivered', { kind: 'delivered' }],
  ['anybody', { kind: 'delivered' }],
  ['bounced', { kind: 'bounced', detail: '550 5.1.1 simulated: no such user here' }],
  ['BOUNCED+a+b', { kind: 'bounced' }],
  ['complained', { kind: 'delivered', complaint: true }],
  ['complained+x', { kind: 'delivered', complaint: true }],
  ['suppressed', { kind: 'suppressed' }],
  ['quarantined', { kind: 'quarantined' }],
  ['slow', { kind: 'delivered' }],
  ['constructor', { kind: 'delivered' }],
])('%s', async (local, outcome) => {
  const { send, waits } = world()
  expect(classify(await send(local))).toMatchObject(outcome)
  expect(waits).toEqual(local === 'slow' ? [10_000] : [])
})

test('deferred is refused twice, one and two seconds apart, and then delivered', async () => {
  const { send } = world()
  const outcomes = []
  for (let attempts = 0; attempts < 4; attempts++) outcomes.push(classify(await send('deferred+x', { attempts })))
  expect(outcomes).toMatchObject([
    { kind: 'deferred', askedMs: 1_000, detail: expect.stringMatching(/^451 /) },
    { kind: 'deferred', askedMs: 2_000, detail: expect.stringMatching(/^451 /) },
    { kind: 'delivered' },
    { kind: 'delivered' },
  ])
})

test('content and permission are asked for, as in real life', async () => {
  const { send } = world()
  expect((await send('delivered', { beforeDot: async () => false })).result).toEqual({ kind: 'withheld' })
  expect((await send('delivered', { signal: AbortSignal.abort() })).result.kind).toBe('returned')
  const broken = send('delivered', {
    content: () => {
      throw new Error('gone')
    },
  })
  await expect(broken).rejects.toThrow('gone')
})
