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

test('metrics count jobs by state', async () => {
  const { api, db } = await world()
  await enqueueNamed(db, 'a')
  await enqueueNamed(db, 'b')
  await db.run(sql`update jobs set state = 'claimed', lease_worker = gen_random_uuid() where kind = 'b'`)
  const { text } = await api.with(undefined).get('/metrics')
  expect(
    text
      .split('\n')
      .filter((line) => line.startsWith('posthouse_jobs{'))
      .toSorted(),
  ).toEqual([
    'posthouse_jobs{state="ended"} 0',
    'posthouse_jobs{state="ready"} 1',
    'posthouse_jobs{state="running"} 1',
    'posthouse_jobs{state="waiting"} 0',
  ])
})
