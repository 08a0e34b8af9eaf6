import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import type { Mail } from '../../../src/smtp/client/attempt.ts'
import { eventually, quickest, stretched } from '../../support/eventually.ts'
import { startSink } from '../../support/sink-mx.ts'
import { impatient, simple, world } from './world.ts'

const early = ['greeting', 'ehlo'] as const
const late = ['mail', 'rcpt', 'data', 'dot'] as const

/** The order is in the recipient, or in the sender for MAIL. */
const ordered = (order: string, stage: string): [string, Partial<Mail>] => [
  `${order}-at-${stage}@a.test`,
  stage === 'mail' ? { from: `${order}-at-mail@client.test` } : {},
]

const large = Buffer.alloc(1_000_000, 'x'.repeat(70).concat('\r\n'))

test.each(early)('421 at %s', async (stage) => {
  const { send, sink } = await world({ orders: { [stage]: '421-4.3.2' } })
  expect((await send('x@a.test')).result).toMatchObject({
    kind: 'refused',
    stage,
    reply: { code: 421, enhanced: '4.3.2' },
  })
  expect(sink.taken).toEqual([])
})

test.each(late)('421 at %s ends the session and is the answer', async (stage) => {
  const { send, sink } = await world()
  const { result } = await send(...ordered('421-4.3.2', stage))
  expect(result).toMatchObject({ kind: 'refused', stage, reply: { code: 421, enhanced: '4.3.2' } })
  expect(sink.taken).toEqual([])
  expect((await send('1@a.test')).result.kind).toBe('accepted')
  expect(sink.connections).toHaveLength(2)
})

test.each(['greeting', 'ehlo'] as const)('a connection that is dropped at %s delivers nothing', async (stage) => {
  const { send, sink } = await world({ orders: { [stage]: 'drop' } })
  expect((await send('x@a.test')).result).toMatchObject({ kind: 'lost', stage })
  expect(sink.taken).toEqual([])
})

test.each(['mail', 'rcpt', 'data', 'body'])('a connection that is dropped at %s delivers nothing', async (stage) => {
  for (const order of ['drop', 'close']) {
    const { send, sink } = await world()
    const [to, more] = ordered(order, stage)
    // Large enough for us to notice before we come to the dot.
    const content = { content: () => Array<Buffer>(20).fill(large) }
    expect((await send(to, { ...more, ...content })).result).toMatchObject({ kind: 'lost', stage })
    expect(sink.taken).toEqual([])
    expect(sink.connections).toHaveLength(1)
  }
})

test.each(['drop', 'close', 'hang', 'garbage', 'nonsense'])('%s after the dot: nobody knows', async (order) => {
  const { send, sink, another, dns } = await world({}, order === 'hang' ? impatient : {})
  dns.zones['a.test'] = { MX: ['10 mx.a.test', '20 mx2.a.test'] }
  dns.zones['mx2.a.test'] = { A: ['127.0.0.2'] }
  const second = await another('127.0.0.2')
  const { result, peer } = await send(`${order}-at-dot@a.test`)
  expect(result.kind).toBe(order === 'nonsense' ? 'accepted' : 'unknown')
  expect(peer?.host).toBe('mx.a.test')
  expect(sink.taken).toHaveLength(1)
  expect(second.connections).toHaveLength(0)
})

test.each(['greeting', 'ehlo'] as const)('silence at %s ends at our patience', async (stage) => {
  const { send } = await world({ orders: { [stage]: 'hang' } }, impatient)
  const ms = await quickest(2_500, async () => {
    expect((await send('x@a.test')).result).toMatchObject({ kind: 'lost', stage, timedOut: true })
  })
  expect(ms).toBeLessThan(stretched(2_500))
})

test.each(['mail', 'rcpt', 'data'])('silence at %s ends at our patience', async (stage) => {
  const { send } = await world({}, impatient)
  expect((await send(...ordered('hang', stage))).result).toMatchObject({ kind: 'lost', stage, timedOut: true })
})

test.each(['mail', 'rcpt', 'data'])('what is not SMTP at %s ends the session', async (stage) => {
  const { send, sink } = await world()
  expect((await send(...ordered('garbage', stage))).result).toMatchObject({
    kind: 'lost',
    stage,
    reason: 'what the server says is not SMTP',
  })
  expect(sink.taken).toEqual([])
})

test('a reply where none has its place ends the session', async () => {
  const { send, sink } = await world()
  expect((await send('nonsense-at-data@a.test')).result).toMatchObject({ kind: 'lost', stage: 'data' })
  expect(sink.taken).toEqual([])
})

test('a very long reply is heard to its end', async () => {
  const { send, sink } = await world()
  for (const stage of ['rcpt', 'dot']) {
    const { result } = await send(`bigreply-at-${stage}@a.test`)
    expect(result.kind).toBe('accepted')
    if (result.kind === 'accepted') expect(result.reply.text.length).toBeLessThanOrEqual(1_000)
  }
  expect(sink.taken).toHaveLength(2)
})

test('an endless reply is cut off, but after the dot its code counts', async () => {
  const { send, sink } = await world()
  expect((await send('endless-at-rcpt@a.test')).result).toMatchObject({ kind: 'refused', reply: { code: 550 } })
  expect((await send('endless-at-dot@a.test')).result).toMatchObject({ kind: 'accepted', reply: { code: 250 } })
  expect(sink.taken).toHaveLength(1)
  expect(sink.connections).toHaveLength(2)
})

test('a reply that drips is heard if it is complete in time, and only then', async () => {
  const { send } = await world({}, impatient)
  expect((await send('drip-1-at-rcpt@a.test')).result.kind).toBe('accepted')
  expect((await send('drip-100-at-rcpt@a.test')).result).toMatchObject({ kind: 'lost', stage: 'rcpt', timedOut: true })
})

test('a server that does not read what we send is not waited for', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {}).write('220 x\r\n')
    let asked = 0
    socket.on('data', (chunk) => {
      if (String(chunk).startsWith('EHLO')) socket.write('250-x\r\n250 PIPELINING\r\n')
      else if (asked++ === 0) {
        socket.write('250 a\r\n250 b\r\n354 c\r\n')
        socket.pause()
      }
    })
  })
  const { send, dns, sink } = await world({}, impatient)
  await new Promise<void>((resolve) => void server.listen(sink.port, '127.0.0.3', resolve))
  dns.zones['mx.a.test'] = { A: ['127.0.0.3'] }
  const { result } = await send('x@a.test', { content: () => Array<Buffer>(40).fill(large) })
  expect(result).toMatchObject({ kind: 'lost', stage: 'body', reason: 'nobody reads what we send', timedOut: true })
  server.close()
})

test('a server that refuses in the middle of the content is understood', async () => {
  const { send, sink } = await world()
  const { result } = await send('552-5.3.4-at-body@a.test', { content: () => Array<Buffer>(10).fill(large) })
  expect(result).toMatchObject({ kind: 'refused', stage: 'body', reply: { code: 552, enhanced: '5.3.4' } })
  expect(sink.taken).toEqual([])
})

test('without permission no dot is sent, and the connection is dropped', async () => {
  const { send, sink, wire } = await world()
  expect((await send('x@a.test', { beforeDot: async () => false })).result).toEqual({ kind: 'withheld' })
  expect(wire()).not.toContain('\r\n.\r\n')
  expect(sink.taken).toEqual([])
  expect((await send('y@a.test')).result.kind).toBe('accepted')
  expect(sink.connections).toHaveLength(2)
  expect(sink.taken.map(({ to }) => to)).toEqual(['y@a.test'])
})

test('permission is asked for when all but the end of a large mail is out', async () => {
  const { send, sink } = await world()
  const content = Buffer.alloc(5_000_000, `${'x'.repeat(70)}\r\n`)
  const seen = (): number => sink.connections[0]!.chunks.reduce((sum, { length }) => sum + length, 0)
  const { result } = await send('x@a.test', {
    content: () => [content],
    beforeDot: async () => {
      await eventually('all of it has come', () => seen() >= content.length)
      return true
    },
  })
  expect(result.kind).toBe('accepted')
})

test('what fails on our side is an error and no outcome, and nothing is delivered', async () => {
  const { send, sink } = await world()
  await expect(
    send('x@a.test', {
      content: function* () {
        yield Buffer.from('Subject: half\r\n')
        throw new Error('the blob is gone')
      },
    }),
  ).rejects.toThrow('the blob is gone')
  await expect(send('x@a.test', { beforeDot: () => Promise.reject(new Error('no database')) })).rejects.toThrow(
    'no database',
  )
  expect(sink.taken).toEqual([])
  expect((await send('y@a.test')).result.kind).toBe('accepted')
})

test('who gives up before the dot gets the mail back, after it nobody knows', async () => {
  const { send, sink } = await world()
  const before = new AbortController()
  const first = send('hang-at-rcpt@a.test', { signal: before.signal })
  setTimeout(() => before.abort(), 100)
  expect((await first).result).toMatchObject({ kind: 'returned', reason: 'given up' })
  const after = new AbortController()
  const second = send('hang-at-dot@a.test', { signal: after.signal })
  await eventually('the message is there', () => sink.taken.length === 1)
  after.abort()
  expect((await second).result).toMatchObject({ kind: 'unknown', reason: 'given up' })
  expect((await send('x@a.test', { signal: AbortSignal.abort() })).result.kind).toBe('returned')
  expect(sink.taken).toHaveLength(1)
})

test('a greylisted mail is taken the third time', async () => {
  const { send } = await world()
  const results = [await send('greylist-2@a.test'), await send('greylist-2@a.test'), await send('greylist-2@a.test')]
  expect(results.map(({ result }) => result)).toMatchObject([
    { kind: 'refused', reply: { code: 451, enhanced: '4.7.1' } },
    { kind: 'refused', reply: { code: 451 } },
    { kind: 'accepted' },
  ])
})

test('an empty mail and one without a final line break arrive', async () => {
  const { send, sink } = await world()
  for (const text of ['', 'no end']) await send('x@a.test', { content: () => [Buffer.from(text)] })
  await send('x@a.test', { content: () => [] })
  expect(sink.taken.map(({ raw }) => raw.toString())).toEqual(['', 'no end\r\n', ''])
})

test('the sink itself keeps what came after a lost reply', async () => {
  const sink = await startSink()
  const { send } = await world({}, { port: sink.port })
  await send('drop-at-dot@a.test')
  expect(sink.taken[0]!.raw.toString()).toBe(simple)
  await sink.stop()
})
