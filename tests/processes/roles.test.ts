import { expect, onTestFinished, test } from 'vitest'
import { roles, type Role } from '../../src/config/schema.ts'
import { freshDatabase } from '../support/database.ts'
import { eventually, milliseconds } from '../support/eventually.ts'
import { launchPosthouse, startPosthouse, type PosthouseProcess } from '../support/posthouse-process.ts'
import { isRunning } from '../support/process-table.ts'
import { SteadyStream } from '../support/steady-stream.ts'

/** A node without a database of its own: a role's end is all that matters here. */
async function node(): Promise<PosthouseProcess> {
  const { url, drop } = await freshDatabase()
  onTestFinished(drop)
  return startPosthouse({ env: { DATABASE_URL: url, RATE_LIMIT_PER_SECOND: '0' } })
}

async function killed(house: PosthouseProcess, role: Role): Promise<number> {
  const pid = house.rolePid(role)!
  process.kill(pid, 'SIGKILL')
  await eventually(`${role} is gone`, () => !isRunning(pid))
  return pid
}

const metric = async ({ url }: PosthouseProcess, name: string, role: Role): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^${name}\\{role="${role}"\\} (\\d+)$`, 'm').exec(text)?.[1])
}

test('a role that is killed is back within two seconds; callers wait for the API instead of being refused', async () => {
  const house = await node()
  for (const role of roles) {
    const victim = await killed(house, role)
    const took = await milliseconds(async () => {
      const replies = await Promise.all(Array.from({ length: 20 }, () => house.api.get('projects')))
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
      await eventually(`${role} is up`, async () => (await metric(house, 'posthouse_role_up', role)) === 1)
    })
    expect(house.rolePid(role)).not.toBe(victim)
    expect(await metric(house, 'posthouse_role_restarts', role)).toBe(1)
    expect(took).toBeLessThan(2_000)
  }
})

test('a role that keeps dying is given more and more time', async () => {
  const house = await node()
  const waits: number[] = []
  for (let death = 1; death <= 4; death++) {
    await killed(house, 'inbound')
    waits.push(await milliseconds(() => eventually('the next one starts', () => house.rolePid('inbound'))))
  }
  // At once, then 250, 500 and 1,000 ms, each ±20 %.
  expect(waits[0]).toBeLessThan(waits[3]!)
  expect(waits[2]).toBeGreaterThan(400)
  expect(waits[3]).toBeGreaterThan(800)
  expect(await metric(house, 'posthouse_role_restarts', 'inbound')).toBe(4)
})

test.each([false, true])('SIGTERM of the API fails no request (connections kept: %s)', async (keepAlive) => {
  const house = await node()
  const stream = new SteadyStream(house.url, house.keys.workspace, { callers: 8, keepAlive })
  for (let turn = 1; turn <= 3; turn++) {
    const before = stream.tally.succeeded
    await eventually('requests flow', () => stream.tally.succeeded > before + 50)
    const leaving = house.rolePid('api')!
    process.kill(leaving, 'SIGTERM')
    await eventually('it has left', () => !isRunning(leaving))
  }
  const { succeeded, failures } = await stream.stop()
  expect(failures).toEqual([])
  expect(succeeded).toBeGreaterThan(150)
  expect(house.rolePids('api')).toHaveLength(1)
})

test('kill -9 of the API under load costs only what it was answering, and no connection is left behind', async () => {
  const house = await node()
  const callers = 8
  const stream = new SteadyStream(house.url, house.keys.workspace, { callers, keepAlive: false })
  await eventually('requests flow', () => stream.tally.succeeded > 50)
  await killed(house, 'api')
  const before = stream.tally.succeeded
  await eventually('requests flow again', () => stream.tally.succeeded > before + 50)
  // No new caller may be lost: whoever was not yet with the dead process is served by the next.
  const { failures } = await stream.stop()
  expect(failures.length).toBeLessThanOrEqual(callers)
  expect(failures).not.toContain('no answer in 20 s')
})

test('a role that ends before it is ready keeps the node from starting', async () => {
  const { url, drop } = await freshDatabase()
  onTestFinished(drop)
  const house = await launchPosthouse({ env: { DATABASE_URL: url } })
  process.kill(await eventually('the API starts', () => house.rolePid('api')), 'SIGKILL')
  expect(await house.ended).toEqual({ code: 1, signal: null })
  expect(house.stderr).toBe('The api process ended before it was ready (SIGKILL).\n')
  expect(house.stdout).toBe('')
  expect(house.processes()).toEqual([])
})
