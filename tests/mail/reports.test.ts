import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstField } from '../../src/mail/parse/fields.ts'
import { readMimeMessage } from '../../src/mail/parse/mime-message.ts'
import { strippedTextOf } from '../../src/mail/parse/stripped-text.ts'
import type { Report } from '../../src/mail/reports/kinds.ts'
import { noticeIn } from '../../src/mail/reports/notice.ts'
import { readReport } from '../../src/mail/reports/report.ts'
import { leastWork } from '../support/eventually.ts'
import { runs } from '../support/runs.ts'
import { seedFor } from '../support/seed.ts'
import { measures, secondOpinion, shareOf } from './corpus.ts'

/** Reports in the manner of many servers and providers, and mail that only looks like one; with what has to be read in each. */
const folder = new URL('../fixtures/mail/reports/', import.meta.url)
const names = readdirSync(folder).flatMap((name) => /^(.*)\.json$/.exec(name)?.[1] ?? [])
const fixtures = names.map((name) => ({
  name,
  message: readFileSync(new URL(`${name}.eml`, folder)),
  expected: JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Expected,
}))

interface Expected {
  kind: Report['kind']
  recipients?: (
    | string
    | {
        recipient: string
        action: string
        status: string | null
        /** Where it is not said, as `isHard`. */
        isGone?: boolean
        isHard: boolean
        diagnostic?: string
      }
  )[]
  messageId?: string | null
  feedbackType?: string
  /** Our reference in the copy of the message. */
  reference?: string
  /** What a reader stumbles over that looks for words or for one part alone. */
  naive?: string
}

test('there are many, and many of them are not what they seem', () => {
  expect(fixtures.length).toBeGreaterThanOrEqual(60)
  expect(fixtures.filter(({ expected }) => expected.naive !== undefined).length).toBeGreaterThanOrEqual(20)
})

const opinions = secondOpinion()
if (opinions) {
  // Which ones differ is printed by `npm run bounces`.
  test.each(measures)('real reports are read as others read them: %s', (measure) => {
    const { same, of } = shareOf(measure, opinions)
    expect(same / of).toBeGreaterThanOrEqual(0.95)
  })
}

test.each(fixtures)('$name', ({ message, expected }) => {
  const report = readReport(readMimeMessage(message))
  expect(summaryOf(report)).toEqual(withoutWords(expected))
  for (const wanted of expected.recipients ?? []) {
    if (typeof wanted === 'string' || wanted.diagnostic === undefined || !('recipients' in report)) continue
    const read = report.recipients.find((other) => typeof other === 'object' && other.recipient === wanted.recipient)
    expect(read).toHaveProperty('diagnostic', expect.stringContaining(wanted.diagnostic))
  }
})

test('who is gone is bounced, whether the bounce is called hard or soft', () => {
  const about = ({ message }: (typeof fixtures)[number]) => readReport(readMimeMessage(message))
  const failures = fixtures.map(about).filter((report) => report.kind === 'bounce' && report.recipients.length === 1)
  const states = failures.map((report) => {
    const [only] = (report as Report & { kind: 'bounce' }).recipients
    const notice = noticeIn(report)
    return { ...only!, isBounced: notice.kind === 'failure' && notice.state === 'bounced' }
  })
  expect(states.filter(({ isGone, isHard }) => isGone && !isHard).length).toBeGreaterThanOrEqual(6)
  for (const { isGone, isHard, isBounced } of states) {
    expect(isBounced).toBe(isGone)
    if (isHard) expect(isGone).toBe(true)
  }
})

test('what SMTP said of the sender counts more than a field that anyone can write', () => {
  const bounce = readMimeMessage(Buffer.from('Subject: failure notice\r\n\r\nnot delivered to:\r\nann@example.net\r\n'))
  expect(readReport(bounce).kind).toBe('none')
  expect(readReport(bounce, { from: 'ben@example.net' }).kind).toBe('none')
  expect(readReport(bounce, { from: '' }).kind).toBe('bounce')
})

test('a server is known by its name alone, and somebody who writes about a filter is none', () => {
  const from = (name: string, subject: string, text: string): Report['kind'] =>
    readReport(readMimeMessage(Buffer.from(`From: ${name}\r\nSubject: ${subject}\r\n\r\n${text}`))).kind
  const failed = 'Delivery to ann@example.net failed: 550 5.1.1 user unknown\r\n'
  for (const name of ['postmaster <>', 'bounces <>', 'mail_daemon <>', 'M-Filter <m@example.net>'])
    expect(from(name, 'failure notice', failed), name).toBe('bounce')
  expect(from('Spam-Filter Team <team@example.net>', 'failure notice', failed)).toBe('none')
})

test('an empty address is nobody’s', () => {
  const fields = 'Original-Recipient: rfc822; Ann <>\r\nFinal-Recipient: rfc822; ann@example.net\r\nAction: failed\r\n'
  const status = `--b\r\nContent-Type: message/delivery-status\r\n\r\n${fields}\r\n--b--\r\n`
  const head = 'From: MAILER-DAEMON@mx.test\r\n'
  const reported = readReport(
    readMimeMessage(Buffer.from(`${head}Content-Type: multipart/report; boundary=b\r\n\r\n${status}`)),
  )
  expect(reported).toMatchObject({ kind: 'bounce', recipients: [{ recipient: 'ann@example.net' }] })
  const copy = '--- Original message follows.\r\n\r\nFrom: ben@example.org\r\nTo: Friends <>\r\nSubject: x\r\n\r\nx\r\n'
  const words = `${head}Subject: failure notice\r\n\r\nYour message could not be delivered: 550 user unknown\r\n\r\n${copy}`
  for (const recipients of ['', 'X-Failed-Recipients: Ann <>\r\n']) {
    const report = readReport(readMimeMessage(Buffer.from(`${recipients}${words}`)))
    expect('recipients' in report ? report.recipients : []).toEqual([])
  }
})

test('a diagnostic is one line of at most 1,000 characters', () => {
  const field = `Diagnostic-Code: smtp; 550 5.1.1 ${'no such user \r\n '.repeat(500)}`
  const status = `Final-Recipient: rfc822; ann@example.net\r\nAction: failed\r\n${field}\r\n`
  const parts = `--b\r\nContent-Type: message/delivery-status\r\n\r\n${status}\r\n--b--\r\n`
  const report = readReport(readMimeMessage(Buffer.from(`Content-Type: multipart/report; boundary=b\r\n\r\n${parts}`)))
  expect(report).toMatchObject({ kind: 'bounce', recipients: [{ isHard: true }] })
  const [{ diagnostic }] = (report as unknown as { recipients: [{ diagnostic: string }] }).recipients
  expect(diagnostic).toMatch(/^[ -~]{900,1000}$/)
})

test('whatever becomes of the bytes of a report, it is read without an error and in a moment', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...fixtures), mutation, async ({ message }, mutate) => {
      const bytes = mutate(message)
      const took = await leastWork(1_000, () => {
        const read = readMimeMessage(bytes)
        readReport(read)
        strippedTextOf(read)
      })
      expect(took).toBeLessThan(1_000)
    }),
    { numRuns: runs(2_000), seed: seedFor('mutations') },
  )
})

test.each(['a', '. ', '>>> ', 'after ', '>>> data <<< 550 user unknown ', '(#5.1.', 'lookup of host '])(
  'a report about a thousand recipients is read in two seconds, whatever it says: %j',
  async (word) => {
    const said = ['', `Diagnostic-Code: smtp; 550 ${word.repeat(200)}\r\n`]
    for (const diagnostic of said) {
      const about = (at: number) => `Final-Recipient: rfc822; a${at}@example.net\r\nAction: failed\r\n${diagnostic}\r\n`
      const parts = [
        `Content-Type: text/plain\r\n\r\n${word.repeat(100_000 / word.length)}`,
        `Content-Type: message/delivery-status\r\n\r\n${Array.from({ length: 1_000 }, (_, at) => about(at)).join('')}`,
      ]
      const body = parts.map((part) => `--b\r\n${part}\r\n`).join('')
      const bytes = Buffer.from(`Content-Type: multipart/report; boundary=b\r\n\r\n${body}--b--\r\n`)
      const took = await leastWork(2_000, () => expect(readReport(readMimeMessage(bytes)).kind).toBe('bounce'))
      expect(took).toBeLessThan(2_000)
    }
  },
)

test('what the words of a report cost does not depend on how many parts it has', async () => {
  const words = Array.from({ length: 2_000 }, (_, at) => `b${at}@example.org: ${'x'.repeat(400)}\r\n`).join('')
  const blocks = Array.from(
    { length: 900 },
    (_, at) => `Final-Recipient: rfc822; a${at}@x.test\r\nAction: failed\r\n\r\n`,
  )
  const reportWith = (parts: readonly string[]) => {
    const statuses = parts.map((part) => `--b\r\nContent-Type: message/delivery-status\r\n\r\n${part}\r\n`).join('')
    const head = 'Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n'
    return readMimeMessage(Buffer.from(`${head}\r\n${words}\r\n${statuses}--b--\r\n`))
  }
  const cost = (message: ReturnType<typeof readMimeMessage>): Promise<number> =>
    leastWork(0, () => expect(readReport(message)).toMatchObject({ kind: 'bounce', recipients: { length: 900 } }))
  const [inOne, inMany] = [reportWith([blocks.join('')]), reportWith(blocks)]
  expect(await cost(inMany)).toBeLessThan(3 * (await cost(inOne)))
})

/** Cut, doubled, overwritten, or with something put in between that means something. */
const mutation: fc.Arbitrary<(bytes: Buffer) => Buffer> = fc
  .array(
    fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.nat(200),
      kind: fc.constantFrom('cut', 'double', 'overwrite', 'insert'),
      bytes: fc.oneof(
        fc.constantFrom('\r\n', '\n', '\r\n\r\n', '--', '=?utf-8?q?', '?=', ';', '"', '<', '>', '\0', '\xff', ':', ' '),
        fc.string({ unit: 'binary', maxLength: 20 }),
      ),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((steps) => (bytes: Buffer) => {
    let text = bytes.toString('latin1')
    for (const { at, length, kind, bytes: inserted } of steps) {
      const start = Math.floor(at * text.length)
      const [before, piece, after] = [
        text.slice(0, start),
        text.slice(start, start + length),
        text.slice(start + length),
      ]
      if (kind === 'cut') text = before + after
      else if (kind === 'double') text = before + piece + piece + after
      else text = before + inserted + (kind === 'insert' ? piece : '') + after
    }
    return Buffer.from(text, 'latin1')
  })

function summaryOf(report: Report): object {
  if (report.kind === 'automatic reply' || report.kind === 'none') return { kind: report.kind }
  const messageId = report.returned?.messageId ?? null
  if (report.kind === 'complaint' || report.kind === 'feedback') {
    const reference = firstField(report.returned?.fields ?? [], 'cfbl-feedback-id')?.value
    return { kind: report.kind, feedbackType: report.feedbackType, recipients: report.recipients, messageId, reference }
  }
  const recipients = report.recipients.map(({ recipient, action, status = null, isGone, isHard }) => {
    return { recipient, action, status, isGone, isHard }
  })
  return { kind: report.kind, recipients, messageId }
}

function withoutWords({ kind, messageId, feedbackType, reference, recipients }: Expected): object {
  const told = recipients?.map((expected) => {
    if (typeof expected === 'string') return expected
    const { recipient, action, status, isHard, isGone = isHard } = expected
    return { recipient, action, status, isGone, isHard }
  })
  return { kind, messageId, feedbackType, reference, recipients: told }
}
