import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connections } from '../../src/app/connections.ts'
import { CONNECTIONS_BY_INDEX } from '../../src/storage/postgres.ts'
import { eventually, milliseconds } from '../support/eventually.ts'
import { freePort, PosthouseProcess } from '../support/posthouse-process.ts'
import { PrivateCluster } from '../support/private-cluster.ts'

const MAX_CONNECTIONS = 60
const cluster = new PrivateCluster([`max_connections=${MAX_CONNECTIONS}`])
let node: PosthouseProcess

beforeAll(async () => {
  await cluster.start()
  const env = { DATABASE_URL: cluster.url, RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'silent' }
  node = await new PosthouseProcess(await freePort(), { env }).ready()
})
afterAll(async () => {
  await node.cleanUp()
  await cluster.remove()
})

const isServed = async (): Promise<boolean> => (await node.api.get('projects')).status === 200

/** Promised: 503 with a truthful hint, quickly, for every endpoint that needs the database. */
async function expectUnavailable(withinMs = 3_000): Promise<void> {
  for (const ask of [() => node.api.get('projects'), () => node.api.post('projects', { name: 'x' })]) {
    const took = await milliseconds(async () => {
      const { status, body, headers } = await ask()
      expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'unavailable' })
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    })
    expect(took).toBeLessThan(node.atMost(withinMs))
  }
}

test('with the database stopped the node stays up, says that it lives, refuses the rest, and recovers', async () => {
  const roles = node.rolePids()
  await cluster.stop()
  try {
    await eventually('the outage is noticed', async () => !(await isServed()))
    await expectUnavailable()
    const times: number[] = []
    for (let i = 0; i < 9; i++) times.push(await milliseconds(expectAlive))
    expect(times.toSorted((x, y) => x - y)[4]).toBeLessThan(node.atMost(50))
  } finally {
    await cluster.start()
  }
  expect(await milliseconds(() => eventually('it is served again', isServed))).toBeLessThan(node.atMost(5_000))
  expect(node.rolePids()).toEqual(roles)
})

async function expectAlive(): Promise<void> {
  const { status, body } = await node.api.with(undefined).get('health')
  expect({ status, body }).toMatchObject({ status: 200, body: { status: 'ok' } })
}

test('with the database frozen the node says so within five seconds, and recovers when it goes on', async () => {
  expect(await isServed()).toBe(true)
  const thaw = cluster.freeze()
  try {
    await expectUnavailable(5_000)
    await expectAlive()
  } finally {
    thaw()
  }
  expect(await milliseconds(() => eventually('it is served again', isServed))).toBeLessThan(node.atMost(5_000))
})

test('a node holds at most forty connections, however many requests come', async () => {
  const held = (): Promise<string[]> =>
    cluster.session(async (client) => {
      const { rows } = await client.query(
        `select application_name as name from pg_stat_activity where application_name like 'posthouse%'`,
      )
      return rows.map(({ name }) => name)
    })
  const counts: string[][] = []
  for (let round = 0; round < 3; round++) {
    const burst = Promise.all(Array.from({ length: 150 }, () => node.api.get('projects')))
    counts.push(await held())
    expect((await burst).filter(({ status }) => status !== 200)).toEqual([])
    counts.push(await held())
  }
  expect(Math.max(...counts.map(({ length }) => length))).toBeLessThanOrEqual(40)
  // Not all of them can be brought to hold what they may at once: their limits count too.
  const [probes, session] = [Object.keys(connections).length, 1]
  const ofPools = Object.values(connections).reduce((sum, each) => sum + each, CONNECTIONS_BY_INDEX)
  expect(ofPools + probes + session).toBeLessThanOrEqual(40)
  expect(counts.flat()).toEqual(expect.arrayContaining(['posthouse api', 'posthouse worker']))
})

test('when others have taken every connection the node says so quickly, and recovers when they let go', async () => {
  const others: pg.Client[] = []
  try {
    await eventually('no connection is left for us', async () => {
      await takeEveryConnection(others)
      await others[0]!.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'posthouse%'`,
      )
      await takeEveryConnection(others)
      return !(await isServed())
    })
    await expectUnavailable()
    await expectAlive()
  } finally {
    await Promise.all(others.map((client) => client.end()))
  }
  expect(await milliseconds(() => eventually('it is served again', isServed))).toBeLessThan(node.atMost(5_000))
})

async function takeEveryConnection(others: pg.Client[]): Promise<void> {
  for (let i = 0; i < MAX_CONNECTIONS; i++) {
    const client = new pg.Client({ connectionString: cluster.url })
    client.on('error', () => {})
    try {
      await client.connect()
      others.push(client)
    } catch (error) {
      if ((error as pg.DatabaseError).code === '53300') return // too_many_connections
      throw error
    }
  }
}
