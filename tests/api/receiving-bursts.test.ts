import { expect, test } from 'vitest'
import { BurstDetector } from '../../src/resources/receiving/intake/burst.ts'
import { sql } from '../../src/storage/sql.ts'
import { moveClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import { hand, intakeOf, receivingWorld } from '../support/receiving.ts'

test('mail is processed at once, and some seconds later while it comes in a burst', () => {
  const time = { now: 1_000_000 }
  const burst = new BurstDetector({ now: () => time.now })
  const [atOnce, deferred, deferredWithJob] = [
    { isDeferred: false, needsJob: false },
    { isDeferred: true, needsJob: false },
    { isDeferred: true, needsJob: true },
  ]
  expect(burst.count(24)).toEqual(atOnce)
  time.now += 100
  expect(burst.count(1)).toEqual(deferredWithJob)
  time.now += 200
  expect(burst.count(1)).toEqual(deferred)
  // A window with few messages is the end of it, and so is one with none.
  time.now += 250
  expect(burst.count(1)).toEqual(atOnce)
  time.now += 600
  expect(burst.count(25)).toEqual(deferredWithJob)
  time.now += 500
  expect(burst.count(1)).toEqual(atOnce)
})

test('what came in a burst is processed when it was deferred for long enough, all of it, once', async () => {
  const here = await receivingWorld()
  const { db, services } = here
  const intake = intakeOf(here)
  const to = `user@${await here.managedDomain()}`
  await Promise.all(Array.from({ length: 150 }, (_, i) => hand(intake, to, `burst ${i}`)))
  await moveClock(db, 10)
  // The job that comes in a moment, and one of another worker.
  await Promise.all([services.receivedProcessor.processDeferred(), services.receivedProcessor.processDeferred()])
  const counts = () =>
    db.one(sql<{ waiting: number; processed: number; again: number }>`
      select count(*) filter (where waits) as waiting, count(*) filter (where state = 'read') as processed,
             count(*) filter (where attempts > 1) as again
        from received_messages`)
  await eventually('all are processed', async () => (await counts()).processed === 150, 60_000)
  expect(await counts()).toEqual({ waiting: 0, processed: 150, again: 0 })
})
