import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { hand, receptionOf } from '../support/receiving.ts'
import { created, world } from '../support/world.ts'

test('mail is read at once, and a little later while it pours in', async () => {
  const here = await world()
  const { name } = created(await here.projectApi.post<{ name: string }>('receiving/domains', { type: 'managed' }))
  const time = { now: 0 }
  const reception = receptionOf(here, { now: () => time.now })
  /** In how many seconds it is due to be read. */
  const arrive = async (messages: number): Promise<Set<number>> => {
    const letters = Array.from({ length: messages }, (_, i) => `${time.now} ${i}`)
    await Promise.all(letters.map((letter) => hand(reception, `user@${name}`, letter)))
    const jobs = await here.db.all(sql<{ seconds: number }>`
      delete from graphile_worker._private_jobs returning extract(epoch from run_at - created_at)::float8 as seconds`)
    return new Set(jobs.map(({ seconds }) => Math.round(seconds)))
  }
  time.now = 1_000_000
  expect(await arrive(24)).toEqual(new Set([0]))
  time.now += 100
  expect(await arrive(1)).toEqual(new Set([10]))
  time.now += 200
  expect(await arrive(1)).toEqual(new Set([10]))
  // A moment with few is the end of it, and so is one with none.
  time.now += 250
  expect(await arrive(1)).toEqual(new Set([0]))
  expect(await arrive(25)).toEqual(new Set([10]))
  time.now += 500
  expect(await arrive(1)).toEqual(new Set([0]))
})
