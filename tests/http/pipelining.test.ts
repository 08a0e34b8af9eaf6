/** RFC 9112 §9.3.2: a client may send requests without waiting for the answers to those before. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Type } from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { route, type Route } from '../../src/http/route.ts'
import { eventually } from '../support/eventually.ts'
import { world } from '../support/world.ts'

/** Counts who is inside; while the gate is closed nobody gets out. */
class Steps {
  inside = 0
  most = 0
  done = 0
  #gate = Promise.withResolvers<void>()

  open(): void {
    this.#gate.resolve()
  }

  readonly route: Route = route({
    method: 'GET',
    path: '/toys/step',
    scope: null,
    context: 'none',
    summary: 'Wait at the gate.',
    reply: { 200: Type.Object({ step: Type.Integer() }) },
    handle: async () => {
      this.most = Math.max(this.most, ++this.inside)
      await this.#gate.promise
      this.inside--
      return { step: ++this.done }
    },
  })
}

async function lines() {
  const steps = new Steps()
  const { api } = await world({ routes: () => [steps.route] })
  const { hostname, port } = new URL(api.url)
  const send = (requests: string): { socket: Socket; heard: () => string } => {
    let text = ''
    const socket = connect(Number(port), hostname).on('error', () => {})
    socket.on('data', (data: Buffer) => (text += data.toString('latin1')))
    onTestFinished(() => void socket.destroy())
    socket.write(requests)
    return { socket, heard: () => text }
  }
  return { api, steps, send }
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const STEP = get('/api/v1/toys/step')
const answersIn = (heard: string): string[] => [...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!)

test('requests of one connection are worked off one after the other, and answered in their order', async () => {
  const { steps, send } = await lines()
  const { heard } = send(STEP.repeat(50))
  await eventually('the first is inside', () => steps.inside === 1)
  steps.open()
  await eventually('all are answered', () => answersIn(heard()).length === 50)
  expect([...heard().matchAll(/"step":(\d+)/g)].map(([, step]) => Number(step))).toEqual(
    Array.from({ length: 50 }, (_, i) => i + 1),
  )
  expect(steps.most).toBe(1)
})

test('others are served while thousands of requests wait on one connection; that one is told and closed', async () => {
  const { api, steps, send } = await lines()
  const { socket, heard } = send(STEP + get('/openapi.json').repeat(2_000))
  await eventually('the first is inside', () => steps.inside === 1)
  expect((await api.get('projects')).status).toBe(200)
  steps.open()
  await once(socket, 'end')
  expect(answersIn(heard())).toEqual(['200', '429'])
  expect(heard()).toMatch(/retry-after: 1\r\n/)
  expect(heard()).toMatch(/connection: close\r\n/i)
  expect(heard()).toContain('"code":"rate_limited"')
})

test('what a connection sends beyond that is not even read', async () => {
  const { steps, send } = await lines()
  let begun = 0
  const count = (): void => void begun++
  subscribe('http.server.request.start', count)
  onTestFinished(() => void unsubscribe('http.server.request.start', count))
  const sent = 500_000
  const { socket } = send(STEP.repeat(sent))
  await eventually('the first is inside', () => steps.inside === 1)
  steps.open()
  await once(socket, 'end')
  expect(begun).toBeGreaterThan(100)
  expect(begun).toBeLessThan(20_000)
})
