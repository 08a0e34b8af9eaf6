import { readlinkSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Client } from '../support/client.ts'
import { eventually, milliseconds } from '../support/eventually.ts'
import {
  freePort,
  launchPosthouse,
  PosthouseProcess,
  removeDataDirectory,
  temporaryDirectory,
} from '../support/posthouse-process.ts'
import { isRunning, processTable } from '../support/process-table.ts'
import { created } from '../support/world.ts'

/** One installation for all of these: whatever was done to it before, a node comes up on it. */
const dataDir = temporaryDirectory()
let key = ''
let current: PosthouseProcess | undefined

async function running(): Promise<PosthouseProcess> {
  if (current && isRunning(current.pid)) return current
  current = await new PosthouseProcess(current?.port ?? (await freePort()), { dataDir }).ready()
  if (key === '') key = current.keys.workspace
  return current
}

afterAll(async () => {
  await current?.cleanUp()
  await removeDataDirectory(dataDir)
})

const clientOf = ({ url }: PosthouseProcess): Client => new Client(url, key)

/** The postmasters that work in this data directory. One's child looks like it for a moment, until it says what it is. */
function postmasters(): number[] {
  const alike = processTable().filter(({ pid, command }) => /postgres.* -D /.test(command) && worksHere(pid))
  return alike.filter(({ parent }) => !alike.some(({ pid }) => pid === parent)).map(({ pid }) => pid)
}

test('a second node on the same data directory is refused, and the first is not disturbed', async () => {
  const first = await running()
  const before = [first.postmasterPid(), ...first.rolePids()]
  const second = await launchPosthouse({ dataDir })
  expect(await second.refusal()).toBe(
    `Posthouse is already running with the data directory ${dataDir}. ` +
      'Stop it first, or choose another with DATA_DIR.\n',
  )
  expect((await clientOf(first).get('projects')).status).toBe(200)
  expect([first.postmasterPid(), ...first.rolePids()]).toEqual(before)
})

test('after kill -9 of the database it is started again, and no role notices more than an outage', async () => {
  const node = await running()
  const roles = node.rolePids()
  const api = clientOf(node)
  const { id } = created(await api.post<{ id: string }>('projects', { name: 'committed' }))
  const dead = node.postmasterPid()!
  process.kill(dead, 'SIGKILL')
  await eventually('it is gone', () => !isRunning(dead))
  const took = await milliseconds(() =>
    eventually('requests succeed again', async () => (await api.get(`projects/${id}`)).status === 200),
  )
  expect(took).toBeLessThan(node.atMost(5_000))
  expect(node.rolePids()).toEqual(roles)
  const revived = node.postmasterPid()
  expect(revived).not.toBe(dead)
  expect(postmasters()).toEqual([revived])
})

test('after kill -9 of the supervisor its roles leave, and the next start takes over a database with nothing lost', async () => {
  const dead = await running()
  const { id } = created(await clientOf(dead).post<{ id: string }>('projects', { name: 'kept' }))
  const postmaster = dead.postmasterPid()!
  dead.signal('SIGKILL')
  await eventually('it is gone', () => !isRunning(dead.pid))
  await eventually('its roles have left', () => dead.processes().length === 0, 15_000)
  const next = await running()
  expect(next.postmasterPid()).toBe(postmaster)
  expect(postmasters()).toEqual([postmaster])
  expect((await clientOf(next).get(`projects/${id}`)).body).toMatchObject({ name: 'kept' })
  expect(await next.stop()).toEqual({ code: 0, signal: null })
  expect(postmasters()).toEqual([])
})

test('stale lock files that name a stranger neither stop the start nor harm the stranger', async () => {
  await (await running()).stop()
  // Both of PostgreSQL's lock files, as a killed container leaves them and the next one's pids make them lie.
  const self = `${process.pid}\n/somewhere\n${Math.round(Date.now() / 1000)}\n5432\n.\n\n`
  for (const file of ['postmaster.pid', '.s.PGSQL.5432.lock']) writeFileSync(join(dataDir, 'postgres', file), self)
  const node = await running()
  expect(postmasters()).toEqual([node.postmasterPid()])
  expect((await clientOf(node).get('projects')).status).toBe(200)
  expect(await node.stop()).toEqual({ code: 0, signal: null })
  expect(postmasters()).toEqual([])
})

function worksHere(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(join(dataDir, 'postgres'))
  } catch {
    // Without /proc the path is on the command line, unless it is root's.
    return processTable().some((each) => each.pid === pid && each.command.includes(dataDir))
  }
}
