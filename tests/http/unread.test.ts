import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { Metrics } from '../../src/http/metrics.ts'
import { RateLimiter } from '../../src/http/rate-limit.ts'
import { route } from '../../src/http/route.ts'
import { createServer } from '../../src/http/server.ts'
import type { UnreadLimits } from '../../src/http/unread.ts'
import { createLogger } from '../../src/process/logger.ts'
import { systemClock } from '../../src/core/clock.ts'
import { eventually } from '../support/eventually.ts'
import { world } from '../support/world.ts'

/** More than the kernel takes on its way to a reader who does not read. */
const BYTES = 24 * 1024 * 1024
const GET = 'GET /api/v1/toys/large HTTP/1.1\r\nHost: x\r\n\r\n'

const large = route({
  method: 'GET',
  path: '/toys/large',
  scope: null,
  context: 'none',
  summary: 'A long text.',
  reply: { 200: Type.Object({ text: Type.String() }) },
  handle: async () => ({ text: 'x'.repeat(BYTES) }),
})

async function readers(unread: UnreadLimits) {
  const { db, services } = await world()
  const server = createServer({
    routes: [large],
    identify: services.keyIdentifier.identify,
    rateLimiter: new RateLimiter(db, { perSecond: 0, burst: 0 }, systemClock),
    metrics: new Metrics(),
    logger: createLogger('api', 'silent'),
    unread,
  })
  onTestFinished(() => server.close())
  /** The server's ends of the connections, in the order in which they came. */
  const ends: Socket[] = []
  server.server.on('connection', (socket: Socket) => ends.push(socket))
  const { hostname, port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  const ask = async (): Promise<{ ours: Socket; end: Socket }> => {
    const at = ends.length
    const ours = connect(Number(port), hostname).on('error', () => {})
    onTestFinished(() => void ours.destroy())
    ours.pause()
    ours.write(GET)
    const end = await eventually('the answer waits', () => (ends[at]?.writableLength ? ends[at] : undefined))
    return { ours, end }
  }
  return { ask }
}

test('a client that does not read its answer is given up, and the answer forgotten', async () => {
  const { ask } = await readers({ patienceMs: 300, bytes: 10 * BYTES })
  const { end } = await ask()
  await eventually('it is given up, and the answer forgotten', () => end.destroyed && end.writableLength === 0)
})

test('so is one that does not read but goes on sending line ends', async () => {
  const { ask } = await readers({ patienceMs: 1_000, bytes: 10 * BYTES })
  const { ours, end } = await ask()
  const sending = setInterval(() => ours.write('\r\n'), 50)
  onTestFinished(() => clearInterval(sending))
  await eventually('it is given up', () => end.destroyed)
})

test('a client that reads slowly gets everything, and its connection serves on', async () => {
  const { ask } = await readers({ patienceMs: 2_000, bytes: 10 * BYTES })
  const { ours, end } = await ask()
  let [got, pauses] = [0, 0]
  for await (const chunk of ours) {
    got += (chunk as Buffer).length
    if (got >= 2 * BYTES) break
    if (got >= BYTES && pauses === 8) {
      ours.write(GET)
      pauses++
    }
    // A part now and then: all of it takes longer than anybody may be silent.
    if (pauses < 8 && got >= (pauses * BYTES) / 8) {
      await sleep(400)
      pauses++
    }
  }
  expect(got).toBeGreaterThanOrEqual(2 * BYTES)
  expect(end.writableLength).toBe(0)
})

test('what waits for all clients together is bounded: whoever has kept it waiting longest goes first', async () => {
  const { ask } = await readers({ patienceMs: 60_000, bytes: 2.5 * BYTES })
  const asked = [await ask(), await ask()]
  expect(asked.map(({ end }) => end.destroyed)).toEqual([false, false])
  asked.push(await ask())
  await eventually('the first is given up', () => asked[0]?.end.destroyed)
  expect(asked.map(({ end }) => end.destroyed)).toEqual([true, false, false])
})
