import { afterAll, expect, test } from 'vitest'
import { define, jobKind } from '../../src/jobs/define.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { sql } from '../../src/storage/sql.ts'
import { ownServer } from '../support/own-server.ts'
import { stopAfterEach } from '../support/stop-after-each.ts'
import { gate, jobs, runnerOf, shortTimes, soon } from './world.ts'

const server = await ownServer()
afterAll(() => server.drop())
const stopping = stopAfterEach()

test('jobs that are running while the database restarts are completed once, and later jobs run', async () => {
  const work = jobKind<{ name: string }>('work')
  const done: string[] = []
  const bothStarted = gate()
  const goOn = gate()
  let running = 0
  const waiting = define(work, async ({ name }) => {
    if (++running === 2) bothStarted.resolve()
    await goOn.promise
    done.push(name)
    if (name === 'fails') throw new Error('while the database is away')
  })
  const runners = [1, 2].map(() => stopping(runnerOf(server.db, [waiting], { concurrency: 1, times: shortTimes })))
  await server.db.transaction(async (tx) => {
    await enqueue(tx, work, { name: 'succeeds' })
    await enqueue(tx, work, { name: 'fails' })
  })
  for (const runner of runners) runner.start()
  await bothStarted.promise

  const awayAt = performance.now()
  await server.halt()
  goOn.resolve()
  // Away for longer than it takes to declare somebody dead.
  await expect.poll(() => performance.now() - awayAt, soon).toBeGreaterThan(shortTimes.expiryMs)
  await server.resume()

  await expect
    .poll(() => jobs(server.db).catch(() => 'away'), soon)
    .toMatchObject([{ state: 'waiting', failures: 1, crashes: 0, lastError: 'while the database is away' }])
  expect(done.toSorted()).toEqual(['fails', 'succeeds'])
  await server.db.run(sql`delete from jobs`)
  await server.db.transaction((tx) => enqueue(tx, work, { name: 'later' }))
  await expect.poll(() => done, soon).toContain('later')
  for (const runner of runners) await runner.stop()
})
