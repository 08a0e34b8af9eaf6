import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { world } from '../support/world.ts'

test('a client that never finishes its headers is cut off after ten seconds', async () => {
  const { hostname, port } = new URL((await world()).api.url)
  const started = performance.now()
  const socket = connect(Number(port), hostname, () => socket.write('GET /api/v1/health HTTP/1.1\r\nhost: x\r\n'))
  await new Promise((resolve, reject) => socket.resume().on('close', resolve).on('error', reject))
  // Not before; how soon afterwards is the business of `npm run chaos`, which has a machine for itself.
  expect(performance.now() - started).toBeGreaterThan(9_000)
})
