import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import type { DomainError } from '../../src/core/errors.ts'
import { AddressLimiter } from '../../src/http/address-limit.ts'
import { world } from '../support/world.ts'

const slow = { env: { ADDRESS_RATE_LIMIT_PER_SECOND: '1' } }

/** As many as one address may ask at once when one a second is allowed. */
const BURST = 4

test('what needs no key is limited for each address; health and keys are not touched by that', async () => {
  const { api } = await world(slow)
  const stranger = api.with(undefined)
  const replies = []
  for (const path of ['/openapi.json', '/docs', '/', '/metrics', '/nothing/here', 'nothing', '/openapi.json']) {
    replies.push(await stranger.get(path))
  }
  const refused = replies.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(1)
  for (const { body, headers } of refused) {
    expect(body).toMatchObject({ code: 'rate_limited', requestId: headers.get('x-request-id') })
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  }
  for (let i = 0; i < 3 * BURST; i++) {
    expect((await stranger.get('health')).status).toBe(200)
    expect((await api.get('projects')).status).toBe(200)
  }
})

test('links in mail have a limit that is made for the proxies of mail providers', async () => {
  const { api } = await world(slow)
  const ask = (count: number): Promise<number[]> =>
    Promise.all(Array.from({ length: count }, async () => (await api.with(undefined).get('/u/forged')).status))
  expect(new Set(await ask(10 * BURST))).toEqual(new Set([404]))
  const many = await ask(60 * BURST)
  expect(many).toContain(429)
  // A person may read it: a page, with the header for programs.
  const page = await api.with(undefined).get('/u/forged')
  if (page.status === 429) {
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    expect(page.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  }
})

/** A limiter at a moment of our choice, asked in the name of any address. */
function limiter(proxies = '', now = { ms: 0 }) {
  const { httpProxies } = loadConfig({ HTTP_PROXIES: proxies })
  const limits = new AddressLimiter({ perSecond: 1, proxies: httpProxies }, { now: () => now.ms })
  const ask = (remoteAddress: string, forwardedFor?: string, url = '/docs'): DomainError | undefined => {
    try {
      const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
      limits.take({ raw: { socket: { remoteAddress } }, headers, routeOptions: { url } } as unknown as FastifyRequest)
      return undefined
    } catch (error) {
      return error as DomainError
    }
  }
  const exhaust = (...asking: Parameters<typeof ask>): void => {
    for (let i = 0; i < BURST; i++) expect(ask(...asking)).toBeUndefined()
    expect(ask(...asking)?.code).toBe('rate_limited')
  }
  return { ask, exhaust, now }
}

test('IPv6 is counted by /64, and an IPv4 address is the same in both of its spellings', () => {
  const { ask, exhaust } = limiter()
  exhaust('2001:db8:1:2::1')
  expect(ask('2001:db8:1:2:ffff:1:2:3')?.code).toBe('rate_limited')
  expect(ask('2001:db8:1:3::1')).toBeUndefined()
  exhaust('203.0.113.9')
  expect(ask('::ffff:203.0.113.9')?.code).toBe('rate_limited')
  expect(ask('203.0.113.10')).toBeUndefined()
})

test('a proxy is believed where its network is named, and only what the last one says', () => {
  const { ask, exhaust } = limiter('127.0.0.0/8, 10.0.0.0/8')
  exhaust('127.0.0.1', '198.51.100.1')
  expect(ask('127.0.0.1', '198.51.100.2')).toBeUndefined()
  // The client wrote the first itself, and our own proxies stand at the end.
  expect(ask('127.0.0.1', '192.0.2.77, 198.51.100.1, 10.1.1.1')?.code).toBe('rate_limited')
  expect(ask('127.0.0.1', '198.51.100.1:4711')?.code).toBe('rate_limited')
  // Somebody who is no proxy says what he likes.
  exhaust('203.0.113.9')
  expect(ask('203.0.113.9', '198.51.100.3')?.code).toBe('rate_limited')
})

test('whoever was sent away and waits as told is served, all of them', () => {
  const { ask, now } = limiter()
  const refusals = Array.from({ length: 3 * BURST }, () => ask('203.0.113.9')).filter(
    (refusal) => refusal !== undefined,
  )
  expect(refusals).toHaveLength(2 * BURST)
  const waits = refusals.map(({ extra }) => Number(extra['retryAfter'])).toSorted((a, b) => a - b)
  // The first five of them: nobody is sent away for longer than ten seconds, however many come.
  for (const seconds of waits.slice(0, 5)) {
    now.ms = seconds * 1_000
    expect(ask('203.0.113.9')).toBeUndefined()
  }
  expect(Math.max(...waits)).toBeLessThanOrEqual(10)
})

test('the addresses that were quiet for the longest time are forgotten, so that they take bounded room', () => {
  const { ask, exhaust } = limiter()
  const addressOf = (i: number): string => `198.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`
  exhaust(addressOf(0))
  for (let i = 1; i < 30_000; i++) {
    ask(addressOf(i))
    if (i === 15_000) expect(ask(addressOf(0))?.code).toBe('rate_limited')
  }
  // Who was quiet for long is forgotten, and starts again; the others are still counted.
  exhaust(addressOf(1))
  for (let i = 1; i < BURST; i++) expect(ask(addressOf(29_999))).toBeUndefined()
  expect(ask(addressOf(29_999))?.code).toBe('rate_limited')
  expect(ask(addressOf(0))?.code).toBe('rate_limited')
})

test('a request names one host', async () => {
  const { api } = await world()
  const { hostname, port } = new URL(api.url)
  const exchange = (head: string): Promise<string> => {
    const socket = connect(Number(port), hostname)
    socket.write(`GET /api/v1/health HTTP/1.${head}Connection: close\r\n\r\n`)
    return text(socket)
  }
  for (const [head, message] of [
    ['1\r\nHost: a\r\nHost: b\r\n', 'must be sent once only'],
    ['1\r\nHost: a\r\nX: y\r\nhOST: a\r\n', 'must be sent once only'],
    ['0\r\nHost: a\r\nHost: b\r\n', 'must be sent once only'],
    ['1\r\n', 'is required'],
  ] as const) {
    const answer = await exchange(head)
    expect(answer, head).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({
      code: 'validation_error',
      details: [{ path: '/headers/host', message }],
    })
  }
  expect(await exchange('1\r\nHost: a\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  expect(await exchange('0\r\n')).toMatch(/^HTTP\/1\.1 200 /)
})
