import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { readMimeMessage } from '../../src/mail/parse/mime-message.ts'
import { explain } from '../../src/mail/replies/explain.ts'
import { explanationRules } from '../../src/mail/replies/explanation-rules.ts'
import { classExplanations, explanations, type Cause } from '../../src/mail/replies/explanations.ts'
import { providerOf } from '../../src/mail/replies/providers.ts'
import { quotedReply } from '../../src/mail/replies/reply.ts'
import { readReport } from '../../src/mail/reports/report.ts'
import { explanationSchema } from '../../src/shapes/explanation.ts'
import { leastWork } from '../support/eventually.ts'
import { replies } from './replies.ts'
import { wordings } from './wordings.ts'

/**
 * What says no more than the class of the reply. That a mailbox is full is such a class, too, but nobody is told that
 * class: its emails are `failed` or `deferred`.
 */
const general = new Set<string>(
  Object.entries(classExplanations).flatMap(([name, { title }]) => (name === 'full' ? [] : [title])),
)

const explained = (quotation: string, { status, host = '' }: { status?: string | undefined; host?: string } = {}) => {
  const reply = quotedReply(quotation)
  return explain({
    code: reply?.code ?? null,
    enhanced: reply?.enhanced ?? status ?? null,
    text: reply?.text ?? quotation,
    provider: providerOf(host) ?? null,
  })
}

const shareOfSpecific = (all: readonly { title: string }[]): number =>
  all.filter(({ title }) => !general.has(title)).length / all.length

/** Explanations of every recipient in a folder of reports. */
const inReports = (folder: URL) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readReport(readMimeMessage(readFileSync(new URL(name, folder)))))
    .flatMap((report) => (report.kind === 'bounce' || report.kind === 'delay' ? report.recipients : []))
    .map(({ diagnostic = '', status }) => explained(diagnostic, { status }))

test('nine of ten replies are explained by more than their class', () => {
  expect(shareOfSpecific(wordings.map(({ reply, host }) => explained(reply, { host })))).toBeGreaterThanOrEqual(0.9)
})

test('nine of ten reports are explained by more than their class', () => {
  const all = inReports(new URL('../fixtures/mail/reports/', import.meta.url))
  expect(all.length).toBeGreaterThan(50)
  expect(shareOfSpecific(all)).toBeGreaterThanOrEqual(0.9)
})

const corpus = process.env['SISIMAI_CORPUS']
if (corpus) {
  test('nine of ten real reports are explained by more than their class', () => {
    const all = inReports(pathToFileURL(`${join(corpus, 'mail')}/`))
    expect(shareOfSpecific(all)).toBeGreaterThanOrEqual(0.9)
  })
}

/** Who may be named for the replies below a heading of the wordings; those that are missing speak of several. */
const causes: Readonly<Record<string, readonly Cause[]>> = {
  'the recipient is unknown': ['recipient'],
  'the recipient is unknown, in words': ['recipient'],
  'the mailbox is full': ['recipient'],
  "HELO, EHLO and our host's name": ['us', 'sender'],
  'reverse DNS': ['us', 'sender'],
  'SPF, DKIM, DMARC and the like': ['sender', 'content', 'receiver'],
  TLS: ['receiver'],
  'the rate': ['us', 'receiver', 'recipient', 'content'],
  size: ['content'],
  'loops and routing': ['receiver'],
  'spam, without saying of what': ['content'],
  'the message is called spam': ['content'],
}

test.each(Object.entries(causes))('%s: the one to mend it is named', (heading, allowed) => {
  const all = wordings.filter(({ reason }) => reason === heading)
  expect(all.length).toBeGreaterThan(5)
  const wrong = all.filter(({ reply, host }) => ![...allowed, 'unknown'].includes(explained(reply, { host }).cause))
  expect(wrong.map(({ reply }) => reply)).toEqual([])
})

test.each([
  ['550 5.1.1 <ann@example.net>: Recipient address rejected: User unknown', 'No such mailbox'],
  ['550 5.1.2 there is no domain nowhere.example', 'The domain does not exist'],
  ['556 5.1.10 example.net takes no mail (null MX)', 'The domain takes no mail'],
  ['452 4.2.2 Mailbox full', 'The mailbox is full'],
  ['451 4.7.1 Greylisted, try again in 5 minutes', 'The server asks every new sender to come again'],
  ['550 5.7.26 Unauthenticated email from example.org is not accepted', 'The sender could not be proven'],
  ['554 5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org', 'Our address is on a blocklist'],
  ['550 5.7.25 The sending IP does not have a PTR record', 'Our address has no proper name'],
  ['552 5.3.4 Message size exceeds fixed limit', 'The message is too large'],
  ['421 4.7.0 Too many connections', 'We are sending too fast for this provider'],
])('%s', (reply, title) => {
  expect(explained(reply).title).toBe(title)
})

test('an explanation never contradicts what was done with the mail', () => {
  for (const { reply, provider, meaning } of replies) {
    const { code, enhanced = null, text } = quotedReply(reply)!
    const { cause } = explain({ code, enhanced, text, provider: provider ?? null, class: meaning })
    if (meaning === 'recipient' || meaning === 'full') expect(cause, reply).toBe('recipient')
    if (meaning === 'spam' || meaning === 'quarantine') expect(cause, reply).toBe('content')
  }
})

test('while we try again, nobody is asked to do what time does', () => {
  const reply = { code: 451, enhanced: '4.7.1', text: 'Greylisted' }
  expect(explain(reply)).toMatchObject({ needsAction: false, advice: expect.stringContaining('we try again') })
  // The same reply as the last one before we gave up.
  expect(explain({ ...reply, class: 'infrastructure' }).advice).not.toContain('we try again')
})

test('nothing is guessed: a reply without a reason is called that', () => {
  for (const text of ['whatever', '', 'no', '5.9.9']) {
    expect(explain({ code: 550, enhanced: null, text })).toMatchObject({
      cause: 'unknown',
      sentence: expect.stringContaining('gave no reason that we know'),
    })
  }
  expect(explain({ code: 450, enhanced: null, text: 'hm' })).toMatchObject({ cause: 'unknown', needsAction: false })
})

test('a word in an address is not a reason', () => {
  expect(explained('550 5.1.1 <spam-greylisted@spamhaus.example>: no such user').title).toBe('No such mailbox')
})

test('every explanation is used, has its own title, and has the shape of the API', () => {
  const used = new Set(Object.values(explanationRules).flatMap((rules) => rules.map(({ is }) => is)))
  const byClass = new Set<object>(Object.values(classExplanations))
  const unused = Object.entries(explanations).filter(([name, words]) => {
    return !used.has(name as keyof typeof explanations) && !byClass.has(words)
  })
  expect(unused.map(([name]) => name)).toEqual([])
  const titles = Object.values(explanations).map(({ title }) => title)
  expect(new Set(titles).size).toBe(titles.length)
  for (const { reply } of wordings) expect(Value.Check(explanationSchema, explained(reply))).toBe(true)
})

test('no wording costs more than a moment', async () => {
  const rules = Object.values(explanationRules).flat()
  for (const word of [
    'your ip ',
    'user ',
    'mail from ',
    'a',
    ' ',
    'domain ',
    'group ',
    'lookup ',
    'database ',
    'host ',
  ]) {
    const text = word.repeat(1_000).slice(0, 1_000)
    expect(await leastWork(100, () => rules.forEach((rule) => rule.text?.test(text)))).toBeLessThan(100)
  }
})
