import { realpathSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from '../support/client.ts'
import { eventually, milliseconds } from '../support/eventually.ts'
import {
  freePort,
  launchPosthouse,
  postmasterPid,
  PosthouseProcess,
  removeDataDirectory,
  startPosthouse,
  temporaryDirectory,
} from '../support/posthouse-process.ts'
import { isRunning, processTable } from '../support/process-table.ts'
import { created } from '../support/world.ts'

const dataDir = temporaryDirectory()
let key = ''

beforeAll(async () => {
  const first = await new PosthouseProcess(await freePort(), { dataDir }).ready()
  key = first.keys.workspace
  await first.stop()
})
afterAll(() => removeDataDirectory(dataDir))

const clientOf = ({ url }: PosthouseProcess): Client => new Client(url, key)

/** Postmasters, and sessions of dead ones, that work in this data directory. */
const postmasters = (): number[] => {
  const all = processTable().filter(({ command }) => /postgres.* -D /.test(command))
  return all.map(({ pid }) => pid).filter(worksHere)
}

test('after kill -9 of the supervisor its roles leave, and the next start takes over a database with nothing lost', async () => {
  const killed = await startPosthouse({ dataDir })
  const { id } = created(await clientOf(killed).post<{ id: string }>('projects', { name: 'kept' }))
  const postmaster = killed.postmasterPid()!
  killed.signal('SIGKILL')
  const next = await startPosthouse({ dataDir, port: killed.port })
  await eventually('the roles of the dead have left', () => killed.processes().length === 0, 5_000)
  expect(next.postmasterPid()).toBe(postmaster)
  expect(postmasters()).toEqual([postmaster])
  expect((await clientOf(next).get(`projects/${id}`)).body).toMatchObject({ name: 'kept' })
  expect(await next.stop()).toEqual({ code: 0, signal: null })
  expect(isRunning(postmaster)).toBe(false)
})

test('after kill -9 of the database it is started again, and no role notices more than an outage', async () => {
  const node = await startPosthouse({ dataDir })
  const roles = node.rolePids()
  const api = clientOf(node)
  const { id } = created(await api.post<{ id: string }>('projects', { name: 'committed' }))
  const dead = node.postmasterPid()!
  process.kill(dead, 'SIGKILL')
  await eventually('it is gone', () => !isRunning(dead))
  const took = await milliseconds(() =>
    eventually('requests succeed again', async () => (await api.get(`projects/${id}`)).status === 200),
  )
  expect(took).toBeLessThan(5_000)
  expect(node.rolePids()).toEqual(roles)
  const revived = node.postmasterPid()
  expect(revived).not.toBe(dead)
  expect(postmasters()).toEqual([revived])
  expect(await node.stop()).toEqual({ code: 0, signal: null })
  expect(postmasters()).toEqual([])
})

test('a second node on the same data directory is refused, and the first is not disturbed', async () => {
  const first = await startPosthouse({ dataDir })
  const before = [first.postmasterPid(), ...first.rolePids()]
  const second = await launchPosthouse({ dataDir })
  expect(await second.ended).toEqual({ code: 1, signal: null })
  expect(second.stderr).toBe(
    `Posthouse is already running with the data directory ${dataDir}. ` +
      'Stop it first, or choose another with DATA_DIR.\n',
  )
  expect(second.processes()).toEqual([])
  expect((await clientOf(first).get('projects')).status).toBe(200)
  expect([first.postmasterPid(), ...first.rolePids()]).toEqual(before)
  expect(await first.stop()).toEqual({ code: 0, signal: null })
})

test('a stale postmaster.pid that names a stranger neither stops the start nor harms the stranger', async () => {
  expect(postmasterPid(dataDir)).toBeUndefined()
  const self = `${process.pid}\n/somewhere\n${Math.round(Date.now() / 1000)}\n5432\n.\n\n`
  writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), self)
  const node = await startPosthouse({ dataDir })
  expect(node.postmasterPid()).not.toBe(process.pid)
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
