import { afterAll, expect, test } from 'vitest'
import { Worker } from '../../src/dispatch/workers.ts'
import { sql } from '../../src/storage/sql.ts'
import { ownServer } from '../support/own-server.ts'
import { stopAfterEach } from '../support/stop-after-each.ts'
import { addToys, createToys, gate, results, shortTimes, silent, soon, toyDispatcher, toyQueue, toys } from './toy.ts'

const server = await ownServer()
afterAll(() => server.drop())
const stopping = stopAfterEach()
await createToys(server.db)

test('in the first seconds of a database nobody is declared dead', async () => {
  await server.db.run(sql`
    insert into workers (id, role, name, heartbeat_at)
    values ('00000000-0000-4000-8000-000000000000', 'watched', 'silent', now() - interval '1 hour')`)
  const expiries: string[] = []
  const watcher = (expiryMs: number) =>
    new Worker({
      db: server.db,
      role: 'watched',
      name: 'watcher',
      log: silent,
      release: async (_, workers) => void expiries.push(...workers.map(({ name }) => name)),
      times: { ...shortTimes, expiryMs },
    })
  // The server is younger than ten minutes, and older than a millisecond.
  await watcher(600_000).runOnce()
  expect(expiries).toEqual([])
  await watcher(1).runOnce()
  expect(expiries).toContain('silent')
  await server.db.run(sql`delete from workers`)
})

test('a restart of the database under load loses nothing and repeats nothing', async () => {
  const ids = await addToys(server.db, 400)
  const started: string[] = []
  const halfway = gate()
  const away = gate()
  const pair = ['one', 'two'].map((name) =>
    stopping(
      toyDispatcher(
        server.db,
        toyQueue(async ({ id }, lease) => {
          const permission = await lease.confirm()
          // Only what began may be counted as sent; the rest goes back without having left us.
          if (permission !== 'allowed') return { kind: 'retry', inMs: 0 }
          started.push(id)
          if (started.length >= 200) {
            halfway.resolve()
            await away.promise
          }
          return { kind: 'done', by: name }
        }),
        { times: shortTimes },
      ),
    ),
  )
  for (const dispatcher of pair) dispatcher.start()
  await halfway.promise
  const awayAt = performance.now()
  await server.halt()
  away.resolve()
  // Away for longer than it takes to declare somebody dead.
  await expect.poll(() => performance.now() - awayAt, soon).toBeGreaterThan(shortTimes.expiryMs)
  await server.resume()

  await expect.poll(() => toys(server.db).catch(() => 'away'), soon).toEqual([])
  for (const dispatcher of pair) await dispatcher.stop()
  expect((await results(server.db)).map(({ id }) => id).toSorted()).toEqual(ids)
  expect(started.toSorted()).toEqual(ids)
})
