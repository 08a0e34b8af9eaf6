import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { roles, type Role } from '../../src/config/schema.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { eventually, milliseconds } from '../support/eventually.ts'
import { freePort, launchPosthouse, PosthouseProcess, startPosthouse } from '../support/posthouse-process.ts'
import { isRunning } from '../support/process-table.ts'
import { SteadyStream } from '../support/steady-stream.ts'

let database: TestDatabase
let services: PosthouseProcess

/** A node without a database of its own: a role's end is all that matters here. */
beforeAll(async () => {
  database = await freshDatabase()
  const env = { DATABASE_URL: database.url, RATE_LIMIT_PER_SECOND: '0' }
  services = await new PosthouseProcess(await freePort(), { env }).ready()
})
afterAll(async () => {
  await services.cleanUp()
  await database.drop()
})

async function killed(role: Role): Promise<number> {
  const pid = services.rolePid(role)!
  process.kill(pid, 'SIGKILL')
  await eventually(`${role} is gone`, () => !isRunning(pid))
  return pid
}

const metric = async (name: string, role: Role): Promise<number> => {
  const text = await (await fetch(`${services.url}/metrics`)).text()
  return Number(new RegExp(`^${name}\\{role="${role}"\\} (\\d+)$`, 'm').exec(text)?.[1])
}

test('a role that is killed is back within two seconds; callers wait for the API instead of being refused', async () => {
  for (const role of roles) {
    const victim = await killed(role)
    const took = await milliseconds(async () => {
      const replies = await Promise.all(Array.from({ length: 20 }, () => services.api.get('projects')))
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
      // The news of its death may reach the API after us: until then it counts as up.
      await eventually(
        `the death of ${role} is noticed`,
        async () => (await metric('posthouse_role_restarts', role)) > 0,
      )
      await eventually(`${role} is up`, async () => (await metric('posthouse_role_up', role)) === 1)
    })
    expect(services.rolePid(role)).not.toBe(victim)
    expect(await metric('posthouse_role_restarts', role)).toBe(1)
    expect(took).toBeLessThan(services.atMost(2_000))
  }
})

test.each([false, true])('SIGTERM of the API fails no request (connections kept: %s)', async (keepAlive) => {
  const stream = new SteadyStream(services.url, services.keys.workspace, { callers: 8, keepAlive })
  for (let turn = 1; turn <= 2; turn++) {
    const before = stream.tally.succeeded
    await eventually('requests flow', () => stream.tally.succeeded > before + 50)
    const leaving = services.rolePid('api')!
    process.kill(leaving, 'SIGTERM')
    await eventually('it has left', () => !isRunning(leaving))
  }
  const { succeeded, failures } = await stream.stop()
  expect(failures).toEqual([])
  expect(succeeded).toBeGreaterThan(100)
  expect(services.rolePids('api')).toHaveLength(1)
})

test('kill -9 of the API under load costs only what it was answering, and no caller is left hanging', async () => {
  const callers = 8
  const stream = new SteadyStream(services.url, services.keys.workspace, { callers, keepAlive: false })
  await eventually('requests flow', () => stream.tally.succeeded > 50)
  await killed('api')
  const before = stream.tally.succeeded
  await eventually('requests flow again', () => stream.tally.succeeded > before + 50)
  const { failures } = await stream.stop()
  expect(failures.length).toBeLessThanOrEqual(callers)
  expect(failures).not.toContain('no answer in 20 s')
})

test('a process that lives on with the standard error of a dead worker keeps nobody from starting or stopping', async () => {
  const { url, drop } = await freshDatabase()
  onTestFinished(drop)
  const preload = encodeURIComponent(`
    import { spawn } from 'node:child_process'
    const stdio = ['ignore', 'ignore', 'inherit']
    if (process.argv[2] === 'worker') spawn('sleep', ['3600'], { stdio }).unref()`)
  const env = { DATABASE_URL: url, NODE_OPTIONS: `--import=data:text/javascript,${preload}` }
  const node = await startPosthouse({ env })
  const survivors = () => node.processes().filter(({ command }) => command.startsWith('sleep'))
  for (const { pid } of survivors()) process.kill(pid, 'SIGSTOP')
  process.kill(node.rolePid('worker')!, 'SIGKILL')
  await eventually('another one has started as well', () => survivors().length === 2)
  expect(await node.stop()).toEqual({ code: 0, signal: null })
  expect(survivors()).toHaveLength(2)
})

test('a role that keeps dying is given more and more time', async () => {
  const restarts = await metric('posthouse_role_restarts', 'inbound')
  const waits: number[] = []
  while (waits.length < 6 && (waits.at(-1) ?? 0) < 800) {
    await killed('inbound')
    waits.push(await milliseconds(() => eventually('the next one starts', () => services.rolePid('inbound'))))
  }
  // At once, perhaps twice, then after 250, 500 and 1,000 ms, each ±20 %, and whatever the machine adds to it.
  expect(Math.min(...waits)).toBeLessThan(waits.at(-1)! / 2)
  expect(waits.at(-1)).toBeGreaterThan(800)
  expect(waits.length).toBeGreaterThan(2)
  await eventually(
    'all are counted',
    async () => (await metric('posthouse_role_restarts', 'inbound')) === restarts + waits.length,
  )
})

test('a role that ends before it is ready keeps the node from starting', async () => {
  const { url, drop } = await freshDatabase()
  onTestFinished(drop)
  const node = await launchPosthouse({ env: { DATABASE_URL: url } })
  process.kill(await eventually('the API starts', () => node.rolePid('api')), 'SIGKILL')
  expect(await node.refusal()).toBe('The api process ended before it was ready (SIGKILL).\n')
  expect(node.stdout).toBe('')
})

test.each(roles)('%s: a process whose supervisor goes while it starts goes as well', async (role) => {
  const program = fileURLToPath(new URL('../../src/app/role.ts', import.meta.url))
  const env = { ...process.env, DATABASE_URL: database.url, MASTER_KEY: 'ab'.repeat(32) }
  const orphan = fork(program, [role], { env, stdio: 'ignore' })
  onTestFinished(() => void orphan.kill('SIGKILL'))
  const ended = once(orphan, 'exit')
  orphan.disconnect()
  expect(await ended).toEqual([0, null])
})
