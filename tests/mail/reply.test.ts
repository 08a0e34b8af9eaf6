import fc from 'fast-check'
import { expect, test } from 'vitest'
import { classOf } from '../../src/mail/replies/reply-class.ts'
import * as rulesByKind from '../../src/mail/replies/reply-rules.ts'
import { waitAskedFor } from '../../src/mail/replies/reply-wait.ts'
import { ownReply, quotedReply, replyFrom, replyLine } from '../../src/mail/replies/reply.ts'
import { leastWork } from '../support/eventually.ts'
import { replies } from './replies.ts'

test('there are enough of them, and none twice', () => {
  expect(replies.length).toBeGreaterThan(150)
  expect(new Set(replies.map(({ provider, reply }) => `${provider} ${reply}`)).size).toBe(replies.length)
})

test.each(replies)('$meaning: $reply', ({ provider, meaning, reply }) => {
  expect(classOf(quotedReply(reply)!, { provider })).toBe(meaning)
})

test('what is said before the recipient was named is never about the recipient', () => {
  for (const { reply, provider } of replies) {
    const parsed = quotedReply(reply)!
    if (parsed.code >= 500) expect(classOf(parsed, { provider, occasion: 'early' })).toBe('infrastructure')
  }
})

test('anything 4xx is tried again, whatever its words', () => {
  fc.assert(
    fc.property(fc.integer({ min: 400, max: 499 }), fc.constantFrom(...replies), (code, { reply, provider }) => {
      expect(classOf({ ...quotedReply(reply)!, code }, { provider })).toBe('temporary')
    }),
  )
})

test('no wording costs more than a moment', async () => {
  const { providerRules, ...others } = rulesByKind
  const rules = [...Object.values(providerRules), ...Object.values(others)].flat()
  const words = [
    'your ip ',
    'user ',
    'mailbox ',
    'no ',
    'message ',
    'spam from ',
    'sender ',
    'exceeds ',
    'a',
    ' ',
    '5.1.1 ',
    '. ',
    'domain ',
    'database ',
    'mx records for ',
    'from ',
    'unknown client ',
  ]
  for (const word of words) {
    const text = word.repeat(1_000).slice(0, 1_000)
    expect(await leastWork(100, () => rules.forEach((rule) => rule.text?.test(text)))).toBeLessThan(100)
  }
})

test('a reply is a code, an enhanced code and words', () => {
  expect(replyFrom(550, ['5.1.1 No such', '5.1.1 user'])).toEqual({
    code: 550,
    enhanced: '5.1.1',
    text: 'No such user',
  })
  expect(replyFrom(250, ['ok'])).toEqual({ code: 250, enhanced: undefined, text: 'ok' })
  expect(replyFrom(250, [])).toEqual({ code: 250, enhanced: undefined, text: '' })
  expect(replyFrom(550, ['5.1.1.1 x']).enhanced).toBeUndefined()
  expect(replyFrom(550, ['#5.1.0 Address rejected.'])).toMatchObject({ enhanced: '5.1.0', text: 'Address rejected.' })
  expect(replyFrom(550, ['a\u0000b\u001b[31m\r\nc\u2028d']).text).toBe('a b [31m c d')
  expect(replyFrom(550, ['x'.repeat(5_000)]).text).toHaveLength(1_000)
  expect(replyLine(ownReply(550, '5.1.1', 'gone'))).toBe('550 5.1.1 gone')
  expect(replyLine(replyFrom(250, []))).toBe('250')
})

test.each([
  ['smtp; 550 5.1.1 <x@y.test>: unknown', { code: 550, enhanced: '5.1.1', text: '<x@y.test>: unknown' }],
  ['smtp;550-5.7.1 a 550-5.7.1 b 550 5.7.1 c', { code: 550, enhanced: '5.7.1', text: 'a b c' }],
  ['x-unix; 5.2.2 mailbox full', { code: 550, enhanced: '5.2.2', text: '5.2.2 mailbox full' }],
  ['host mx.test[192.0.2.1] said: 452 4.2.2 full (in reply to RCPT)', { code: 452, enhanced: '4.2.2' }],
  ['returned: 550 550 5.7.1 <x@y.test>: no', { code: 550, enhanced: '5.7.1', text: '<x@y.test>: no' }],
  ['550 sorry, nobody (#5.1.1 - chkuser)', { code: 550, enhanced: '5.1.1' }],
  ['smtp; no code at all', undefined],
  ['expired after 200 tries', undefined],
  ['', undefined],
])('a quoted reply: %s', (quotation, reply) => {
  if (reply === undefined) expect(quotedReply(quotation)).toBeUndefined()
  else expect(quotedReply(quotation)).toMatchObject(reply)
})

test.each<[string, number | undefined]>([
  ['Greylisted, please try again in 300 seconds', 300],
  ['4.2.0 Greylisted for 5 minutes (see http://x.test/?id=77)', 300],
  ['Greylisting in action, please come back in 00:04:47', 287],
  ['Please try again in 1 hour', 3_600],
  ['try again in 2 minutes and 30 seconds', 150],
  ['retry after 120s', 120],
  ['Resources temporarily unavailable, retry in 10 min', 600],
  ['Please wait 15 mins before sending again', 900],
  ['temporarily deferred, retry after 2h', 7_200],
  ['Try again later', undefined],
  ['message 300 seconds too old', undefined],
  ['rate limited, see https://x.test/300', undefined],
  ['[TSS04] Messages from 192.0.2.1 temporarily deferred', undefined],
  ['', undefined],
])('%s', (text, seconds) => {
  expect(waitAskedFor(text)).toBe(seconds === undefined ? undefined : seconds * 1_000)
})
