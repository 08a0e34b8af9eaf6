import { gzipSync } from 'node:zlib'
import type { Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { makeAuthority, selfSigned } from '../support/certificates.ts'
import { eventually, stretched } from '../support/eventually.ts'
import { drip, startRawReceiver, type RawReceiver } from '../support/raw-receiver.ts'
import { answers, startReceiver } from '../support/receiver.ts'
import { webhookWorld, type Delivery, type WebhookWorld } from '../support/webhooks.ts'

const ok = 'HTTP/1.1 200 OK\r\n'
const says = (text: string) => startRawReceiver({ answer: (socket) => void socket.write(text) })
const saysLast = (text: string) => startRawReceiver({ answer: (socket) => void socket.end(text) })

test('who takes longer than five seconds is cut off then, and who only goes on talking has acknowledged', async () => {
  const here = await webhookWorld()
  const mute = await startRawReceiver({})
  const slow: Record<string, RawReceiver> = {
    'nothing at all': mute,
    'a header without end': await startRawReceiver({ answer: (socket) => drip(socket, `${ok}x: `, 'y') }),
    'one header after the other': await startRawReceiver({ answer: (socket) => drip(socket, ok, 'x: y\r\n') }),
    'a status line without end': await startRawReceiver({ answer: (socket) => drip(socket, 'HTTP/1.1 200 ', 'O') }),
    announcements: await startRawReceiver({
      answer: (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
    }),
    'no handshake': { ...mute, url: mute.url.replace('http:', 'https:') },
  }
  const talkative = {
    'a body without end': await startRawReceiver({
      answer: (socket) => drip(socket, `${ok}content-length: 1000000\r\n\r\n`, 'z'),
    }),
    'chunks without end': await startRawReceiver({
      answer: (socket) => drip(socket, `${ok}transfer-encoding: chunked\r\n\r\n`, '1\r\nz\r\n'),
    }),
  }
  const delays = monitorEventLoopDelay()
  delays.enable()
  const results = await eachTold(here, { ...slow, ...talkative })
  delays.disable()
  // A process that is not given the processor cannot look at its watch.
  const atMost = 5_500 + delays.max / 1e6
  for (const name of Object.keys(slow)) {
    const { status, attempts } = results[name]!
    expect({ status, attempts }, name).toMatchObject({
      status: 'pending',
      attempts: [{ number: 1, status: null, error: expect.stringMatching(/in time$/), answer: null }],
    })
    expect(attempts[0]?.durationMs, name).toBeGreaterThanOrEqual(4_990)
    expect(attempts[0]?.durationMs, name).toBeLessThanOrEqual(atMost)
  }
  for (const name of Object.keys(talkative)) {
    const { status, attempts } = results[name]!
    expect({ status, attempts }, name).toMatchObject({ status: 'delivered', attempts: [{ status: 200, error: null }] })
    expect(attempts[0]?.durationMs, name).toBeLessThanOrEqual(atMost)
    expect(attempts[0]?.answer, name).toMatch(/^z+$/)
  }
  // Nobody is left holding a connection of ours.
  for (const [name, { open }] of Object.entries({ ...slow, ...talkative })) {
    await eventually(`${name}: the connection is closed`, () => open() === 0)
  }
})

test('an answer that is no acknowledgement says in the log what it was', async () => {
  const here = await webhookWorld()
  const target = await startReceiver()
  const results = await eachTold(here, {
    'answered 301; redirects are not followed': await startReceiver({
      behaviour: answers(301, { location: target.url }),
    }),
    'answered 308; redirects are not followed': await startReceiver({
      behaviour: answers(308, { location: target.url }),
    }),
    'answered 500': await startReceiver({ behaviour: answers(500, {}, 'stack\0trace') }),
    'answered 401': await saysLast('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n'),
  })
  for (const [error, { status, attempts }] of Object.entries(results)) {
    const [, code] = /(\d+)/.exec(error)!
    expect({ status, attempts }, error).toMatchObject({
      status: 'pending',
      attempts: [{ number: 1, status: Number(code), error }],
    })
  }
  // What no database can store is replaced.
  expect(results['answered 500']?.attempts[0]?.answer).toBe('stack\uFFFDtrace')
  expect(target.connections()).toBe(0)
})

test('who gives no answer, or none that makes sense, is asked again, and the log says why', async () => {
  const here = await webhookWorld()
  const protocol = /^Response does not match the HTTP\/1.1 protocol \([^()]+\)$/
  const cases: [error: RegExp, receiver: { url: string }][] = [
    [/^connection reset$/, await startRawReceiver({ answer: (socket) => void socket.resetAndDestroy() })],
    [/^connection (reset|closed)$/, await startRawReceiver({ greet: (socket) => void socket.resetAndDestroy() })],
    [/^the connection ended without an answer$/, await saysLast('')],
    [/^the connection ended without an answer$/, await saysLast(`${ok}content-le`)],
    [/^the answer makes no sense$/, await says('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n')],
    [protocol, await says('220 mx.example.com ESMTP\r\n')],
    [protocol, await says('HTTP/9.9 200 OK\r\n\r\n')],
    [protocol, await says('HTTP/1.1 yes OK\r\n\r\n')],
    [/not as long as it says|protocol/, await says(`${ok}content-length: 2\r\ncontent-length: 3\r\n\r\nok`)],
    [/^the header of the answer is too large$/, await says(`${ok}x: ${'y'.repeat(1_000_000)}\r\n\r\n`)],
    [/^connection refused$/, { url: 'http://127.0.0.1:1/' }],
    [/^nobody.test has no address$/, { url: 'http://nobody.test/' }],
  ]
  const results = await eachTold(here, Object.fromEntries(cases.map(([, receiver], n) => [`case ${n}`, receiver])))
  for (const [n, [error]] of cases.entries()) {
    const { status, attempts } = results[`case ${n}`]!
    expect({ status, attempts }, `${error}`).toMatchObject({
      status: 'pending',
      attempts: [{ number: 1, status: null, error: expect.stringMatching(error), answer: null }],
    })
    expect(attempts[0]?.durationMs).toBeLessThan(stretched(4_000))
  }
})

test('every 2xx acknowledges, whatever comes with it or after it', async () => {
  const here = await webhookWorld()
  const results = await eachTold(here, {
    'no body': await startReceiver({ behaviour: answers(204) }),
    'an unusual number': await startReceiver({ behaviour: answers(299, {}, 'fine') }),
    'an old version': await saysLast('HTTP/1.0 200 OK\r\n\r\nfine'),
    'an old version without a reason': await saysLast('HTTP/1.0 202\r\n\r\n'),
    'an announcement first': await says(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${ok}content-length: 0\r\n\r\n`),
    'a reset after the header': await startRawReceiver({
      answer: (socket) => socket.write(`${ok}content-length: 9\r\n\r\nfine`, () => resetSoon(socket)),
    }),
    'a body that is cut short': await saysLast(`${ok}content-length: 9\r\n\r\nfine`),
    'something else behind it': await says(`${ok}content-length: 4\r\n\r\nfineHTTP/1.1 500 No\r\n\r\n`),
  })
  for (const [name, { status, attempts }] of Object.entries(results)) {
    expect({ status, attempts }, name).toMatchObject({ status: 'delivered', attempts: [{ error: null }] })
    expect(attempts[0]?.answer, name).toMatch(/^(fine)?$/)
  }
})

test('of an answer no more is read than is of use: not of a huge one, not of one that would swell', async () => {
  const here = await webhookWorld()
  const sent: Record<string, number> = { huge: 0, bomb: 0 }
  const bomb = gzipSync(Buffer.alloc(50_000_000, 'boom '))
  const receivers = {
    huge: await startRawReceiver({
      answer: (socket) => pour(socket, `${ok}content-length: 1000000000\r\n\r\n`, (bytes) => (sent['huge']! += bytes)),
    }),
    bomb: await startRawReceiver({
      answer: (socket) => {
        socket.write(`${ok}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
        socket.write(bomb)
      },
    }),
  }
  const results = await eachTold(here, receivers)
  for (const { status, attempts } of Object.values(results)) {
    expect({ status, attempts }).toMatchObject({ status: 'delivered', attempts: [{ status: 200, error: null }] })
    expect(attempts[0]?.durationMs).toBeLessThan(stretched(4_000))
  }
  expect(results['huge']?.attempts[0]?.answer).toBe('a'.repeat(1_024))
  // Compressed as it came.
  expect(results['bomb']?.attempts[0]?.answer).not.toContain('boom')
  await eventually('the connection is closed', () => receivers.huge.open() === 0)
  // 64 KiB were read; the rest is what the kernels on the way had taken already.
  expect(sent['huge']).toBeLessThan(16_000_000)
})

test('a certificate counts only if it is valid, for this name, and from an authority that we know', async () => {
  const authority = makeAuthority()
  const stranger = makeAuthority('Another Authority')
  const names = ['good', 'late', 'other', 'self', 'strange']
  const zones = Object.fromEntries(names.map((name) => [`${name}.test`, { A: ['127.0.0.1'] }]))
  const here = await webhookWorld({ zones, circumstances: { authorities: [authority.cert] } })
  const certificates = {
    good: authority.issue(['good.test']),
    late: authority.issue(['late.test'], { expired: true }),
    other: authority.issue(['good.test']),
    self: selfSigned(['self.test']),
    strange: stranger.issue(['strange.test']),
  }
  const receivers = await Promise.all(
    Object.entries(certificates).map(async ([name, certificate]) => {
      const receiver = await startReceiver({ certificate })
      return [name, { ...receiver, url: `https://${name}.test:${receiver.port}/hook` }] as const
    }),
  )
  const byAddress = await startReceiver({ certificate: authority.issue(['127.0.0.1']) })
  const results = await eachTold(here, { ...Object.fromEntries(receivers), byAddress })
  for (const name of ['good', 'byAddress']) expect(results[name], name).toMatchObject({ status: 'delivered' })
  const errors = {
    late: 'the certificate has expired',
    other: 'the certificate is for another name',
    self: 'the certificate is signed by itself',
    strange: 'the certificate comes from an unknown authority',
  }
  for (const [name, error] of Object.entries(errors)) {
    expect(results[name], name).toMatchObject({ status: 'pending', attempts: [{ status: null, error }] })
  }
  for (const [name, { heard }] of receivers) expect([name, heard.length]).toEqual([name, name === 'good' ? 1 : 0])
})

test('a connection is used again while it is open, and one that was closed in between costs nothing', async () => {
  const { endpoint, send, delivery } = await webhookWorld()
  const receiver = await startReceiver()
  const hook = await endpoint(receiver.url)
  const tell = async (): Promise<Delivery> => {
    const email = await send('delivered')
    return delivery(
      hook,
      'it is delivered',
      ({ status, payload }) => status === 'delivered' && payload['messageId'] === email,
    )
  }
  await tell()
  await tell()
  expect(receiver.connections()).toBe(1)
  receiver.behave((_request, response) => void response.writeHead(200, { connection: 'close' }).end())
  await tell()
  receiver.behave((request, response) => {
    response.writeHead(200, { 'content-length': '0' }).end()
    response.once('finish', () => request.socket.destroySoon())
  })
  for (let n = 0; n < 3; n++) expect((await tell()).attempts).toHaveLength(1)
  expect(receiver.heard).toHaveLength(6)
})

/** When the other side has had the time to read. */
const resetSoon = (socket: Socket): void => void setTimeout(() => socket.resetAndDestroy(), 50)

/** As much as the other side takes. */
function pour(socket: Socket, head: string, sent: (bytes: number) => void): void {
  const chunk = Buffer.alloc(65_536, 'a')
  const more = (): void => {
    if (socket.destroyed) return
    socket.write(chunk, (error) => {
      if (error) return
      sent(chunk.length)
      more()
    })
  }
  socket.write(head, more)
}

interface Told {
  status: string
  attempts: Delivery['attempts']
}

/** One event for all of them; what became of the first attempt at each. */
async function eachTold(
  { endpoint, send, delivery }: WebhookWorld,
  receivers: Record<string, { url: string }>,
): Promise<Record<string, Told>> {
  const hooks = new Map<string, { id: string }>()
  for (const [name, { url }] of Object.entries(receivers)) hooks.set(name, await endpoint(url))
  await send('delivered')
  const results: Record<string, Told> = {}
  for (const [name, hook] of hooks) {
    results[name] = await delivery(hook, `${name}: an attempt`, ({ attempts }) => attempts.length > 0)
  }
  return results
}
