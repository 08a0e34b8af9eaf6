import { expect, test } from 'vitest'
import { customHeaderProblems } from '../../src/mail/compose/custom-headers.ts'

test('headers with a meaning of their own to nobody but the sender are allowed', () => {
  const fine = {
    'X-Entity-Ref-ID': 'a1',
    'X-Priority': '1 (Highest)',
    'List-Id': '<news.example.com>',
    'Auto-Submitted': 'auto-generated',
    References: '<a@example.com>',
    Campaign_1: 'Frühling čĊ',
    'X-Empty': '',
  }
  expect(customHeaderProblems(fine)).toEqual([])
})

const ours =
  'From to CC Bcc Sender Reply-To Return-Path Date Message-ID Subject MIME-Version Content-Type Content-Transfer-Encoding ' +
  'Content-Whatever DKIM-Signature Received Authentication-Results ARC-Seal ARC-Message-Signature Resent-To ' +
  'Feedback-ID CFBL-Address CFBL-Feedback-ID Delivered-To In-Reply-To X-Posthouse-Anything'

test.each(ours.split(' '))('%s is not for users to set', (name) => {
  expect(customHeaderProblems({ [name]: 'x' })).toEqual([{ name, problem: expect.stringMatching(/set by us/) }])
})

test('a kind of message may keep more headers for itself', () => {
  const headers = { 'List-Unsubscribe': '<https://example.com>' }
  expect(customHeaderProblems(headers)).toEqual([])
  expect(customHeaderProblems(headers, ['list-unsubscribe'])).toHaveLength(1)
})

test.each(['', ' ', 'X A', 'X:A', 'X-A:', 'X-\r\nBcc', 'X-Ä', 'X-A\0', '-X', 'x'.repeat(77)])(
  '%j is not a name',
  (name) => {
    expect(customHeaderProblems({ [name]: 'x' })).toEqual([{ name, problem: expect.stringMatching(/must be a name/) }])
  },
)

test('values are one line, of bounded length', () => {
  const headers = { 'X-A': 'a\r\nBcc: b', 'X-B': 'a\nb', 'X-C': '\0', 'X-D': 'ä'.repeat(2049), 'X-E': 'ä'.repeat(2048) }
  expect(customHeaderProblems(headers).map(({ name }) => name)).toEqual(['X-A', 'X-B', 'X-C', 'X-D'])
})

test('forty at most, each once', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, 'x']))
  expect(customHeaderProblems(many(40))).toEqual([])
  expect(customHeaderProblems(many(41))).toEqual([{ problem: 'must not have more than 40 headers' }])
  expect(customHeaderProblems({ 'X-A': '1', 'x-a': '2' })).toEqual([{ name: 'x-a', problem: 'is given twice' }])
})
