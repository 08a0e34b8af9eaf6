import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import { linksOf } from '../links/link-world.ts'
import { at, hoursFromNow } from '../support/emails.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { webhookWorld } from '../support/webhooks.ts'
import { created } from '../support/world.ts'

const allKinds = [
  'email.delivered',
  'email.bounced',
  'email.filteredspam',
  'email.suppressed',
  'email.quarantined',
  'email.deferred',
  'email.opened',
]

/** What was told, once it is as much: `<place among the recipients> <kind>` by the messageId that came with it. */
const told = (receiver: Receiver, recipients: readonly string[], count: number) =>
  eventually(`${count} events`, () => {
    const bodies = receiver.heard.map(({ body }) => body)
    if (bodies.length < count) return undefined
    return bodies
      .map(({ messageId, type, recipient }) => [messageId, `${recipients.indexOf(recipient!) + 1} ${type}`])
      .toSorted()
  })

test('each recipient of an email has a messageId of its own, by which the email is found', async () => {
  const { endpoint, send, becomes, projectApi } = await webhookWorld()
  const receiver = await startReceiver()
  await endpoint(receiver.url, { events: allKinds })
  created(await projectApi.post('suppressions', { email: at('gone') }))
  const recipients = [at('delivered'), at('bounced'), at('complained'), at('gone'), at('quarantined')]
  const email = await send('delivered', {
    to: recipients.slice(0, 2),
    cc: recipients.slice(2, 4),
    bcc: recipients.slice(4),
  })
  await becomes(email, 'bounced')

  expect(await told(receiver, recipients, 6)).toEqual([
    [email, '1 email.delivered'],
    [`${email}.2`, '2 email.bounced'],
    [`${email}.3`, '3 email.delivered'],
    [`${email}.3`, '3 email.filteredspam'],
    [`${email}.4`, '4 email.suppressed'],
    [`${email}.5`, '5 email.quarantined'],
  ])
  const shown = (await projectApi.get(`emails/${email}`)).body
  expect(shown).toMatchObject({ id: email, recipients: recipients.map((one) => ({ email: one })) })
  for (const n of [2, 3, 4, 5]) {
    expect(await projectApi.get(`emails/${email}.${n}`)).toMatchObject({ status: 200, body: shown })
  }
  for (const suffix of ['.6', '.50', '.1', '.0', '.02', '.2.2', '.-2', '.2x', '.', '.999999999999', '.2%00']) {
    expect(await projectApi.get(`emails/${email}${suffix}`), suffix).toMatchObject({ status: 404 })
  }
})

test('what a server or a reader says later is told by the same messageId', async () => {
  const here = await webhookWorld()
  const { endpoint, send, becomes, services, db, api } = here
  const receiver = await startReceiver()
  await endpoint(receiver.url, { events: ['email.bounced', 'email.opened'] })
  const recipients = [at('ann'), at('ben'), at('cleo')]
  const email = await send('ann', { to: recipients, tracking: { opens: true } })
  await becomes(email, 'delivered')
  const emailId = decodeId('em', email)!
  for (const position of [0, 1, 2]) {
    const url = linksOf(here).open({ emailId, position, trackingHost: null })
    await api.with(undefined).get(new URL(url).pathname, { headers: { 'user-agent': 'Mozilla/5.0 Firefox/128.0' } })
  }
  const report = { state: 'bounced', detail: '550 5.1.1 no such user' } as const
  for (const position of [2, 0]) {
    await db.transaction((tx) => services.deliveries.recordReport(tx, { emailId, position }, report))
  }
  expect(await told(receiver, recipients, 5)).toEqual([
    [email, '1 email.bounced'],
    [email, '1 email.opened'],
    [`${email}.2`, '2 email.opened'],
    [`${email}.3`, '3 email.bounced'],
    [`${email}.3`, '3 email.opened'],
  ])
})

test('a scheduled email is moved and cancelled by the messageId of any recipient', async () => {
  const { send, projectApi } = await webhookWorld()
  const email = await send('ann', { cc: at('ben'), sendAt: hoursFromNow(1) })
  const sendAt = hoursFromNow(2)
  expect(await projectApi.post(`emails/${email}.3/cancel`)).toMatchObject({ status: 404 })
  expect(await projectApi.post(`emails/${email}.3/reschedule`, { sendAt })).toMatchObject({ status: 404 })
  expect(await projectApi.post(`emails/${email}.2/reschedule`, { sendAt })).toMatchObject({
    status: 200,
    body: { id: email, sendAt, counts: { scheduled: 2 } },
  })
  expect(await projectApi.post(`emails/${email}.2/cancel`)).toMatchObject({
    status: 200,
    body: { id: email, status: 'cancelled', counts: { cancelled: 2 } },
  })
})
