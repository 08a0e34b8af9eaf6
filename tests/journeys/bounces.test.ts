import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { signReference } from '../../src/core/mail-reference.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { receivingWorld, type ReceivingWorld } from '../support/receiving.ts'
import { created } from '../support/world.ts'
import { sql } from '../../src/storage/sql.ts'

const unread = sql`select id from received_messages where state = 'unread'`

interface Sent {
  id: string
  /** As the recipient's server saw it. */
  returnPath: string
  raw: string
}

/** A mail that was delivered, with what is needed to report about it. */
async function delivered(here: ReceivingWorld, to: string): Promise<Sent> {
  const id = await here.send(to)
  await here.becomes(id, 'delivered')
  const taken = here.sink.taken.find((one) => one.to === to)!
  return { id, returnPath: taken.from, raw: taken.raw.toString() }
}

const dsn = (to: string, status: string, diagnostic: string, action = 'failed'): string =>
  [
    'From: MAILER-DAEMON@mx.sink.test (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    '--b',
    '',
    'This is the mail system at host mx.sink.test.',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.sink.test',
    '',
    `Final-Recipient: rfc822; ${to}`,
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${diagnostic}`,
    '',
    '--b--',
    '',
  ].join('\r\n')

const complaint = (copy: string): string =>
  [
    'From: abuse@provider.test',
    'Subject: Complaint',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
    '',
    '--b',
    '',
    'This is a spam complaint.',
    '',
    '--b',
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    'User-Agent: Provider/1.0',
    'Version: 1',
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    copy.split('\r\n\r\n')[0]!,
    '',
    'x',
    '--b--',
    '',
  ].join('\r\n')

const suppressed = async ({ projectApi }: ReceivingWorld) =>
  (await projectApi.get<{ data: { email: string; reason: string }[] }>('suppressions')).body.data.map(
    ({ email, reason }) => `${email} ${reason}`,
  )

/** Everything that came in has been looked into. */
const settled = ({ db }: ReceivingWorld) => eventually('all is read', async () => (await db.all(unread)).length === 0)

test('a bounce that comes back later ends as bounced, with a suppression and a webhook', async () => {
  const here = await receivingWorld({ bare: false, env: { WEBHOOK_ALLOW_HTTP: 'true' } })
  const receiver = await startReceiver()
  created(await here.projectApi.post('webhooks', { url: receiver.url, events: ['email.bounced', 'email.failed'] }))
  const gone = await delivered(here, 'Gone@sink.test')
  const report = dsn('gone@sink.test', '5.1.1', '550 5.1.1 <gone@sink.test>: user unknown')
  expect(await here.deliver(report, { from: '', to: gone.returnPath })).toMatch(/^250 /)
  const email = await here.becomes(gone.id, 'bounced')
  expect(email.events.map(({ type }) => type)).toEqual(['email.delivered', 'email.bounced'])
  expect(email.events[1]).toMatchObject({
    recipient: 'Gone@sink.test',
    detail: expect.stringContaining('user unknown'),
  })
  expect(await suppressed(here)).toEqual(['gone@sink.test bounce'])
  await eventually('the webhook is told', () => receiver.heard.length > 0)
  expect(receiver.heard[0]!.body).toMatchObject({
    type: 'email.bounced',
    messageId: gone.id,
    recipient: 'Gone@sink.test',
  })
  // Again, from somewhere else, in other words: it is no news.
  await here.deliver(dsn('gone@sink.test', '5.4.4', '550 relay down'), { from: '', to: gone.returnPath })
  await settled(here)
  expect((await here.email(gone.id)).events).toHaveLength(2)
  expect(await suppressed(here)).toHaveLength(1)
})

test('what is not about the recipient fails without a suppression, and what is no failure changes nothing', async () => {
  const here = await receivingWorld({ bare: false })
  const [full, spam, waiting, away] = [
    await delivered(here, 'full@sink.test'),
    await delivered(here, 'spam@sink.test'),
    await delivered(here, 'waiting@sink.test'),
    await delivered(here, 'away@sink.test'),
  ]
  await here.deliver(dsn('full@sink.test', '5.2.2', '552 5.2.2 mailbox full'), { from: '', to: full.returnPath })
  await here.deliver(dsn('spam@sink.test', '5.7.1', '550 5.7.1 Message rejected as spam'), {
    from: '',
    to: spam.returnPath,
  })
  const delay = dsn('waiting@sink.test', '4.4.1', '421 try later', 'delayed')
  await here.deliver(delay, { from: '', to: waiting.returnPath })
  const vacation =
    'From: away@sink.test\r\nSubject: Out of office\r\nAuto-Submitted: auto-replied\r\n\r\nI am away.\r\n'
  await here.deliver(vacation, { from: '', to: away.returnPath })
  expect((await here.becomes(full.id, 'failed')).events.at(-1)).toMatchObject({ type: 'email.failed' })
  await here.becomes(spam.id, 'filteredspam')
  await settled(here)
  expect((await here.email(waiting.id)).status).toBe('delivered')
  expect((await here.email(away.id)).status).toBe('delivered')
  expect(await suppressed(here)).toEqual(['spam@sink.test spam'])
})

test('a complaint counts by the reference in the returned copy, and by nothing else', async () => {
  const here = await receivingWorld({ bare: false })
  const [angry, calm] = [await delivered(here, 'angry@sink.test'), await delivered(here, 'calm@sink.test')]
  expect(angry.raw).toContain('CFBL-Feedback-ID:')
  const forged = complaint(calm.raw.replaceAll(/^CFBL-Feedback-ID:.*\r\n(?:[ \t].*\r\n)*/gm, ''))
  await here.deliver(forged, { from: 'x@provider.test', to: 'fbl@posthouse.test' })
  const altered = complaint(calm.raw.replace(/^(CFBL-Feedback-ID:\s*\w)\w/m, '$1z'))
  await here.deliver(altered, { from: 'x@provider.test', to: 'fbl@posthouse.test' })
  await here.deliver(complaint(angry.raw), { from: 'x@provider.test', to: 'fbl@posthouse.test' })
  await here.becomes(angry.id, 'filteredspam')
  await settled(here)
  expect((await here.email(calm.id)).status).toBe('delivered')
  expect(await suppressed(here)).toEqual(['angry@sink.test spam'])
})

test('10,000 altered return paths are refused at RCPT, and one that is right at another domain too', async () => {
  const here = await receivingWorld({ bare: false, inbound: { limits: { badRecipients: Infinity } } })
  await here.verifiedDomain('other.example')
  const { returnPath } = await delivered(here, 'ann@sink.test')
  const [, token, host] = /^b\+(\w+)@(.+)$/.exec(returnPath)!
  const keys = here.services.vault.mailTokenKeys
  const emailId = newId<'em'>()
  const wrong = [
    ...Array.from({ length: 9_990 }, (_, i) => `b+${altered(token!, i)}@${host}`),
    `b+${token}@bounce.other.example`,
    `b+${token}@${here.domain}`,
    `b+${token}@elsewhere.test`,
    `b+${token}0@${host}`,
    `b+${token!.slice(1)}@${host}`,
    `b${token}@${host}`,
    `b+@${host}`,
    `b+${signReference(keys, 'unsubscribe', { emailId, position: 0 })}@${host}`,
    `b+${signReference(keys, 'recipient', { emailId, position: 0 })}@${host}`,
    `somebody@${host}`,
  ]
  const caller = await here.call()
  await caller.hello()
  await caller.ask('MAIL FROM:<>')
  const accepted: string[] = []
  for (let at = 0; at < wrong.length; at += 500) {
    const some = wrong.slice(at, at + 500)
    await caller.send(some.map((address) => `RCPT TO:<${address}>\r\n`).join(''))
    for (const address of some) if (!(await caller.reply()).startsWith('550 ')) accepted.push(address)
  }
  expect(accepted).toEqual([])
  expect(wrong).toHaveLength(10_000)
  expect(await caller.ask(`RCPT TO:<${returnPath}>`)).toMatch(/^250 /)
  // Some servers change the case on the way back.
  expect(await caller.ask(`RCPT TO:<${returnPath.toUpperCase()}>`)).toMatch(/^250 /)
})

/** One character of the token replaced by another, in many ways; now and then several. */
function altered(token: string, i: number): string {
  const at = i % token.length
  const others = [...'0123456789abcdefghjkmnpqrstvwxyz'].filter((character) => character !== token[at])
  const other = others[Math.floor(i / token.length) % others.length]!
  const once = token.slice(0, at) + other + token.slice(at + 1)
  return i % 7 === 0 ? once.slice(0, -8) + randomBytes(4).toString('hex') : once
}
