import { afterEach, beforeEach, expect, test } from 'vitest'
import { define, jobKind } from '../../src/jobs/define.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { sql } from '../../src/storage/sql.ts'
import { reported, startChild, type Child } from '../support/child.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { stopAfterEach } from '../support/stop-after-each.ts'
import { jobs, runnerOf, shortTimes, soon } from './world.ts'
import { stretched } from '../support/eventually.ts'

let world: TestDatabase
let child: Child
beforeEach(async () => {
  world = await freshDatabase(8)
  await world.db.run(sql`create table ledger (name text not null, written_by text not null)`)
  child = startChild(new URL('./worker.ts', import.meta.url), [world.url])
})
afterEach(async () => {
  await child.end()
  await world.drop()
})
const stopping = stopAfterEach()

const work = jobKind<{ name: string }>('work')
const ours = define(work, async ({ name }, job) => {
  await world.db.transaction(async (tx) => {
    await tx.run(sql`insert into ledger values (${name}, 'parent')`)
    await job.finish(tx)
  })
})
const ledger = () => world.db.all(sql`select name, written_by as by from ledger`)

async function childTakesTheJob(): Promise<void> {
  await world.db.transaction((tx) => enqueue(tx, work, { name: 'x' }))
  await reported(child, { started: 'x' })
}

test('the job of a process that was killed is run by another, within the bound of the heartbeats', async () => {
  await childTakesTheJob()
  const runner = stopping(runnerOf(world.db, [ours], { times: shortTimes }))
  runner.start()
  const killedAt = performance.now()
  await child.end()
  await expect.poll(ledger, soon).toEqual([{ name: 'x', by: 'parent' }])
  // Expiry and two heartbeats in production's proportions, and some time for a busy machine.
  expect(performance.now() - killedAt).toBeLessThan(
    shortTimes.expiryMs + 2 * shortTimes.heartbeatMs + stretched(10_000),
  )
  expect(performance.now() - killedAt).toBeGreaterThan(shortTimes.expiryMs - 2 * shortTimes.heartbeatMs)
  await runner.stop()
  expect(await jobs(world.db)).toEqual([])
})

test('a job is not taken from a process that is busy and alive', async () => {
  await childTakesTheJob()
  const runner = stopping(runnerOf(world.db, [ours], { times: shortTimes }))
  runner.start()
  // Both have been heard for twice the time after which the silent are declared dead.
  const patient = sql`
    select from workers where heartbeat_at > started_at + ${2 * shortTimes.expiryMs} * interval '1 millisecond'`
  await expect.poll(() => world.db.all(patient), soon).toHaveLength(2)
  child.tell({ proceed: true })
  await expect.poll(() => jobs(world.db), soon).toEqual([])
  await runner.stop()
  expect(await ledger()).toEqual([{ name: 'x', by: 'child' }])
})

test('a process that was frozen can neither write for the job it lost nor complete it, and takes others', async () => {
  await childTakesTheJob()
  child.signal('SIGSTOP')
  const seen: string[] = []
  const goOn = Promise.withResolvers<void>()
  const slow = define(work, async ({ name }) => {
    seen.push(name)
    await goOn.promise
  })
  const runner = stopping(runnerOf(world.db, [slow], { times: shortTimes }))
  runner.start()
  await expect.poll(() => seen, soon).toEqual(['x'])

  child.tell({ proceed: true })
  child.signal('SIGCONT')
  await reported(child, { wrote: 'LostJobError' })
  await reported(child, { warned: 'job result discarded: lease lost' })
  expect(await ledger()).toEqual([])
  // It is still ours, and still there, until we are done with it.
  expect(await jobs(world.db)).toMatchObject([{ payload: { name: 'x' }, state: 'claimed', crashes: 1 }])
  goOn.resolve()
  await expect.poll(() => jobs(world.db), soon).toEqual([])
  await runner.stop()
  expect(seen).toEqual(['x'])

  await reported(child, { warned: 'worker expired by another node' })
  await world.db.transaction((tx) => enqueue(tx, work, { name: 'y' }))
  await reported(child, { started: 'y' })
})
