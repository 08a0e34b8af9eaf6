import { expect, test } from 'vitest'
import type { Attempt } from '../../../src/smtp/client/attempt.ts'
import { eventually } from '../../support/eventually.ts'
import { world, type World } from './world.ts'

const kinds = (attempts: readonly Attempt[]) => attempts.map(({ result }) => result.kind)
const many = (count: number, { send }: World, more = {}) =>
  Promise.all(Array.from({ length: count }, (_, n) => send(`${n}@a.test`, more)))
const mailsOn = ({ sink }: World) =>
  sink.connections.map((_, at) => sink.taken.filter(({ connection }) => connection === at).length)

test('a burst shares a few connections', async () => {
  const here = await world()
  const attempts = await many(60, here)
  expect(new Set(kinds(attempts))).toEqual(new Set(['accepted']))
  expect(here.sink.taken).toHaveLength(60)
  expect(here.sink.connections.length).toBeLessThanOrEqual(8)
  expect(new Set(here.sink.taken.map(({ to }) => to)).size).toBe(60)
})

test('the limit of a site holds for all its domains together', async () => {
  const zones = Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [
      [`d${n}.test`, { MX: [`0 d${n}.mail.protection.outlook.com`] }] as const,
      [`d${n}.mail.protection.outlook.com`, { A: ['127.0.0.1'] }] as const,
    ]).flat(),
  )
  const { send, sink } = await world({}, { zones })
  let most = 0
  const watch = setInterval(
    () => (most = Math.max(most, sink.connections.filter(({ isClosed }) => !isClosed).length)),
    5,
  )
  const attempts = await Promise.all(
    Array.from({ length: 72 }, (_, n) => send(`${n % 6 === 0 ? 'tarpit-20' : n}@d${n % 12}.test`)),
  )
  clearInterval(watch)
  expect(new Set(kinds(attempts))).toEqual(new Set(['accepted']))
  expect(most).toBeLessThanOrEqual(6)
})

test('a connection carries so many mails and no more', async () => {
  const here = await world(
    {},
    { zones: { 'a.test': { MX: ['0 mx.mail.icloud.com'] }, 'mx.mail.icloud.com': { A: ['127.0.0.1'] } } },
  )
  expect(new Set(kinds(await many(23, here)))).toEqual(new Set(['accepted']))
  expect(Math.max(...mailsOn(here))).toBe(5)
  expect(here.sink.connections.every(({ chunks }) => !Buffer.concat(chunks).includes('RSET'))).toBe(true)
})

test('an old connection is not used any more', async () => {
  const { send, sink, clock } = await world()
  await send('1@a.test')
  clock.ahead = 299_000
  await send('2@a.test')
  expect(sink.connections).toHaveLength(1)
  clock.ahead = 301_000
  await send('3@a.test')
  expect(sink.connections).toHaveLength(2)
})

test('a connection without work is closed after a while', async () => {
  const { send, sink, transport } = await world({}, { idleMs: 50 })
  await send('1@a.test')
  expect(transport.connections).toBe(1)
  await eventually('the server has seen us leave', () => sink.connections[0]!.isClosed)
  expect(transport.connections).toBe(0)
  expect(String(sink.connections[0]!.chunks.at(-1))).toBe('QUIT\r\n')
})

test('a server that has left, or says that it will, costs nothing', async () => {
  const { send, sink } = await world()
  for (const words of ['', '421 4.4.2 idle for too long\r\n']) {
    expect((await send('1@a.test')).result.kind).toBe('accepted')
    sink.say(words)
    expect((await send('2@a.test')).result.kind).toBe('accepted')
  }
  expect(sink.taken).toHaveLength(4)
})

test('a server that said something while nobody listened gets no more mail on that connection', async () => {
  const { send, sink, wire } = await world()
  expect((await send('1@a.test')).result.kind).toBe('accepted')
  sink.say('421 4.4.2 idle for too long\r\n', true)
  expect((await send('2@a.test')).result.kind).toBe('accepted')
  expect(wire(0).match(/MAIL FROM/g)).toHaveLength(1)
  expect(sink.taken).toHaveLength(2)
})

test('a server that ends the session with 421 between two mails gets the next one on another', async () => {
  const here = await world({ mostMails: 2 })
  const attempts = await many(9, here)
  expect(kinds(attempts)).toEqual(Array(9).fill('accepted'))
  expect(here.sink.taken).toHaveLength(9)
  expect(Math.max(...mailsOn(here))).toBe(2)
})

test('421 to a mail ends the session, and what waited goes back without an attempt', async () => {
  const { send, sink } = await world({}, { processes: () => 10 })
  const attempts = await Promise.all([
    send('tarpit-60@a.test'),
    send('421-4.7.0-at-dot@a.test'),
    ...['1', '2', '3'].map((n) => send(`${n}@a.test`)),
  ])
  expect(attempts.map(({ result }) => result)).toMatchObject([
    { kind: 'accepted' },
    { kind: 'refused', stage: 'dot', reply: { code: 421 } },
    { kind: 'returned' },
    { kind: 'returned' },
    { kind: 'returned' },
  ])
  expect(sink.taken).toHaveLength(1)
})

test('a reply lost after the dot is unknown; what ran ahead is sent elsewhere, once', async () => {
  const { send, sink, peers } = await world({}, { processes: () => 10 })
  const attempts = await Promise.all([
    send('tarpit-60@a.test'),
    send('drop-at-dot@a.test'),
    send('1@a.test'),
    send('2@a.test'),
  ])
  expect(kinds(attempts)).toEqual(['accepted', 'unknown', 'accepted', 'accepted'])
  expect(sink.taken.map(({ to }) => to)).toEqual(['tarpit-60@a.test', 'drop-at-dot@a.test', '1@a.test', '2@a.test'])
  expect(peers.takesOneAtATime('mx.a.test')).toBe(true)
})

test('a host that takes one at a time gets one at a time', async () => {
  const here = await world()
  here.peers.rememberOneAtATime('mx.a.test')
  await many(20, here)
  const together = here.sink.connections.flatMap(({ chunks }) =>
    chunks.map(String).filter((chunk) => /\.\r\nMAIL/.test(chunk)),
  )
  expect(together).toEqual([])
  expect(here.sink.taken).toHaveLength(20)
})

test('a mail that may not be sent does not take the others with it', async () => {
  const { send, sink } = await world({}, { processes: () => 10 })
  const attempts = await Promise.all([
    send('tarpit-40@a.test'),
    send('1@a.test'),
    send('2@a.test', { beforeDot: async () => false }),
    send('3@a.test', {
      content: () => {
        throw new Error('gone')
      },
    }).catch((error: Error) => error.message),
    send('4@a.test'),
  ])
  expect(attempts.map((one) => (typeof one === 'string' ? one : one.result.kind))).toEqual([
    'accepted',
    'accepted',
    'withheld',
    'gone',
    'accepted',
  ])
  expect(sink.taken.map(({ to }) => to)).toEqual(['tarpit-40@a.test', '1@a.test', '4@a.test'])
})

test('a mail that ran ahead can be given up without harm to the one before', async () => {
  const { send, sink } = await world({}, { processes: () => 10 })
  const givenUp = new AbortController()
  const sending = [
    send('tarpit-50@a.test'),
    send('tarpit-150-at-dot@a.test'),
    send('ahead@a.test', { signal: givenUp.signal }),
    send('waiting@a.test', { signal: givenUp.signal }),
  ]
  await eventually('the second is past its dot', () => sink.taken.length === 2)
  givenUp.abort()
  expect(kinds(await Promise.all(sending))).toEqual(['accepted', 'accepted', 'returned', 'returned'])
})

test('all mail with the same signal is given up together, whether it is under way or waits, and no other', async () => {
  const here = await world()
  const givenUp = new AbortController()
  const hanging = Promise.all(
    Array.from({ length: 6 }, () => here.send('hang-at-rcpt@a.test', { signal: givenUp.signal })),
  )
  const other = here.send('1@a.test', { signal: new AbortController().signal })
  await eventually('connections hang', () => here.sink.connections.length === 2)
  givenUp.abort()
  expect(new Set(kinds(await hanging))).toEqual(new Set(['returned']))
  expect((await other).result.kind).toBe('accepted')
})

test('when the server wants no more connections, those that are open do the work', async () => {
  const here = await world({ mostConnections: 2 })
  const attempts = await many(100, here)
  expect(new Set(kinds(attempts))).toEqual(new Set(['accepted']))
  expect(here.sink.connections.length).toBeLessThan(12)
})

test('mail for one site waits no longer than its turn behind mail for another domain of it', async () => {
  const zones = {
    'a.test': { MX: ['0 a.mail.protection.outlook.com'] },
    'b.test': { MX: ['0 b.mail.protection.outlook.com'] },
    'a.mail.protection.outlook.com': { A: ['127.0.0.1'] },
    'b.mail.protection.outlook.com': { A: ['127.0.0.1'] },
  }
  const { send, clock, sink } = await world({}, { zones, processes: () => 10 })
  const order: string[] = []
  const note = (name: string, sent: Promise<Attempt>) => sent.then(() => order.push(name))
  const stream = Array.from({ length: 8 }, (_, n) => note('a', send(`tarpit-30+${n}@a.test`)))
  const other = note('b', send('1@b.test'))
  await eventually('the first of the stream is taken', () => sink.taken.length > 0)
  clock.ahead = 1_500
  await Promise.all([...stream, other])
  expect(order.indexOf('b')).toBeGreaterThan(0)
  expect(order.indexOf('b')).toBeLessThan(5)
})

test('stopping lets what is under way end, and takes nothing more', async () => {
  const { send, transport, sink } = await world({}, { processes: () => 10 })
  const sending = [send('tarpit-100-at-dot@a.test'), send('1@a.test'), send('2@a.test')]
  await eventually('the first is past its dot', () => sink.taken.length === 1)
  const stopping = transport.stop()
  expect((await send('3@a.test')).result).toMatchObject({ kind: 'returned', reason: 'we are stopping' })
  await stopping
  const results = kinds(await Promise.all(sending))
  expect(results[0]).toBe('accepted')
  expect(results.at(-1)).toBe('returned')
  expect(sink.taken).toHaveLength(results.filter((kind) => kind === 'accepted').length)
  await eventually('everybody has left', () => sink.connections.every(({ isClosed }) => isClosed))
})

test('a tarpit holds up only itself', async () => {
  const here = await world()
  const tarpit = here.send('tarpit-200@a.test')
  const attempts = await many(10, here)
  expect(new Set(kinds(attempts))).toEqual(new Set(['accepted']))
  expect((await tarpit).result.kind).toBe('accepted')
})

test('mail does not wait for a connection that rests and whose time is over', async () => {
  const { send, sink, clock } = await world()
  await send('1@a.test')
  clock.ahead = 301_000
  sink.options.orders = { greeting: '421-4.3.2' }
  expect((await send('2@a.test')).result).toMatchObject({ kind: 'refused', stage: 'greeting' })
})

test('urgent mail goes before what waits, but not before what has waited for long', async () => {
  const { send, clock, sink } = await world({}, { processes: () => 10 })
  const bulk = ['first', 'old'].map((name) => send(`tarpit-30+${name}@a.test`))
  await eventually('the first is under way', () => sink.connections.length > 0)
  clock.ahead = 11_000
  const later = Array.from({ length: 4 }, (_, n) => send(`new-${n}@a.test`))
  const urgent = send('urgent@a.test', { isUrgent: true })
  await Promise.all([...bulk, ...later, urgent])
  const order = sink.taken.map(({ to }) => to)
  const place = (name: string) => order.findIndex((to) => to.includes(name))
  expect(place('urgent')).toBeGreaterThan(place('old'))
  expect(place('urgent')).toBeLessThan(place('new-1'))
})
