import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { RateLimiter } from '../../src/http/rate-limit.ts'
import { DomainError } from '../../src/core/errors.ts'
import { newId } from '../../src/core/ids.ts'
import { systemClock } from '../../src/core/clock.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Client } from '../support/client.ts'
import { world } from '../support/world.ts'

const limits = (perSecond: number, burst: number) => ({
  env: { RATE_LIMIT_PER_SECOND: String(perSecond), RATE_LIMIT_BURST: String(burst) },
})

const flood = (clients: readonly Client[], requests: number) =>
  Promise.all(Array.from({ length: requests }, (_, i) => clients[i % clients.length]!.get('projects')))

const accepted = (replies: readonly { status: number }[]) => replies.filter(({ status }) => status === 200).length

test('two processes together let through what one limit allows, within a tenth', async () => {
  const { api, anotherApi } = await world(limits(20, 200))
  const clients = [api, await anotherApi()]
  const started = Date.now()
  const replies: { status: number }[] = []
  for (let round = 0; round < 10; round++) replies.push(...(await flood(clients, 100)))
  const allowed = 200 + 20 * ((Date.now() - started) / 1_000)
  expect(accepted(replies)).toBeLessThanOrEqual(allowed * 1.1)
  expect(accepted(replies)).toBeGreaterThanOrEqual(allowed * 0.9 - 1)
})

test('requests are not paid for with a database write each', async () => {
  const { api, db, anotherApi } = await world(limits(1_000, 2_000))
  const writes = async () =>
    (
      await db.one(sql<{ n: number }>`
      select coalesce(sum(n_tup_ins + n_tup_upd), 0)::int as n from pg_stat_user_tables where relname = 'rate_buckets'`)
    ).n
  for (const client of [api, await anotherApi()]) for (let i = 0; i < 200; i++) await client.get('projects')
  await db.run(sql`select pg_stat_force_next_flush()`)
  expect(await writes()).toBeLessThan(40)
})

test('waiting as long as Retry-After says succeeds, for everybody who was sent away', async () => {
  const { db } = await world()
  const limiter = new RateLimiter(db, { perSecond: 50, burst: 50 }, systemClock)
  const key = newId<'key'>()
  const take = async () => (await limiter.take(key)) !== undefined
  // All in one moment, however slow the machine: whoever comes later would take what was promised to others.
  const first = await Promise.allSettled(Array.from({ length: 150 }, take))
  const refusals = first.flatMap((one) => (one.status === 'rejected' ? [one.reason as DomainError] : []))
  expect(refusals.length).toBeGreaterThanOrEqual(90)
  const again = await Promise.allSettled(
    refusals.map(async ({ code, extra }) => {
      expect(code).toBe('rate_limited')
      await sleep(Number(extra['retryAfter']) * 1_000)
      return take()
    }),
  )
  expect(again.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(0.99 * refusals.length)
})

test('the headers say what is left, and do not contradict each other', async () => {
  const { api } = await world(limits(2, 20))
  const [first] = await flood([api], 1)
  const numbers = ({ headers }: { headers: Headers }) =>
    ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)))
  expect(numbers(first!)).toEqual([20, 19, 1])
  const replies = await flood([api], 60)
  for (const reply of replies) {
    const [limit, remaining, reset] = numbers(reply) as [number, number, number]
    expect(limit).toBe(20)
    expect(remaining).toBeLessThanOrEqual(limit)
    if (reply.status === 429) {
      expect(remaining).toBe(0)
      expect(reply.headers.get('retry-after')).toBe(String(reset))
    } else {
      // So long it takes at two a second until all of it is there again.
      expect(reset).toBe(Math.ceil((limit - remaining) / 2))
      expect(reply.headers.has('retry-after')).toBe(false)
    }
  }
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]))
})

test('one key that is used up does not slow another', async () => {
  const { api, projectApi } = await world(limits(5, 5))
  await flood([api], 30)
  expect((await projectApi.get('projects')).status).toBe(200)
})

test('a limit of 0 is none', async () => {
  const { api } = await world(limits(0, 1))
  const replies = await flood([api], 50)
  expect(accepted(replies)).toBe(50)
  expect(replies[0]?.headers.has('ratelimit-limit')).toBe(false)
})

test('a client that hammers on is refused from memory, and never sent away for longer than ten seconds', async () => {
  const { db } = await world()
  const key = newId<'key'>()
  let asked = 0
  const counting = { ...db, one: (query: Parameters<typeof db.one>[0]) => (asked++, db.one(query)) } as typeof db
  const now = Date.now()
  const limiter = new RateLimiter(counting, { perSecond: 1, burst: 1 }, { now: () => now })
  await limiter.take(key)
  const waits: number[] = []
  for (let i = 0; i < 500; i++) {
    await limiter.take(key).catch((error: DomainError) => waits.push(Number(error.extra['retryAfter'])))
  }
  expect(waits).toHaveLength(500)
  expect(Math.max(...waits)).toBeLessThanOrEqual(10)
  expect(asked).toBeLessThanOrEqual(2)
})
