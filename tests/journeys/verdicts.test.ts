import { expect, onTestFinished, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { mailWorld } from '../support/mail-world.ts'
import { startSink } from '../support/sink-mx.ts'

/** What a server says at RCPT, and what that makes of the recipient. Only the first two kinds are suppressed. */
const verdicts: [words: string, status: string][] = [
  ['550 5.1.1 no such user here', 'bounced'],
  ['550 5.2.1 the mailbox is disabled', 'bounced'],
  ['550 no such user here', 'bounced'],
  ['556 5.1.10 this domain takes no mail', 'bounced'],
  ['550 5.7.1 this message was identified as spam', 'filteredspam'],
  ['554 5.7.1 spam message rejected', 'filteredspam'],
  ['550 5.7.25 the sending address has no PTR record', 'failed'],
  ['550 5.7.26 unauthenticated mail is not accepted from this domain', 'failed'],
  ['550 5.7.515 access denied, sending domain does not meet the required level', 'failed'],
  ['550 5.7.1 our system has detected spam from your IP', 'failed'],
  ['554 5.7.1 relay access denied', 'failed'],
  ['552 5.2.2 mailbox full', 'failed'],
  ['552 5.3.4 message too big', 'failed'],
  ['554 5.6.0 the message is malformed', 'failed'],
  ['550 whatever', 'failed'],
  ['550 5.2.0 From: Domain is invalid', 'failed'],
  ['550 bad sender ip address', 'failed'],
  ['550 unroutable sender address', 'failed'],
  ["550 5.1.8 Bad sender's system address", 'failed'],
  ['550 5.1.1 sender unknown', 'failed'],
  ['550 this server does not accept mail from 192.0.2.1', 'failed'],
  ['550 mailbox unavailable invalid DNS MX or A/AAAA resource record', 'failed'],
  // Last: after this one the host is left alone for a while.
  ['550 5.7.1 Service unavailable; client host [192.0.2.1] blocked using zen.spamhaus.org', 'failed'],
]

test('what a server says decides the state, the event and whether the address is suppressed', async () => {
  const replies = Object.fromEntries(verdicts.map(([words], i) => [`rcpt r${i}@sink.test`, words]))
  const { send, becomes, projectApi, sink } = await mailWorld({ sink: { replies } })
  for (const [i, [words, status]] of verdicts.entries()) {
    const id = await send(`r${i}@sink.test`)
    const email = await becomes(id, status)
    expect(email.recipients).toMatchObject([{ status, attempts: 1, nextAttemptAt: null }])
    expect(email.events).toMatchObject([
      {
        type: `email.${status}`,
        recipient: `r${i}@sink.test`,
        detail: words,
        smtp: { code: Number(words.slice(0, 3)) },
      },
    ])
    expect(email['sentAt']).toBeNull()
    const reason = { bounced: 'bounce', filteredspam: 'spam' }[status]
    const expected = reason ? [{ email: `r${i}@sink.test`, reason, messageId: id, note: words }] : []
    expect(await suppressionsOf(projectApi, `r${i}@sink.test`), words).toMatchObject(expected)
  }
  expect(sink.taken).toEqual([])
})

test('a bounced address is refused from then on, and left out where there are others', async () => {
  const { send, becomes, projectApi, sink, from, newProject, clientWith, verifiedDomain } = await mailWorld()
  const gone = '550-5.1.1@sink.test'
  const first = await send(gone)
  await becomes(first, 'bounced')

  const message = { from, subject: 'Hello', text: 'Hello.' }
  const refused = await projectApi.post('email/send', { ...message, to: [gone.toUpperCase()] })
  expect(refused.status).toBe(422)
  expect(refused.body).toMatchObject({ code: 'recipient_suppressed', recipients: [{ email: gone, reason: 'bounce' }] })

  const mixed = await becomes(await send('ann@sink.test', { cc: gone, bcc: 'bob@sink.test' }), 'suppressed')
  expect(mixed.counts).toEqual({ delivered: 2, suppressed: 1 })
  expect(mixed.recipients[1]).toMatchObject({ email: gone, status: 'suppressed', attempts: 0 })
  expect(mixed.events).toContainEqual(
    expect.objectContaining({ type: 'email.suppressed', recipient: gone, smtp: null }),
  )
  expect(sink.taken.map(({ to }) => to).toSorted()).toEqual(['ann@sink.test', 'bob@sink.test'])

  // Another project has its own list.
  const other = await clientWith({ projectId: await newProject(), scopes: ['*'] })
  await verifiedDomain('elsewhere.example', other)
  const elsewhere = await send(gone, { from: 'hello@elsewhere.example' }, other)
  expect((await becomes(elsewhere, 'bounced')).recipients).toMatchObject([{ attempts: 1 }])

  // Off the list, it is tried again.
  expect((await projectApi.delete(`suppressions?email=${encodeURIComponent(gone)}`)).status).toBe(200)
  await becomes(await send(gone), 'bounced')
})

test('a message that was taken and put into quarantine is told as such', async () => {
  const replies = { 'dot q@sink.test': '250 2.6.0 message quarantined' }
  const { send, becomes, projectApi, sink } = await mailWorld({ sink: { replies } })
  const email = await becomes(await send('q@sink.test'), 'quarantined')
  expect(email.events).toMatchObject([{ type: 'email.quarantined', detail: '250 2.6.0 message quarantined' }])
  expect(await suppressionsOf(projectApi, 'q@sink.test')).toEqual([])
  expect(sink.taken).toHaveLength(1)
})

test('nobody is suppressed for what a relay says of our account, nor for words after the dot', async () => {
  const relay = await startSink({
    replies: {
      'rcpt a@anywhere.test': '550 5.7.1 Your account has been suspended',
      'rcpt b@anywhere.test': '550 5.7.1 Account disabled',
      'dot c@anywhere.test': '554 5.7.1 Account disabled',
      'rcpt d@anywhere.test': '550 no such user here',
      'dot e@anywhere.test': '554 5.7.1 this message is spam',
      'rcpt f@anywhere.test': '550 5.1.1 no such user here',
    },
  })
  onTestFinished(() => relay.stop())
  const env = { SMTP_RELAY_URL: `smtp://127.0.0.1:${relay.port}` }
  const { send, becomes, projectApi } = await mailWorld({ env })
  for (const name of ['a', 'b', 'c', 'd', 'e']) await becomes(await send(`${name}@anywhere.test`), 'failed')
  await becomes(await send('f@anywhere.test'), 'bounced')
  const list = await projectApi.get<{ data: { email: string }[] }>('suppressions')
  expect(list.body.data.map(({ email }) => email)).toEqual(['f@anywhere.test'])
})

test('after the dot a code says that nobody is there, words alone do not', async () => {
  const replies = {
    'dot a@sink.test': '550 no such user here',
    'dot b@sink.test': '554 5.7.1 Account disabled',
    'dot c@sink.test': '550 5.1.1 no such user here',
  }
  const { send, becomes, projectApi } = await mailWorld({ sink: { replies } })
  for (const name of ['a', 'b']) await becomes(await send(`${name}@sink.test`), 'failed')
  await becomes(await send('c@sink.test'), 'bounced')
  for (const name of ['a', 'b']) expect(await suppressionsOf(projectApi, `${name}@sink.test`)).toEqual([])
  expect(await suppressionsOf(projectApi, 'c@sink.test')).toMatchObject([{ reason: 'bounce' }])
})

const suppressionsOf = async (client: Client, email: string): Promise<unknown[]> =>
  (await client.get<{ data: unknown[] }>(`suppressions?email=${encodeURIComponent(email)}`)).body.data
