import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Destinations } from '../../src/dispatch/destinations.ts'
import { allot, type LaneLoad } from '../../src/dispatch/lanes.ts'
import type { Limits } from '../../src/dispatch/queue.ts'

const lane = (load: Partial<LaneLoad>): LaneLoad => ({ lane: 0, share: 0.3, kept: 0.1, busy: 0, demand: 0, ...load })

test('lanes that all want everything get their shares', () => {
  const lanes = [
    lane({ share: 0.5, demand: 100 }),
    lane({ share: 0.3, demand: 100 }),
    lane({ share: 0.2, demand: 100 }),
  ]
  expect(allot(10, lanes)).toEqual([5, 3, 2])
})

test('a lane alone gets everything but what is kept for the others', () => {
  expect(allot(100, [lane({ kept: 0.1 }), lane({ demand: 1_000 }), lane({ kept: 0.05 })])).toEqual([0, 85, 0])
})

test('a lane below its share comes before a lane that wants to borrow', () => {
  const lanes = [lane({ share: 0.5, busy: 8, demand: 10 }), lane({ share: 0.5, demand: 10 })]
  expect(allot(10, lanes)).toEqual([0, 2])
})

test('with a single slot somebody gets it', () => {
  expect(allot(1, [lane({}), lane({ demand: 1 }), lane({ demand: 1 })])).toEqual([0, 1, 0])
})

test('lanes never get more than is free or wanted, and nobody starves', () => {
  const load = fc.record({
    lane: fc.nat(9),
    share: fc.double({ min: 0.05, max: 0.33, noNaN: true }),
    kept: fc.double({ min: 0, max: 0.05, noNaN: true }),
    busy: fc.nat(100),
    demand: fc.nat(300),
  })
  fc.assert(
    fc.property(fc.array(load, { minLength: 1, maxLength: 3 }), fc.nat(100), (lanes, free) => {
      const slots = free + lanes.reduce((sum, { busy }) => sum + busy, 0)
      const given = allot(slots, lanes)
      const total = given.reduce((sum, n) => sum + n, 0)
      expect(total).toBeLessThanOrEqual(free)
      given.forEach((n, i) => {
        expect(n).toBeGreaterThanOrEqual(0)
        expect(n).toBeLessThanOrEqual(lanes[i]!.demand)
      })
      // Whoever is idle and has something to do gets a slot as long as one is free for him.
      const starving = lanes.filter(({ busy, demand }, i) => busy === 0 && demand > 0 && given[i] === 0)
      const idle = lanes.filter(({ busy }) => busy === 0).length
      if (free >= idle) expect(starving).toEqual([])
    }),
  )
})

function destinations(limits: Limits) {
  const clock = { time: 1_000, now: () => clock.time }
  return { clock, all: new Destinations(() => limits, clock) }
}

const start = (all: Destinations, name: string, count: number): void => {
  for (let i = 0; i < count; i++) all.named(name).started()
}

test('a destination takes as many as may be under way, and more when one ends', () => {
  const { all } = destinations({ concurrency: 3 })
  expect(all.room('a')).toBe(3)
  start(all, 'a', 3)
  expect(all.room('a')).toBe(0)
  expect(all.opensAt('a')).toBe(Infinity)
  expect(all.room('b')).toBe(3)
  all.named('a').ended()
  expect(all.room('a')).toBe(1)
})

test('a rate allows a burst and then one row per interval', () => {
  const { all, clock } = destinations({ concurrency: 100, perSecond: 10, burst: 3 })
  expect(all.room('a')).toBe(3)
  start(all, 'a', 3)
  expect(all.room('a')).toBe(0)
  expect(all.opensAt('a')).toBe(1_100)
  clock.time = 1_099
  expect(all.room('a')).toBe(0)
  clock.time = 1_100
  expect(all.room('a')).toBe(1)
  clock.time = 60_000
  expect(all.room('a')).toBe(3)
})

test('over a long time a rate is never exceeded', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200), { minLength: 50 }), (pauses) => {
      const { all, clock } = destinations({ concurrency: 1_000, perSecond: 20, burst: 5 })
      const startedAt = clock.time
      let rows = 0
      for (const pause of pauses) {
        clock.time += pause
        const room = all.room('a')
        start(all, 'a', room)
        rows += room
      }
      expect(rows).toBeLessThanOrEqual(5 + ((clock.time - startedAt) * 20) / 1_000)
    }),
  )
})

test('a suspension ends with a trial of one row, and a trial that fails starts another', () => {
  const { all, clock } = destinations({ concurrency: 5 })
  start(all, 'a', 2)
  all.named('a').suspend(500)
  expect(all.room('a')).toBe(0)
  all.named('a').ended()
  all.named('a').ended()
  expect(all.room('a')).toBe(0)
  expect(all.opensAt('a')).toBe(1_500)

  clock.time = 1_500
  expect(all.room('a')).toBe(1)
  start(all, 'a', 1)
  expect(all.room('a')).toBe(0)
  all.named('a').suspend(500)
  all.named('a').ended()
  expect(all.room('a')).toBe(0)

  clock.time = 2_000
  start(all, 'a', 1)
  all.named('a').ended()
  expect(all.room('a')).toBe(5)
})

test('a shorter suspension does not end a longer one', () => {
  const { all } = destinations({ concurrency: 5 })
  all.named('a').suspend(60_000)
  all.named('a').suspend(10)
  expect(all.opensAt('a')).toBe(61_000)
})

test('a restriction lowers limits for its time and never raises them', () => {
  const { all, clock } = destinations({ concurrency: 5 })
  all.named('a').restrict({ concurrency: 2 }, 1_000)
  all.named('b').restrict({ concurrency: 50 }, 1_000)
  expect([all.room('a'), all.room('b')]).toEqual([2, 5])
  clock.time = 2_000
  expect(all.room('a')).toBe(5)
})

test('a hundred thousand destinations leave nothing behind when they are idle', () => {
  const { all, clock } = destinations({ concurrency: 5, perSecond: 100 })
  for (let i = 0; i < 100_000; i++) {
    all.named(`d${i}`).started()
    all.named(`d${i}`).ended()
  }
  all.named('busy').started()
  all.named('suspended').suspend(3_600_000)
  all.named('on trial').suspend(10)
  clock.time += 1_000
  all.forgetIdle()
  expect(all.size).toBe(3)
  clock.time += 3_600_000
  all.forgetIdle()
  expect(all.size).toBe(2)
})

test('a destination that takes rows quickly may have as many more in hand, up to its limit, and only then', () => {
  const { all, clock } = destinations({ concurrency: 5, maxConcurrency: 100 })
  const quick = all.named('a')
  for (let i = 0; i < 20; i++) quick.succeeded()
  expect([all.room('a'), all.room('b')]).toEqual([25, 5])
  clock.time += 300
  expect(all.room('a')).toBe(25)
  for (let i = 0; i < 1_000; i++) quick.succeeded()
  expect(all.room('a')).toBe(100)
  quick.restrict({ concurrency: 2 }, 1_000)
  expect(all.room('a')).toBe(2)
  clock.time += 1_000
  expect(all.room('a')).toBe(5)
})

test('five failures in a row suspend a destination, each further one for longer, up to a minute; a success ends the row', () => {
  const { all, clock } = destinations({ concurrency: 5 })
  const failing = all.named('a')
  const pauses: number[] = []
  for (let i = 0; i < 13; i++) {
    failing.failed()
    const pause = all.opensAt('a') - clock.time
    pauses.push(pause)
    clock.time += pause
    all.forgetIdle()
  }
  expect(pauses).toEqual([0, 0, 0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
  // On trial.
  expect(all.room('a')).toBe(1)
  failing.started()
  failing.succeeded()
  failing.ended()
  failing.failed()
  expect(all.room('a')).toBe(5)
})

test('a destination that asks for a pause gets it at its first failure', () => {
  const { all } = destinations({ concurrency: 5 })
  all.named('a').failed(30_000)
  expect(all.opensAt('a')).toBe(31_000)
})

test('a destination that is slowed down gets half its rate, and a tenth of all of it back every minute', () => {
  const { all, clock } = destinations({ concurrency: 5, perSecond: 10 })
  const slow = all.named('a')
  const interval = (): number => {
    slow.started()
    slow.ended()
    const ms = slow.opensAt - clock.time
    clock.time += ms
    return ms
  }
  expect(interval()).toBe(100)
  slow.slowDown()
  expect(interval()).toBe(200)
  for (let i = 0; i < 10; i++) slow.slowDown()
  expect(interval()).toBeCloseTo(6_400, 0)
  clock.time += 5 * 60_000
  all.forgetIdle()
  expect(all.size).toBe(1)
  expect(interval()).toBeGreaterThan(100)
  clock.time += 5 * 60_000
  expect(interval()).toBe(100)
})

test('a row that counts as several is followed by a longer pause', () => {
  const { all, clock } = destinations({ concurrency: 5, perSecond: 10 })
  all.named('a').started()
  all.named('a').charge(2)
  expect(all.opensAt('a')).toBe(1_300)
  clock.time = 1_300
  expect(all.room('a')).toBe(1)
})

test('of the rows in hand so many are on their way at a time, and none of them once the destination is suspended', async () => {
  const { all } = destinations({ concurrency: 100, atOnce: 2 })
  const busy = all.named('a')
  const answers: PromiseWithResolvers<string>[] = []
  const ask = (): Promise<string | undefined> =>
    busy.inTurn(() => {
      const answer = Promise.withResolvers<string>()
      answers.push(answer)
      return answer.promise
    })
  const asked = [ask(), ask(), ask(), ask()]
  await Promise.resolve()
  await Promise.resolve()
  expect(answers).toHaveLength(2)
  answers[0]!.resolve('first')
  expect(await asked[0]).toBe('first')
  await expect.poll(() => answers).toHaveLength(3)
  busy.suspend(1_000)
  answers[1]!.resolve('second')
  answers[2]!.resolve('third')
  expect(await Promise.all(asked)).toEqual(['first', 'second', 'third', undefined])
  expect(answers).toHaveLength(3)
})
