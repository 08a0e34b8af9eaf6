import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startReceiver, type Behaviour } from '../support/receiver.ts'
import { webhookWorld } from '../support/webhooks.ts'

/** Of all requests to one host at the same time, whatever endpoints they are for. */
const MAX_AT_ONCE = 64

test('many endpoints at one host share its connections, and endpoints elsewhere do not wait for them', async () => {
  const { endpoint, send, clientWith, newProject, dns } = await webhookWorld({
    env: { WEBHOOK_ENDPOINTS_PER_PROJECT: '150' },
  })
  const other = await clientWith({ projectId: await newProject(), scopes: ['*'] })
  const open = new Set<() => void>()
  const told = new Set<string>()
  let most = 0
  const hold: Behaviour = (_request, response, { headers }) => {
    const answer = (): void => {
      told.add(headers['x-service-delivery']!)
      response.writeHead(204).end()
    }
    open.add(answer)
    most = Math.max(most, open.size)
    response.on('close', () => open.delete(answer))
  }
  // Two ports of one host, and endpoints of two projects at each.
  const [one, two] = [await startReceiver({ behaviour: hold }), await startReceiver({ behaviour: hold })]
  for (let i = 0; i < 240; i++) await endpoint((i % 4 < 2 ? one : two).url, {}, i % 2 === 0 ? undefined : other)
  dns.zones['elsewhere.test'] = { A: ['127.0.0.1'] }
  const quick = await startReceiver()
  await endpoint(quick.url.replace('127.0.0.1', 'elsewhere.test'))

  await Promise.all([send('delivered'), send('delivered', {}, other)])
  await eventually('the other host is told', () => quick.heard.length > 0)
  // Before anybody had waited in vain.
  expect(one.heard.length + two.heard.length).toBeLessThanOrEqual(MAX_AT_ONCE)
  await eventually('the host is busy', () => open.size === MAX_AT_ONCE)
  const answering = setInterval(() => open.forEach((answer) => answer()), 20)
  await eventually('everybody is told', () => told.size === 240)
  clearInterval(answering)
  expect(most).toBe(MAX_AT_ONCE)
})
