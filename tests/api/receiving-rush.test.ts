import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { moveClock } from '../support/clock.ts'
import { hand, receptionOf } from '../support/receiving.ts'
import { created, world, type World } from '../support/world.ts'

test('mail is read at once, and a little later while it pours in', async () => {
  const here = await world()
  const { arrive, time } = await arrivals(here)
  expect(await arrive(24)).toEqual(['receiving.read now'])
  time.now += 100
  expect(await arrive(1)).toEqual(['receiving.read-rush in 10 s'])
  time.now += 200
  expect(await arrive(1)).toEqual([])
  // A moment with few is the end of it, and so is one with none.
  time.now += 250
  expect(await arrive(1)).toEqual(['receiving.read now'])
  time.now += 600
  expect(await arrive(25)).toEqual(['receiving.read-rush in 10 s'])
  time.now += 500
  expect(await arrive(1)).toEqual(['receiving.read now'])
})

test('what came in a rush is read when it has waited, all of it, once', async () => {
  const here = await world()
  const { arrive, jobs } = await arrivals(here)
  await arrive(250)
  await here.services.reading.readRush()
  expect(await jobs()).toEqual([])
  await moveClock(here.db, 10)
  await Promise.all([here.services.reading.readRush(), here.services.reading.readRush()])
  const given = await here.db.all(sql<{ messages: string[] }>`
    select array(select json_array_elements_text(payload -> 'messages')) as messages from graphile_worker._private_jobs`)
  const messages = given.flatMap((job) => job.messages)
  expect(messages).toHaveLength(250)
  expect(new Set(messages).size).toBe(250)
})

/** Letters that come at the same moment, by a clock of ours; and the jobs that were made for them. */
async function arrivals(here: World) {
  const { name } = created(await here.projectApi.post<{ name: string }>('receiving/domains', { type: 'managed' }))
  const time = { now: 1_000_000 }
  const reception = receptionOf(here, { now: () => time.now })
  const jobs = async (): Promise<string[]> => {
    const made = await here.db.all(sql<{ task: string; seconds: number }>`
      with gone as (delete from graphile_worker._private_jobs returning *)
      select t.identifier as task, round(extract(epoch from run_at - created_at))::int as seconds
        from gone join graphile_worker._private_tasks t on t.id = task_id`)
    return [...new Set(made.map(({ task, seconds }) => `${task} ${seconds === 0 ? 'now' : `in ${seconds} s`}`))]
  }
  const arrive = async (messages: number): Promise<string[]> => {
    const letters = Array.from({ length: messages }, (_, i) => `${time.now} ${i}`)
    await Promise.all(letters.map((letter) => hand(reception, `user@${name}`, letter)))
    return jobs()
  }
  return { arrive, jobs, time }
}
