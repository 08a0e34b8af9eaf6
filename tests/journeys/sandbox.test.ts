import { expect, test } from 'vitest'
import { mailWorld } from '../support/mail-world.ts'

const from = 'sandbox@sandbox.posthouse.test'
const at = (part: string): string => `${part}@simulator.posthouse.test`

interface Play {
  status: string
  events: string[]
  attempts: number
  suppressed?: 'bounce' | 'spam'
}

const delivered: Play = { status: 'delivered', events: ['email.delivered'], attempts: 1 }
const plays: Record<string, Play> = {
  delivered,
  'delivered+label': delivered,
  'DELIVERED+CASE': delivered,
  anybody: delivered,
  bounced: { status: 'bounced', events: ['email.bounced'], attempts: 1, suppressed: 'bounce' },
  'bounced+two': { status: 'bounced', events: ['email.bounced'], attempts: 1, suppressed: 'bounce' },
  complained: {
    status: 'filteredspam',
    events: ['email.delivered', 'email.filteredspam'],
    attempts: 1,
    suppressed: 'spam',
  },
  suppressed: { status: 'suppressed', events: ['email.suppressed'], attempts: 0 },
  quarantined: { status: 'quarantined', events: ['email.quarantined'], attempts: 1 },
  deferred: { status: 'delivered', events: ['email.deferred', 'email.deferred', 'email.delivered'], attempts: 3 },
}

test('every outcome can be played without a domain, a socket or a question to the DNS', async () => {
  const { send, becomes, projectApi, sink, dns } = await mailWorld({ bare: true })
  const ids = await Promise.all(Object.keys(plays).map((part) => send(at(part), { from })))
  for (const [i, [part, { status, events, attempts, suppressed }]] of Object.entries(plays).entries()) {
    const email = await becomes(ids[i]!, status)
    expect(email.recipients, part).toMatchObject([{ email: at(part), status, attempts }])
    expect(
      email.events.map(({ type }) => type),
      part,
    ).toEqual(events)
    const found = await projectApi.get<{ data: unknown[] }>(`suppressions?email=${encodeURIComponent(at(part))}`)
    const expected = suppressed ? [{ email: at(part), reason: suppressed, messageId: ids[i] }] : []
    expect(found.body.data, part).toMatchObject(expected)
  }
  const bounced = await becomes(ids[Object.keys(plays).indexOf('bounced')]!, 'bounced')
  expect(bounced.events).toMatchObject([{ smtp: { code: 550, enhanced: '5.1.1', host: null } }])

  const again = await projectApi.post('email/send', { from, to: at('bounced'), subject: 'Again', text: 'x' })
  expect([again.status, again.body['code']]).toEqual([422, 'recipient_suppressed'])
  // What only played a suppression can be mailed again.
  await becomes(await send(at('suppressed'), { from }), 'suppressed')
  expect(sink.connections).toEqual([])
  expect(dns.questions).toEqual([])
})

test('the sandbox sender mails the simulator only; a verified domain may mail it too', async () => {
  const { projectApi, send, becomes, sink } = await mailWorld()
  for (const outside of [
    'ann@sink.test',
    'delivered@sub.simulator.posthouse.test',
    [at('delivered'), 'ann@sink.test'],
  ]) {
    const refused = await projectApi.post('email/send', { from, to: outside, subject: 'Out', text: 'x' })
    expect([refused.status, refused.body['code']]).toEqual([403, 'sandbox_only'])
  }
  await becomes(await send(at('delivered')), 'delivered')
  const both = await becomes(await send(at('bounced'), { cc: 'ann@sink.test' }), 'bounced')
  expect(both.counts).toEqual({ bounced: 1, delivered: 1 })
  expect(sink.taken.map(({ to }) => to)).toEqual(['ann@sink.test'])
})
