import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { eventually, milliseconds } from '../support/eventually.ts'
import {
  launchPosthouse,
  removeDataDirectory,
  runPosthouse,
  startPosthouse,
  temporaryDirectory,
  type PosthouseProcess,
} from '../support/posthouse-process.ts'
import { isRunning } from '../support/process-table.ts'

const dataDir = temporaryDirectory()
afterAll(() => removeDataDirectory(dataDir))

/** To the whole group, as a terminal and npm give it; tests below give one to the process alone. */
const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

test.each(signals)('%s stops the roles, then the database, and says so', async (signal) => {
  const node = await startPosthouse({ dataDir })
  const postmaster = node.postmasterPid()!
  const roles = node.rolePids()
  expect(roles).toHaveLength(3)
  node.signalGroup(signal)
  await eventually('the database is gone', () => {
    // Asked in this order: were the database gone first, a role could still be seen.
    const gone = !isRunning(postmaster)
    if (gone) expect(roles.filter(isRunning)).toEqual([])
    return gone
  })
  expect(await node.ended).toEqual({ code: 0, signal: null })
  expect(node.stdout).toMatch(/Stopping …\nStopped\.\n$/)
  expect(node.stderr).toBe('')
  expect(node.processes()).toEqual([])
})

test('a signal while it is still starting stops what was started', async () => {
  const node = await launchPosthouse()
  await eventually('it has begun', () => node.stdout.includes('Creating the database'))
  node.signalGroup('SIGINT')
  expect(await node.ended).toEqual({ code: 0, signal: null })
  expect(node.output).toBe('Creating the database (once) …\nStopped.\n')
  expect(node.postmasterPid()).toBeUndefined()
  expect(node.processes()).toEqual([])
})

test('it stops in order although nobody reads its output any more', async () => {
  const node = await startPosthouse({ dataDir, env: { LOG_LEVEL: 'debug' } })
  node.closeOutput()
  expect((await fetch(`${node.url}/api/v1/health`)).status).toBe(200)
  node.signal('SIGTERM')
  await eventually('it has ended', () => node.processes().length === 0)
  expect(await node.ended).toEqual({ code: 0, signal: null })
  expect(node.postmasterPid()).toBeUndefined()
})

test('a request that does not end is waited for, but not when somebody asks a second time', async () => {
  const node = await startPosthouse({ dataDir })
  const { stdout } = await runPosthouse(['keys', 'create', '--workspace', '--json'], { dataDir })
  const request = await halfARequest(node, JSON.parse(stdout).secret)
  node.signal('SIGINT')
  await eventually('it has heard', () => node.stdout.includes('Stopping …'))
  // npm passes on a Ctrl-C that the terminal has given to us already: that is no second wish.
  node.signal('SIGINT')
  const patience = eventually('it ends', () => node.processes().length === 0, 1_500)
  await expect(patience).rejects.toThrow('not within')
  expect(await milliseconds(() => (node.signal('SIGINT'), node.ended))).toBeLessThan(node.atMost(5_000))
  expect(await node.ended).toEqual({ code: 0, signal: null })
  expect(node.stdout).toMatch(/Stopped\.\n$/)
  expect(node.postmasterPid()).toBeUndefined()
  request.destroy()
})

/** Announces a body and never sends the end of it. Answers when the server has begun to wait for it. */
async function halfARequest({ port }: PosthouseProcess, key: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`POST /api/v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`)
  socket.write('Content-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n{')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1.1 100 /)
  return socket
}
