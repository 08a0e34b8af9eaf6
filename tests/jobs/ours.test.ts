import { expect, test } from 'vitest'
import { allJobs } from '../../src/app/jobs.ts'
import { collect } from '../../src/jobs/define.ts'
import { sql } from '../../src/storage/sql.ts'
import { world } from '../support/world.ts'
import { enqueueNamed, runnerOf } from './world.ts'

test('idempotency keys are forgotten after three days, by a job of their own', async () => {
  const { db, services } = await world()
  const age = (hours: number) => sql`
    insert into idempotency_keys (project_id, key, endpoint, fingerprint, created_at)
    select id, ${`${hours} hours old`}, 'POST /toys', '', clock_now() - make_interval(hours => ${hours}) from projects`
  await db.run(age(71))
  await db.run(age(73))
  await enqueueNamed(db, 'http.forget-idempotency-keys')
  await runnerOf(db, allJobs(db, services)).runOnce()
  expect(await db.all(sql`select key from idempotency_keys`)).toEqual([{ key: '71 hours old' }])
})

test('every job of ours has a name of its own', async () => {
  const { db, services } = await world()
  const definitions = allJobs(db, services)
  expect(collect(definitions).size).toBe(definitions.length)
})
