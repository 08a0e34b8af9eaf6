import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Attempt } from '../../../src/smtp/client/attempt.ts'
import { impatient, world } from './world.ts'

const orders = [
  ...Array<string>(12).fill(''),
  '550-5.1.1',
  '451-4.7.1',
  '421-4.3.2',
  '421-4.7.0-at-dot',
  '554-5.7.1-at-data',
  '552-5.3.4-at-dot',
  'drop',
  'drop-at-data',
  'drop-at-dot',
  'close-at-dot',
  'hang-at-dot',
  'garbage-at-data',
  'endless-at-dot',
  'bigreply',
  'tarpit-15',
]

type Behaviour = 'usual' | 'withheld' | 'broken' | 'given up'

const mail = fc.record({
  order: fc.constantFrom(...orders),
  domain: fc.constantFrom('a.test', 'b.test', 'c.test'),
  behaviour: fc.constantFrom<Behaviour>('usual', 'usual', 'usual', 'usual', 'withheld', 'broken', 'given up'),
  delay: fc.integer({ min: 0, max: 40 }),
  size: fc.constantFrom(10, 4_000, 200_000),
})

const scene = fc.record({
  mails: fc.array(mail, { minLength: 20, maxLength: 60 }),
  pipelining: fc.boolean(),
  trusting: fc.boolean(),
  mostMails: fc.constantFrom(1, 3, 1_000),
  mostConnections: fc.constantFrom(2, 1_000, 1_000),
})

test('whatever servers do, our ledger and theirs agree', async () => {
  let [accepted, unknown] = [0, 0]
  await fc.assert(
    fc.asyncProperty(scene, async ({ mails, ...options }) => {
      const zones = { 'c.test': { MX: ['10 mx.a.test', '20 mx2.test'] }, 'mx2.test': { A: ['127.0.0.2'] } }
      const { send, sink, another, transport } = await world(options, { zones, ...impatient })
      const second = await another('127.0.0.2', options)
      const results = await Promise.all(
        mails.map(async ({ order, domain, behaviour, delay, size }, n) => {
          const stop = new AbortController()
          if (behaviour === 'given up') setTimeout(() => stop.abort(), delay)
          const to = `${order || 'x'}+${n}@${domain}`
          const content = Buffer.alloc(size, `${'x'.repeat(70)}\r\n`)
          const sendOnce = () =>
            send(to, {
              signal: stop.signal,
              content: () => {
                if (behaviour === 'broken') throw new Error('broken')
                return [content]
              },
              beforeDot: async () => behaviour !== 'withheld',
            }).catch(() => undefined)
          let attempt = await sendOnce()
          // As dispatch does with what comes back without an attempt.
          for (let n = 0; n < 20 && attempt?.result.kind === 'returned' && !stop.signal.aborted; n++)
            attempt = await sendOnce()
          return { to, attempt }
        }),
      )
      await transport.stop()
      const taken = [...sink.taken, ...second.taken].map(({ to }) => to)
      const having = (kind: Attempt['result']['kind']) =>
        results.filter(({ attempt }) => attempt?.result.kind === kind).map(({ to }) => to)
      const [ours, maybe] = [having('accepted'), new Set(having('unknown'))]
      accepted += ours.length
      unknown += maybe.size
      // Everything that we call accepted is there; what is there besides is what we call unknown; and nothing twice.
      expect(taken.filter((to) => !maybe.has(to)).toSorted()).toEqual(ours.toSorted())
      expect(new Set(taken).size).toBe(taken.length)
      expect(transport.connections).toBe(0)
    }),
    { numRuns: 15 },
  )
  expect(accepted).toBeGreaterThan(30)
  expect(unknown).toBeGreaterThan(0)
})
