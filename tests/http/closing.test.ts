import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startApi } from '../../src/app/api.ts'
import { createLogger } from '../../src/process/logger.ts'
import { world } from '../support/world.ts'

test('a stop does not wait for connections on which nothing was asked', async () => {
  const { config, databaseUrl } = await world()
  const api = await startApi(config, databaseUrl, createLogger('api', 'silent'))
  const { hostname, port } = new URL(await api.listen('127.0.0.1', 0))
  const half = 'GET /api/v1/health HTTP/1.1\r\nhost: x\r\n'
  const open = []
  for (const text of ['', half, `${half}\r\n`]) {
    const socket = connect(Number(port), hostname)
    socket.write(text)
    await once(socket, text.endsWith('\r\n\r\n') ? 'data' : 'connect')
    open.push(once(socket.on('error', () => {}).resume(), 'close'))
  }
  await api.stop()
  expect(await Promise.all(open)).toHaveLength(3)
})
