import { expect, test } from 'vitest'
import { headerOf, readMessage } from '../mail/reading.ts'
import { mailWorld, steadyPauses } from '../support/mail-world.ts'

test('a message goes from the API to the mail host of each of its recipients', async () => {
  const { send, becomes, sink, from, domain } = await mailWorld()
  const id = await send('Ann <ann@sink.test>', {
    to: ['Ann <ann@sink.test>', 'bob@sink.test'],
    cc: 'carl@other.test',
    bcc: 'Dora <dora@sink.test>',
    replyTo: 'desk@posts.example',
  })
  const email = await becomes(id, 'delivered')

  const everybody = ['ann@sink.test', 'bob@sink.test', 'carl@other.test', 'dora@sink.test']
  expect(email.counts).toEqual({ delivered: 4 })
  expect(email.recipients.map(({ email }) => email)).toEqual(everybody)
  expect(email.recipients.map(({ kind }) => kind)).toEqual(['to', 'to', 'cc', 'bcc'])
  for (const recipient of email.recipients) expect(recipient).toMatchObject({ attempts: 1, nextAttemptAt: null })
  expect(email.events.map(({ recipient }) => recipient).toSorted()).toEqual(everybody)
  for (const event of email.events) {
    expect(event).toMatchObject({
      type: 'email.delivered',
      detail: '250 2.0.0 taken',
      smtp: { code: 250, enhanced: '2.0.0', host: 'mx.sink.test', tls: null },
    })
  }
  expect(Date.parse(String(email['sentAt']))).toBeGreaterThanOrEqual(Date.parse(String(email['createdAt'])))

  // One transaction for each, with a return path of its own.
  expect(sink.taken.map(({ to }) => to).toSorted()).toEqual(everybody)
  expect(new Set(sink.taken.map((taken) => taken.from)).size).toBe(4)
  for (const { from: returnPath } of sink.taken) expect(returnPath).toMatch(/^b\+[0-9a-z]+@bounce\.posts\.example$/)

  for (const { raw } of sink.taken) {
    const { headers } = readMessage(raw)
    expect(headerOf(headers, 'From')).toBe(from)
    expect(headerOf(headers, 'To')).toBe('Ann <ann@sink.test>, bob@sink.test')
    expect(headerOf(headers, 'Cc')).toBe('carl@other.test')
    expect(headerOf(headers, 'Reply-To')).toBe('desk@posts.example')
    expect(headerOf(headers, 'Message-ID')).toBe(email['messageIdHeader'])
    expect(Date.parse(headerOf(headers, 'Date')!)).toBe(
      Math.floor(Date.parse(String(email['createdAt'])) / 1000) * 1000,
    )
    expect(headers.map(({ name }) => name)).not.toContain('Bcc')
    expect(raw.toString()).not.toContain('dora')
    expect(raw.toString()).toContain(domain)
  }
})

test('mailboxes beyond ASCII are mailed where the server can, and refused by us where it cannot', async () => {
  const { send, becomes, sink, dns, anotherSink, projectApi } = await mailWorld()
  dns.zones['xn--bcher-kva.test'] = { MX: ['10 mx.sink.test'] }
  await anotherSink('127.0.0.2', { extensions: ['8BITMIME', 'SIZE 52428800'] })
  dns.zones['ascii.test'] = { MX: ['10 mx.ascii.test'] }
  dns.zones['mx.ascii.test'] = { A: ['127.0.0.2'] }

  const [local, domain, neither] = [
    await send('jürgen@sink.test'),
    await send('ann@bücher.test'),
    await send('jürgen@ascii.test'),
  ]
  await Promise.all([becomes(local, 'delivered'), becomes(domain, 'delivered')])
  const byRecipient = Object.fromEntries(sink.taken.map((taken) => [taken.to, taken]))
  expect(Object.keys(byRecipient).toSorted()).toEqual(['ann@xn--bcher-kva.test', 'jürgen@sink.test'])
  expect(byRecipient['jürgen@sink.test']!.mailCommand).toMatch(/ SMTPUTF8$/)
  expect(byRecipient['ann@xn--bcher-kva.test']!.mailCommand).not.toContain('SMTPUTF8')

  const refused = await becomes(neither, 'failed')
  expect(refused.events).toMatchObject([
    { type: 'email.failed', smtp: { code: 553, enhanced: '5.6.7', host: 'mx.ascii.test' } },
  ])
  expect((await projectApi.get<{ data: unknown[] }>('suppressions')).body.data).toEqual([])
})

test('a scheduled message leaves when its time has come, and is dated so', async () => {
  const { send, becomes, sink, advance, email, projectApi } = await mailWorld({ circumstances: steadyPauses })
  const sendAt = new Date(Date.now() + 3_600_000).toISOString()
  const id = await send('later@sink.test', { sendAt })
  const cancelled = await send('never@sink.test', { sendAt })
  await advance({ minutes: 59 })
  await becomes(await send('now@sink.test'), 'delivered')
  expect(await email(id)).toMatchObject({ status: 'scheduled', sentAt: null })
  expect((await projectApi.post(`emails/${cancelled}/cancel`)).status).toBe(200)
  await advance({ minutes: 1 })
  expect((await becomes(id, 'delivered')).recipients).toMatchObject([{ attempts: 1 }])
  expect(sink.taken.map(({ to }) => to)).toEqual(['now@sink.test', 'later@sink.test'])
  const { headers } = readMessage(sink.taken[1]!.raw)
  expect(Date.parse(headerOf(headers, 'Date')!)).toBe(Math.floor(Date.parse(sendAt) / 1000) * 1000)
})
