import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startMailNode, type MailNode } from '../support/mail-node.ts'

test('what a killed worker had not sent goes on at once, and what nobody knows about goes on after a minute', async () => {
  const here = await startMailNode()
  const { api, node, sink, sendAll } = here
  sink.options.orders = { dot: 'hang' }
  const unknown = (await sendAll(['unknown@sink.test'])).get('unknown@sink.test')!
  await eventually('its dot is there', () => wire(here).includes('\r\n.\r\n'))
  sink.options.orders = { rcpt: 'hang' }
  const unsent = (await sendAll(['unsent@sink.test'])).get('unsent@sink.test')!
  await eventually('its envelope is there', () => wire(here).includes('RCPT TO:<unsent@sink.test>'))
  // From here on the sink behaves: whoever comes again is served.
  sink.options.orders = {}
  const killedAt = performance.now()
  await here.kill('worker')
  const status = async (id: string) => (await api.get<{ status: string }>(`emails/${id}`)).body.status
  const arrives = (id: string, within: number) =>
    eventually(`${id} has arrived`, async () => (await status(id)) === 'delivered', node.atMost(within))
  await arrives(unsent, 30_000)
  expect(await status(unknown)).toBe('deferred')
  await arrives(unknown, 95_000)
  expect(performance.now() - killedAt).toBeGreaterThan(55_000)
  // The sink had it all along, and only its answer was lost: it has the same message twice, byte by byte.
  const [first, again, ...more] = sink.taken.filter(({ to }) => to === 'unknown@sink.test')
  expect(more).toEqual([])
  expect(again?.raw.toString()).toBe(first?.raw.toString())
  expect(here.ledger().get('unsent@sink.test')).toBe(1)
}, 240_000)

const wire = ({ sink }: MailNode): string =>
  sink.connections.map(({ chunks }) => Buffer.concat(chunks).toString('latin1')).join('')
