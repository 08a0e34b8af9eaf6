/**
 * A process that runs jobs, for tests that kill or freeze it. It reports what its handler does and goes on only when it
 * is told to.
 */
import { silent } from '../../src/core/log.ts'
import { define, jobKind } from '../../src/jobs/define.ts'
import { JobRunner } from '../../src/jobs/run.ts'
import { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import { shortTimes } from './world.ts'

const [url = ''] = process.argv.slice(2)
const db = new Database({ url, name: 'test child', connections: 6 })

const work = jobKind<{ name: string }>('work')
const handler = define(work, async ({ name }, job) => {
  const proceed = new Promise((resolve) => process.once('message', resolve))
  process.send?.({ started: name })
  await proceed
  const wrote = await db
    .transaction(async (tx) => {
      await job.hold(tx)
      await tx.run(sql`insert into ledger values (${name}, 'child')`)
    })
    .then(
      () => true,
      (error: Error) => error.name,
    )
  process.send?.({ wrote })
})

const log = { ...silent, warn: (_: object, message: string) => process.send?.({ warned: message }) }
const runner = new JobRunner({
  db,
  jobs: [handler],
  concurrency: 2,
  name: 'child',
  log,
  random: Math.random,
  times: shortTimes,
  pollMs: 100,
})
runner.start()
