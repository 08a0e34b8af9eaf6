import { expect, test } from 'vitest'
import { readKeyword, readKeywordOfParts, replyTo, type ReplySituation } from '../../src/sms/keywords.ts'
import { leastWork } from '../support/eventually.ts'

const read = (text: string, mayAgree = false) => readKeyword(text, { mayAgree })
const stop = { keyword: 'STOP', inferred: false }
const inferred = { keyword: 'STOP', inferred: true }
const nothing = { keyword: undefined }

test.each([
  'stop',
  ' Stop! ',
  '“STOP”',
  'STOP.',
  'Ｓｔｏｐ',
  'opt out',
  'Opt-Out',
  'arrêt',
  'arre\u0302t',
  'S\u200bTOP',
  'STOP 🛑',
  '🛑 stop',
  'stop ⚠️',
  'STOP\nALL',
  'stopall',
  'Unsubscribe',
  'cancel',
  'END',
  'quit',
  'revoke',
  'optout',
  'opt\u2011out',
  'remove',
  'ARRET',
])('65: %j is STOP', (text) => {
  expect(read(text)).toEqual(stop)
})

test.each([
  'Stop. Thank you',
  'STOP 12345',
  'Unsubscribe me now',
  'please stop',
  'Pls STOP',
  'just stop!!',
  'You must stop texting me',
  'remove me from this list of yours, will you',
  'take me off your list',
  "don't text this phone again",
  'don’t text this phone again',
  'do not text me ever again, any of you',
  'Sorry, wrong number',
  'por favor, no más mensajes de ustedes',
  'no mas, por favor',
  'Stop by tomorrow',
])('65: %j is an inferred opt-out', (text) => {
  expect(read(text)).toEqual(inferred)
})

test.each([
  'stop by the shop at 5 tomorrow please',
  'at the bus stop',
  'cancel my 3pm',
  'no mascara today',
  'when does it end?',
  'nonstop',
  'yes please stop by',
  '',
  '🛑',
  '...',
])('65: %j is an ordinary text', (text) => {
  expect(read(text)).toEqual(nothing)
})

test('70: YES counts for whoever may agree, and is an ordinary reply otherwise', () => {
  expect(read('Yes!')).toEqual(nothing)
  expect(read('Yes!', true)).toEqual({ keyword: 'START' })
  expect(read('start')).toEqual({ keyword: 'START' })
  expect(read('Unstop')).toEqual({ keyword: 'START' })
})

test('HELP has its French and its common sister', () => {
  for (const text of ['help', 'Info?', 'aide']) expect(read(text)).toEqual({ keyword: 'HELP' })
})

test('no locale changes a letter: an i is an i in Turkey too, with a dot or without', () => {
  for (const text of ['quit', 'quıt', 'QUIT']) expect(read(text)).toEqual(stop)
})

test('a program adds words, and can take none away', () => {
  const extra = { optIn: ['JOIN', 'stop'], optOut: ['basta', 'help'], help: ['ayuda', 'START'] }
  const withExtra = (text: string) => readKeyword(text, { mayAgree: false, extra })
  expect(withExtra('Join')).toEqual({ keyword: 'START' })
  expect(withExtra('¡Basta!')).toEqual(stop)
  expect(withExtra('AYUDA')).toEqual({ keyword: 'HELP' })
  expect(withExtra('STOP')).toEqual(stop)
  expect(withExtra('HELP')).toEqual({ keyword: 'HELP' })
  expect(withExtra('START')).toEqual({ keyword: 'START' })
  expect(readKeyword('!!', { mayAgree: false, extra: { optOut: ['', '??'] } })).toEqual(nothing)
})

test('73: a STOP is found across two parts, and in the first of several', () => {
  expect(readKeywordOfParts('STOP', 'ST', { mayAgree: false })).toEqual(stop)
  expect(readKeywordOfParts(`STOP${'x'.repeat(300)}`, 'STOP', { mayAgree: false })).toEqual(stop)
})

test('a text as long as one can be is read in no time', async () => {
  for (const one of ['!', ' ', '🛑', "'", 'STOP ', '\u0301']) {
    expect(await leastWork(300, () => read(`a${one.repeat(100_000)}b`)), one).toBeLessThan(300)
  }
})

const now = new Date('2026-11-03T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const situation: ReplySituation = { now, receivedAt: now, wasSuppressed: false, answeredByCarrier: false }
const texts = { brand: 'Acme', optOutMessage: 'Acme: bye.', helpMessage: 'Acme: help.', optInMessage: 'Acme: hello.' }

test('66: STOP is confirmed once, within five minutes', () => {
  const reply = (more: Partial<ReplySituation>) =>
    replyTo({ keyword: 'STOP', inferred: false }, texts, { ...situation, ...more })
  expect(reply({})).toBe('Acme: bye.')
  expect(reply({ wasSuppressed: true })).toBeUndefined()
  expect(reply({ receivedAt: ago(6) })).toBeUndefined()
  expect(reply({ answeredByCarrier: true })).toBeUndefined()
})

test('71: HELP is answered to the suppressed too, and not more than once in five minutes', () => {
  const reply = (more: Partial<ReplySituation>) => replyTo({ keyword: 'HELP' }, texts, { ...situation, ...more })
  expect(reply({ wasSuppressed: true })).toBe('Acme: help.')
  expect(reply({ lastHelpAt: ago(4) })).toBeUndefined()
  expect(reply({ lastHelpAt: ago(5) })).toBe('Acme: help.')
})

test('START is answered to those who had stopped; an ordinary text to nobody', () => {
  const reply = (wasSuppressed: boolean) => replyTo({ keyword: 'START' }, texts, { ...situation, wasSuppressed })
  expect(reply(true)).toBe('Acme: hello.')
  expect(reply(false)).toBeUndefined()
  expect(replyTo({ keyword: undefined }, texts, situation)).toBeUndefined()
})

test('a program without texts of its own still answers with its name', () => {
  for (const keyword of ['STOP', 'HELP'] as const) {
    expect(replyTo({ keyword, inferred: false }, { brand: 'Acme' }, situation)).toContain('Acme')
  }
})
