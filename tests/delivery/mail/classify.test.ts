import { expect, test } from 'vitest'
import { backoffFor, backoffRules, expiryMs, retryDelayMs } from '../../../src/delivery/mail/backoff-rules.ts'
import { classify } from '../../../src/delivery/mail/classify.ts'
import { connectionsFor, dispatchLimits, siteLimits } from '../../../src/delivery/mail/sites.ts'
import { quotedReply } from '../../../src/mail/replies/reply.ts'
import type { Result, Stage } from '../../../src/smtp/client/attempt.ts'

const peer = (host: string) => ({ host, address: '192.0.2.1', source: undefined, tls: undefined })
const refused = (reply: string, stage: Stage = 'rcpt'): Result => ({
  kind: 'refused',
  stage,
  reply: quotedReply(reply)!,
})
const outcome = (result: Result, host = 'mx.example.net') => classify({ result, peer: peer(host), milliseconds: 1 })

test.each<[string, Result, object]>([
  ['a yes', { kind: 'accepted', reply: quotedReply('250 2.0.0 ok')! }, { kind: 'delivered', detail: '250 2.0.0 ok' }],
  ['a yes with a but', { kind: 'accepted', reply: quotedReply('250 quarantined')! }, { kind: 'quarantined' }],
  ['an unknown user', refused('550 5.1.1 no such user'), { kind: 'bounced', cause: 'recipient' }],
  ['an unknown domain', refused('550 5.1.2 there is no domain x.test', 'dns'), { kind: 'bounced' }],
  ['a null MX', refused('556 5.1.10 x.test takes no mail (null MX)', 'dns'), { kind: 'bounced' }],
  ['an unknown domain for now', refused('451 4.4.3 not known now', 'dns'), { kind: 'deferred' }],
  ['spam', refused('554 5.7.1 this is spam', 'dot'), { kind: 'filteredspam', cause: 'spam' }],
  ['quarantine', refused('550 5.7.1 quarantined', 'dot'), { kind: 'quarantined', cause: 'quarantine' }],
  ['a block', refused('554 5.7.1 blocked using zen.spamhaus.org'), { kind: 'failed', cause: 'infrastructure' }],
  ['a full mailbox', refused('552 5.2.2 full'), { kind: 'failed', cause: 'full' }],
  ['too large a mail', refused('552 5.3.4 too big', 'mail'), { kind: 'failed' }],
  ['any other 5xx', refused('554 no'), { kind: 'failed', cause: 'infrastructure' }],
  ['an unknown sender', refused('550 5.1.1 user unknown', 'mail'), { kind: 'failed', cause: 'infrastructure' }],
  ['a closed door', refused('554 5.7.1 go away, spam', 'greeting'), { kind: 'failed', cause: 'infrastructure' }],
  ['not now', refused('451 4.7.1 greylisted, try again in 5 minutes'), { kind: 'deferred', askedMs: 300_000 }],
  ['not now at all', refused('421 4.3.2 closing', 'greeting'), { kind: 'deferred' }],
  ['a wrong password', refused('535 5.7.8 authentication failed', 'auth'), { kind: 'deferred' }],
  [
    'a lost connection',
    { kind: 'lost', stage: 'rcpt', reason: 'connection reset', timedOut: false },
    { kind: 'deferred' },
  ],
  ['a lost reply', { kind: 'unknown', reason: 'connection reset' }, { kind: 'deferred', maybeDuplicate: true }],
  ['no permission', { kind: 'withheld' }, { kind: 'withheld' }],
  ['no attempt', { kind: 'returned', reason: 'x', afterMs: 5 }, { kind: 'returned', detail: 'x', afterMs: 5 }],
  [
    'a mail that they cannot take',
    { kind: 'declined', reply: quotedReply('553 5.6.7 no SMTPUTF8')! },
    { kind: 'failed' },
  ],
  [
    'a place where we may not go',
    { kind: 'declined', reply: quotedReply('550 5.4.4 at 10.0.0.1')! },
    { kind: 'failed' },
  ],
])('%s', (_case, result, expected) => {
  expect(outcome(result)).toMatchObject(expected)
})

test('our own words about strange names are not taken for theirs', () => {
  for (const name of ['spamhaus.test', 'virus-quarantine.test', 'blacklist.test']) {
    expect(
      outcome({ kind: 'refused', stage: 'dns', reply: { code: 550, enhanced: '5.1.2', text: `no domain ${name}` } }),
    ).toEqual({
      kind: 'bounced',
      detail: `550 5.1.2 no domain ${name}`,
      cause: 'recipient',
    })
  }
})

test('providers are known by the host that answered', () => {
  const reply = '550-5.7.1 likely unsolicited mail'
  expect(
    outcome(refused('550 5.7.26 blocked because the sender is unauthenticated'), 'gmail-smtp-in.l.google.com'),
  ).toMatchObject({
    kind: 'failed',
    cause: 'infrastructure',
  })
  expect(outcome(refused(reply, 'dot'), 'aspmx.l.google.com').kind).toBe('filteredspam')
  expect(
    outcome(refused('550 5.5.0 Requested action not taken: mailbox unavailable'), 'x.protection.outlook.com').kind,
  ).toBe('bounced')
})

test('a detail stays within its kilobyte', () => {
  const { detail } = outcome(refused(`550 5.1.1 ${'x'.repeat(5_000)}`)) as { detail: string }
  expect(detail.length).toBeLessThanOrEqual(1_024)
})

const suspended = (minutes: number) => ({ kind: 'suspend', ms: minutes * 60_000 })

test.each<[string, string, Stage, object | undefined]>([
  ['google', '421 4.7.28 Our system has detected an unusual rate of unsolicited mail', 'rcpt', suspended(15)],
  ['google', '550 5.7.25 no PTR', 'dot', suspended(30)],
  ['google', '550 5.7.26 unauthenticated', 'dot', undefined],
  ['google', '450 4.2.1 The user is receiving mail at a rate that', 'rcpt', undefined],
  ['microsoft', '421 RP-001 (SNT004-MC1F) Unfortunately, some messages from 192.0.2.1', 'greeting', suspended(10)],
  [
    'microsoft',
    '451 4.7.652 The mail server has exceeded the maximum number of connections',
    'mail',
    { kind: 'restrict' },
  ],
  ['microsoft', '550 5.7.1 part of their network is on our block list (S3140)', 'mail', suspended(60)],
  ['microsoft', '550 5.7.515 Access denied', 'dot', undefined],
  ['yahoo', '421 4.7.0 [TSS04] Messages temporarily deferred due to user complaints', 'mail', suspended(30)],
  ['yahoo', '421 4.7.1 [TS03] All messages will be permanently deferred', 'mail', suspended(240)],
  [
    'orange',
    '421 Too many connections, slow down. OFR004_104 [104]',
    'greeting',
    { kind: 'restrict', limits: { concurrency: 1 } },
  ],
  [
    'mx.test',
    '421 4.7.0 too many concurrent connections',
    'greeting',
    { kind: 'restrict', limits: { concurrency: 1 } },
  ],
  ['mx.test', '450 4.7.1 rate limit exceeded', 'rcpt', { kind: 'restrict', limits: { perSecond: 0.5, burst: 1 } }],
  ['mx.test', '554 5.7.1 blocked using zen.spamhaus.org', 'rcpt', suspended(30)],
  ['mx.test', '554 5.7.1 a link in it is listed by spamhaus', 'dot', undefined],
  ['mx.test', '421 4.3.2 shutting down', 'greeting', suspended(1)],
  ['mx.test', '452 4.2.2 mailbox exceeds its rate limit', 'rcpt', undefined],
  ['mx.test', '550 5.1.1 unknown', 'rcpt', undefined],
  ['mx.test', '451 4.3.0 lookup failure', 'rcpt', undefined],
])('%s says %s at %s', (site, reply, stage, expected) => {
  const backoff = backoffFor(site, { result: refused(reply, stage) })
  if (expected === undefined) expect(backoff).toBeUndefined()
  else expect(backoff).toMatchObject(expected)
})

test('who cannot be reached is left alone, longer after a time-out', () => {
  const lost = (stage: Stage, timedOut: boolean) =>
    backoffFor('x', { result: { kind: 'lost', stage, reason: '', timedOut } })
  expect(lost('connect', false)).toEqual(suspended(2))
  expect(lost('connect', true)).toEqual(suspended(15))
  expect(lost('greeting', true)).toEqual(suspended(2))
  expect(lost('body', true)).toBeUndefined()
  expect(backoffFor('x', { result: { kind: 'returned', reason: 'down', afterMs: 7_000 } })).toEqual({
    kind: 'suspend',
    ms: 7_000,
  })
  expect(backoffFor('x', { result: { kind: 'unknown', reason: '' } })).toBeUndefined()
})

test('one address, one mailbox and one sender never hold up a whole site', () => {
  const harmless = [
    '550 5.1.1 too many connections',
    '452 4.2.2 rate limit',
    '550 5.2.1 throttled',
    '450 4.1.1 slow down',
  ]
  for (const reply of harmless) expect(backoffFor('x', { result: refused(reply) })).toBeUndefined()
  expect(backoffRules.length).toBeGreaterThan(15)
})

test('retries come after 1, 5, 15, 30 minutes, 1, 2, 4 hours and then every 4 hours, spread by 15 %', () => {
  const minutes = [1, 2, 3, 4, 5, 6, 7, 8, 20].map((attempts) => retryDelayMs(attempts, () => 0.5) / 60_000)
  expect(minutes).toEqual([1, 5, 15, 30, 60, 120, 240, 240, 240])
  expect([retryDelayMs(1, () => 0), retryDelayMs(1, () => 1)]).toEqual([51_000, 69_000])
  expect(expiryMs).toEqual({ transactional: 172_800_000, broadcast: 259_200_000 })
})

test('who asks us to come back at a time is obeyed, never early and never for longer than four hours', () => {
  expect(retryDelayMs(3, () => 0, 300_000)).toBe(300_000)
  expect(retryDelayMs(3, () => 1, 300_000)).toBe(345_000)
  expect(retryDelayMs(1, () => 0, 0)).toBe(1_000)
  expect(retryDelayMs(1, () => 0, 1e9)).toBe(14_400_000)
})

test('connections grow with the mail for a site', () => {
  expect([0, 1, 10, 20, 50, 100, 1_000].map((mails) => connectionsFor(10, mails))).toEqual([2, 2, 3, 4, 7, 9, 10])
  expect(connectionsFor(1, 1_000)).toBe(1)
})

test('providers have their limits, and processes share them', () => {
  expect(siteLimits('google')).toEqual({ connections: 5, mailsPerConnection: 50, connectionMs: 300_000 })
  expect(siteLimits('yahoo')).toMatchObject({ connections: 10, mailsPerConnection: 20 })
  expect(siteLimits('apple')).toMatchObject({ connections: 10, mailsPerConnection: 5 })
  expect(siteLimits('mx.example.net')).toEqual({ connections: 10, mailsPerConnection: 100, connectionMs: 300_000 })
  expect(siteLimits('google', 3).connections).toBe(1)
  expect(siteLimits('google', 30).connections).toBe(1)
})

test('a site has in hand what its connections can use, and more if it takes mail quickly', () => {
  expect(dispatchLimits('google', 1)).toEqual({ concurrency: 20, maxConcurrency: 300 })
  expect(dispatchLimits('google', 5)).toEqual({ concurrency: 4, maxConcurrency: 300 })
  expect(dispatchLimits('mx.example.net', 1)).toEqual({ concurrency: 40, maxConcurrency: 300 })
})
