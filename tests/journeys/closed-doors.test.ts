import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { mailWorld, steadyPauses, type Email } from '../support/mail-world.ts'

const stages = ['greeting', 'ehlo', 'mail', 'rcpt', 'data', 'dot'] as const

const wasTried = ({ recipients }: Email): boolean => recipients[0]!.attempts > 0

test('a server that says 421, at whatever stage, gets everything later, and who only stood in line is not charged', async () => {
  const zones = { 'calm.test': { MX: ['10 mx.calm.test'] } }
  const here = await mailWorld({ zones, circumstances: steadyPauses, workers: 0 })
  const { send, email, becomes, sink, dns, anotherSink, advance, startWorker } = here
  dns.zones['mx.calm.test'] = { A: ['127.0.0.2'] }
  const calm = await anotherSink('127.0.0.2')
  let worker = await startWorker()
  await becomes(await send('first@sink.test'), 'delivered')
  // One that remembers neither connections nor pauses.
  const startAfresh = async (): Promise<void> => {
    await worker.stop()
    worker = await startWorker()
  }
  for (const stage of stages) {
    await startAfresh()
    // Slow to greet, so that all stand in line by the time the first of them is turned away.
    sink.options.orders = { greeting: 'tarpit-300', [stage]: '421-4.3.2' }
    const connections = sink.connections.length
    const names = [1, 2, 3, 4, 5, 6].map((n) => `${stage}-${n}@sink.test`)
    const ids = await Promise.all(names.map((name) => send(name)))
    const all = () => Promise.all(ids.map(email))
    await eventually(`one is turned away at ${stage}`, async () => (await all()).some(wasTried))
    await becomes(await send(`${stage}@calm.test`), 'delivered')

    const before = await all()
    const charged = before.filter(wasTried)
    expect(charged.length, stage).toBeLessThanOrEqual(sink.connections.length - connections)
    expect(charged.length, stage).toBeLessThan(names.length)
    for (const { status, events } of charged) {
      expect(status).toBe('deferred')
      expect(events).toMatchObject([{ type: 'email.deferred', smtp: { code: 421, enhanced: '4.3.2' } }])
    }
    for (const one of before.filter((email) => !charged.includes(email))) {
      expect(one.status).toMatch(/^(queued|deferred)$/)
      expect(one.events).toEqual([])
    }

    sink.options.orders = {}
    await advance({ minutes: 2 })
    await startAfresh()
    const after = await Promise.all(ids.map((id) => becomes(id, 'delivered')))
    const attempts = after.map(({ recipients }) => recipients[0]!.attempts)
    expect(attempts, stage).toEqual(before.map((email) => (charged.includes(email) ? 2 : 1)))
    expect(
      sink.taken
        .map(({ to }) => to)
        .filter((to) => to.startsWith(stage))
        .toSorted(),
    ).toEqual(names)
  }
  expect(calm.taken).toHaveLength(stages.length)
})

test('hosts that cannot be reached keep nobody else waiting, and the next host takes what the first cannot', async () => {
  const zones = {
    'closed.test': { MX: ['10 mx.closed.test'] },
    'mx.closed.test': { A: ['127.0.0.9'] },
    'silent.test': { MX: ['10 mx.silent.test'] },
    'mx.silent.test': { A: ['127.0.0.3'] },
    'fallback.test': { MX: ['10 mx.closed.test', '20 mx.silent.test', '30 mx.sink.test'] },
  }
  const here = await mailWorld({ zones, circumstances: steadyPauses, workers: 0 })
  const { send, email, becomes, sink, anotherSink, advance, startWorker } = here
  const worker = await startWorker()
  const silent = await anotherSink('127.0.0.3', { orders: { greeting: 'hang' } })
  const numbers = Array.from({ length: 10 }, (_, n) => n)
  const dead = await Promise.all(numbers.flatMap((n) => [send(`${n}@closed.test`), send(`${n}@silent.test`)]))
  await eventually('somebody waits for a greeting', () => silent.connections.length > 0)
  const alive = await Promise.all(numbers.map((n) => send(`${n}@sink.test`)))
  await Promise.all(alive.map((id) => becomes(id, 'delivered')))
  // A greeting is waited for a minute: all that has happened meanwhile.
  expect(silent.connections.every(({ isClosed }) => !isClosed)).toBe(true)
  silent.say('')

  const events = await eventually('both hosts were tried', async () => {
    const found = (await Promise.all(dead.map(email))).flatMap((one) => one.events)
    return new Set(found.map(({ smtp }) => smtp?.host)).size === 2 && found
  })
  const fallback = await becomes(await send('x@fallback.test'), 'delivered')
  expect(fallback.recipients).toMatchObject([{ attempts: 1 }])
  expect(fallback.events).toMatchObject([{ smtp: { host: 'mx.sink.test' } }])

  for (const { type, detail } of events) {
    expect(type).toBe('email.deferred')
    expect(detail).toMatch(/^The connection failed \((connect|greeting)\)/)
  }
  // Each site gets two connections to begin with, and who tried them found out for all.
  expect(events.length).toBeLessThanOrEqual(4)

  silent.options.orders = {}
  await anotherSink('127.0.0.9')
  await worker.stop()
  await advance({ minutes: 20 })
  await startWorker()
  await Promise.all(dead.map((id) => becomes(id, 'delivered')))
  expect(silent.taken).toHaveLength(numbers.length)
  expect(sink.taken).toHaveLength(numbers.length + 1)
})
