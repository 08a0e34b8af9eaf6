import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/storage/migrate.ts'
import { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import { eventually, milliseconds, stretched } from '../support/eventually.ts'
import { runPosthouse, startPosthouse } from '../support/posthouse-process.ts'
import { credentials, PrivateCluster } from '../support/private-cluster.ts'

/** Two servers with one schema; which of them takes writes is decided by a setting, as it is by a promotion. */
const [a, b] = [new PrivateCluster(), new PrivateCluster()]

beforeAll(async () => {
  for (const cluster of [a, b]) {
    await cluster.start()
    const db = new Database({ url: cluster.url, name: 'test set-up', connections: 2 })
    await migrate(db)
    await db.run(sql`create table whereabouts (server text)`)
    await db.run(sql`insert into whereabouts values (${cluster === a ? 'a' : 'b'})`)
    await db.close()
  }
  await b.set('default_transaction_read_only', 'on')
})
afterAll(async () => {
  await a.remove()
  await b.remove()
})

/** Sockets as hosts, written the way libpq wants them. */
const listed = (...clusters: PrivateCluster[]): string => {
  const hosts = clusters.map(({ url }) => encodeURIComponent(new URLSearchParams(url.split('?')[1]).get('host')!))
  return `postgres://${credentials}@${hosts.join(',')}/posthouse?target_session_attrs=read-write`
}

const whereWritesGo = async (db: Database): Promise<string> =>
  (await db.one(sql<{ server: string }>`update whereabouts set server = server returning server`)).server

test('a pool finds the server that takes writes, and finds it again after a failover', async () => {
  const db = new Database({ url: listed(b, a), name: 'test', connections: 3 })
  expect(await Promise.all([1, 2, 3].map(() => whereWritesGo(db)))).toEqual(['a', 'a', 'a'])

  await a.stop()
  await expect(whereWritesGo(db)).rejects.toThrow()
  await b.set('default_transaction_read_only', undefined)
  const took = await milliseconds(() => eventually('writes go on', async () => (await whereWritesGo(db)) === 'b'))
  expect(took).toBeLessThan(stretched(5_000))

  // The old one comes back as a standby: nobody may turn to it.
  await a.start()
  await a.set('default_transaction_read_only', 'on')
  const after = new Database({ url: listed(a, b), name: 'test', connections: 1 })
  expect(await whereWritesGo(after)).toBe('b')
  expect(await Promise.all([1, 2, 3].map(() => whereWritesGo(db)))).toEqual(['b', 'b', 'b'])

  // And back: sessions with one that has turned read-only are given up.
  await a.set('default_transaction_read_only', undefined)
  await b.set('default_transaction_read_only', 'on')
  await eventually('writes go back', async () => (await whereWritesGo(db)) === 'a')
  await db.close()
  await after.close()
})

test('a node with a list of hosts is unavailable while none takes writes, goes on by itself, and would not start', async () => {
  await a.set('default_transaction_read_only', undefined)
  const node = await startPosthouse({ env: { DATABASE_URL: listed(b, a) } })
  const write = () => node.api.post('projects', { name: 'written' })
  expect((await write()).status).toBe(201)
  await a.set('default_transaction_read_only', 'on')
  await b.set('default_transaction_read_only', 'on')
  expect(await write()).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  const { code, stderr } = await runPosthouse(['start'], { env: { DATABASE_URL: listed(b, a) } })
  expect(code).toBe(1)
  expect(stderr).toMatch(/none of the listed PostgreSQL hosts accepts writes: .* is read-only; .* is read-only/)
  await a.set('default_transaction_read_only', undefined)
  await eventually('writes go on', async () => (await write()).status === 201, 5_000)
})
