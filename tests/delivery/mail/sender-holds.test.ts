import { expect, test } from 'vitest'
import { backoffFor } from '../../../src/delivery/mail/backoff-rules.ts'
import { SenderHolds } from '../../../src/delivery/mail/sender-holds.ts'
import { quotedReply } from '../../../src/mail/replies/reply.ts'

const MINUTE = 60_000

function holds() {
  const clock = { at: 1_000_000, now: () => clock.at }
  return { clock, holds: new SenderHolds(clock) }
}

test('only the domain that was blamed waits, only there, and only as long as it was told', () => {
  const { holds: here, clock } = holds()
  here.hold('google', 'blamed.example', 30 * MINUTE)
  expect(here.waitMs('google', 'blamed.example')).toBe(30 * MINUTE)
  expect(here.waitMs('google', 'other.example')).toBe(0)
  expect(here.waitMs('yahoo', 'blamed.example')).toBe(0)
  here.answered('google', 'blamed.example')
  clock.at += 10 * MINUTE
  expect(here.admit('google', 'blamed.example')).toBe(20 * MINUTE)
})

test('when the time is over one mail goes ahead, and the others follow if the domain is not blamed again', () => {
  const { holds: here, clock } = holds()
  here.hold('google', 'blamed.example', 30 * MINUTE)
  clock.at += 30 * MINUTE
  expect(here.admit('google', 'blamed.example')).toBe(0)
  expect(here.admit('google', 'blamed.example')).toBe(MINUTE)
  here.hold('google', 'blamed.example', 30 * MINUTE)
  expect(here.admit('google', 'blamed.example')).toBe(30 * MINUTE)
  clock.at += 30 * MINUTE
  expect(here.admit('google', 'blamed.example')).toBe(0)
  here.answered('google', 'blamed.example')
  expect(here.admit('google', 'blamed.example')).toBe(0)
  expect(here.admit('google', 'blamed.example')).toBe(0)
  expect(here.size).toBe(0)
})

test('however many domains are blamed, memory stays bounded', () => {
  const { holds: here } = holds()
  for (let i = 0; i < 30_000; i++) here.hold('google', `d${i}.example`, MINUTE)
  expect(here.size).toBe(10_000)
  expect(here.waitMs('google', 'd29999.example')).toBe(MINUTE)
})

const said = (site: string, reply: string, stage: 'rcpt' | 'dot' = 'rcpt') =>
  backoffFor(site, { result: { kind: 'refused', stage, reply: quotedReply(reply)! } })?.kind

test.each([
  [
    'google',
    '421-4.7.28 Our system has detected an unusual rate of unsolicited mail originating from your DKIM domain [news.example 35]. To protect our users from spam, mail sent from your domain has been temporarily rate limited.',
  ],
  [
    'google',
    '550-5.7.28 Our system has detected an unusual rate of unsolicited mail originating from your SPF domain [news.example 35].',
  ],
  [
    'google',
    '421-4.7.28 Our system has detected an unusual rate of unsolicited mail containing one of your URL domains.',
  ],
  [
    'google',
    '550-5.7.1 [192.0.2.1] Gmail has detected that this message is likely suspicious due to the very low reputation of the sending domain.',
  ],
  ['mx.example.net', '554 5.7.1 Service unavailable; Sender address [bob@news.example] blocked using dbl.spamhaus.org'],
  ['mx.example.net', '450 4.7.1 Rate limit exceeded for sender domain news.example'],
  ['mx.example.net', '451 4.7.1 Too many messages from your domain'],
  ['mx.example.net', '451 4.7.1 Too many messages from this domain'],
  ['mx.example.net', '452 4.7.1 Quota exceeded for from address bob@news.example'],
  ['tencent', '550 Sender frequency limited'],
])('%s blames the domain: %s', (site, reply) => {
  expect(said(site, reply)).toBe('hold')
})

test.each([
  [
    'google',
    '421-4.7.28 [192.0.2.1 15] Our system has detected an unusual rate of unsolicited mail originating from your IP address.',
  ],
  [
    'google',
    '421-4.7.28 Our system has detected an unusual rate of unsolicited mail originating from your IP Netblock [192.0.2.0/24 15].',
  ],
  [
    'google',
    '550-5.7.1 [192.0.2.1] likely suspicious due to the very low reputation of the sending IP address. low reputation',
  ],
  [
    'microsoft',
    "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent since part of their network is on our block list (S3150).",
  ],
  ['microsoft', '451 4.7.500 Server busy. Please try again later from [192.0.2.1]. (S77719)'],
  ['microsoft', '421 RP-001 The mail server IP connecting to Outlook.com server has exceeded the rate limit allowed.'],
  [
    'yahoo',
    '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints',
  ],
  ['yahoo', '553 5.7.2 [TSS09] All messages from 192.0.2.1 will be permanently deferred'],
  ['apple', '554 5.7.1 [HM08] Message rejected due to local policy.'],
  ['comcast', '421 4.1.0 192.0.2.1 Throttled - try again later. RL000010'],
  ['mx.example.net', '421 Too many connections from your address'],
  ['mx.example.net', '421 4.7.0 Too many connections from address [192.0.2.1]'],
])('%s means our address: %s', (site, reply) => {
  expect(said(site, reply)).toMatch(/^(suspend|restrict)$/)
})

test.each(['452 Quota exceeded for this address', '450 Greylisted, deferred for this address'])(
  'nobody else waits for one recipient: %s',
  (reply) => {
    expect(said('mx.example.net', reply)).toBeUndefined()
  },
)

test('a link in one message says nothing about the others of its domain', () => {
  const reply = '554 5.7.1 a domain in the message is listed at dbl.spamhaus.org'
  expect(said('mx.example.net', reply, 'dot')).toBeUndefined()
})
