import { expect, test } from 'vitest'
import { explainOutcome } from '../../src/mail/replies/outcome-explanation.ts'

test.for([
  ['failed', 'The template could not be filled in for this recipient: there is no user (html, no such user)'],
  ['failed', 'The template could not be filled in for this recipient: 550 5.1.1 unknown'],
  ['failed', 'Set aside: processing it failed 3 times in a way that endangers other mail.'],
  ['failed', "Given up after two days. Last: mail of its sender's domain is held back at google"],
  ['failed', 'Given up after two days. Last: The message could not be processed on our side.'],
  ['deferred', 'Mail to google is paused: Our IP is listed at Spamhaus'],
  ['deferred', 'Mail to google is paused: 550 5.7.1 listed at Spamhaus'],
  ['deferred', 'The message could not be processed on our side.'],
  ['suppressed', 'On the suppression list (bounce) since it was accepted; not sent.'],
])('our own words are not explained as those of a server: %s, %s', ([state, detail]) => {
  expect(explainOutcome(state!, { detail: detail!, smtp: null })).toBeNull()
})

const host = 'mx.sink.test'

test.for([
  ['bounced', '550 5.1.1 No such user', { code: 550, enhanced: '5.1.1', host }, 'recipient'],
  ['bounced', 'smtp; 550 5.1.1 <ann@sink.test>: unknown', null, 'recipient'],
  ['deferred', 'The connection failed (connect): no answer', { host }, 'receiver'],
  ['failed', 'Given up after two days. Last: 452 4.2.2 Mailbox full', { code: 452, enhanced: '4.2.2' }, 'recipient'],
] as const)('what a server or a report says is explained: %s, %s', ([state, detail, smtp, cause]) => {
  expect(explainOutcome(state, { detail, smtp })).toMatchObject({ cause })
})
