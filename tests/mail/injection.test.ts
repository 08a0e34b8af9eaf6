import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAddress, type Address } from '../../src/mail/address.ts'
import { parseContentId, parseFilename, type Attachment } from '../../src/mail/compose/attachment.ts'
import { composeBody } from '../../src/mail/compose/body.ts'
import { parseContentType } from '../../src/mail/content-type.ts'
import { customHeaderProblems } from '../../src/mail/compose/custom-headers.ts'
import { breaksLine, headBytes } from '../../src/mail/headers.ts'
import { composeHeaders } from '../../src/mail/compose/message-headers.ts'
import { parseMessageId } from '../../src/mail/message-id.ts'
import { runs } from '../support/runs.ts'
import { seedFor } from '../support/seed.ts'
import { hostileValue as value, visibleValue as visible } from './hostile.ts'
import { headerOf, readMessage, readText, wireFaults } from './reading.ts'

const MESSAGES = runs(1_500)

const wishes = fc.record({
  subject: value,
  name: value,
  custom: fc.dictionary(fc.oneof(fc.constantFrom('X-A', 'X-B', 'Bcc', 'X-A\r\nBcc', 'Content-Type'), value), value, {
    maxKeys: 3,
  }),
  filename: value,
  contentType: fc.oneof(
    value,
    fc.tuple(visible, visible).map(([name, text]) => `text/x; ${name}="${text}"`),
    visible.map((text) => `text/x; name="${text}"`),
  ),
  contentId: fc.oneof(value, visible),
  inReplyTo: fc.oneof(
    value,
    visible.map((id) => `${id}@x`),
  ),
})

test('whatever is put into a header or a part, the message has the fields and parts it is meant to have', () => {
  const seed = seedFor('injection')
  const reached: Record<string, number> = {}
  const note = (field: string) => (reached[field] = (reached[field] ?? 0) + 1)
  fc.assert(
    fc.property(wishes, (wish) => {
      const granted = grant(wish)
      for (const field of Object.keys(granted)) note(field)
      const message = compose(granted)
      expect(wireFaults(message)).toEqual([])
      expectExactly(message, granted)
    }),
    { numRuns: MESSAGES, seed },
  )
  // Seven fields each, and the custom headers are up to three: more than 10,000 values in all. Many must get through.
  for (const field of ['subject', 'name', 'custom', 'filename', 'contentType', 'contentId', 'inReplyTo']) {
    expect(reached[field], field).toBeGreaterThan(MESSAGES / 10)
  }
})

type Wish = typeof wishes extends fc.Arbitrary<infer T> ? T : never
type Granted = Partial<Omit<Wish, 'name' | 'contentType'>> & {
  name?: Address
  contentType?: Attachment['contentType']
}

/** What is left after the checks that every request passes. */
function grant({ subject, name, custom, filename, contentType, contentId, inReplyTo }: Wish): Granted {
  const quoted = `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}" <ann@example.com>`
  const bad = new Set(customHeaderProblems(custom).map(({ name }) => name))
  const fine = Object.fromEntries(Object.entries(custom).filter(([name]) => !bad.has(name)))
  return {
    ...(breaksLine(subject) ? {} : { subject }),
    ...accepted('name', parseAddress(quoted)),
    ...(Object.keys(fine).length > 0 ? { custom: fine } : {}),
    ...accepted('filename', parseFilename(filename)),
    ...accepted('contentType', parseContentType(contentType)),
    ...accepted('contentId', parseContentId(contentId)),
    ...accepted('inReplyTo', parseMessageId(inReplyTo)),
  }
}

const accepted = <K extends string, T>(key: K, parsed: { ok: true; value: T } | { ok: false }) =>
  (parsed.ok ? { [key]: parsed.value } : {}) as { [P in K]?: T }

const sender = { name: '', local: 'ann', domain: 'example.com', email: 'ann@example.com', needsSmtpUtf8: false }
const plainType = { type: 'application/pdf', parameters: [] }

function compose({ subject = 's', name = sender, custom = {}, inReplyTo, filename = 'f', ...rest }: Granted): Buffer {
  const { contentType = plainType, contentId = 'c' } = rest
  const file: Attachment = {
    filename,
    contentType,
    contentId,
    content: Buffer.from('bytes'),
    disposition: 'attachment',
  }
  const { contentHeaders, body } = composeBody({ text: 'text', html: 'html', attachments: [file] }, 'seed')
  const message = {
    from: name,
    to: [name],
    subject,
    date: new Date(0),
    messageId: '<id@example.com>',
    inReplyTo,
    custom,
  }
  return Buffer.concat([headBytes(composeHeaders(message, contentHeaders)), body])
}

function expectExactly(message: Buffer, granted: Granted): void {
  const { subject = 's', name = sender, custom = {}, inReplyTo, filename = 'f', contentType, contentId = 'c' } = granted
  const { headers, parts } = readMessage(message)
  const thread = inReplyTo === undefined ? [] : ['In-Reply-To', ...(hasReferences(custom) ? [] : ['References'])]
  const expected = ['From', 'To', 'Subject', 'Date', 'Message-ID', ...thread, ...Object.keys(custom)]
  expect(headers.map((header) => header.name)).toEqual([...expected, 'MIME-Version', 'Content-Type'])
  expect(readText(headerOf(headers, 'Subject')!)).toBe(subject.toWellFormed())
  expect(nameIn(headerOf(headers, 'From')!)).toBe(name.name)
  for (const [key, text] of Object.entries(custom)) {
    expect(readText(headerOf(headers, key)!)).toBe(text.toWellFormed().replaceAll(/^ +| +$/g, ''))
  }
  const [texts, file, ...more] = parts
  expect(texts?.parts.map(({ content }) => content.toString())).toEqual(['text', 'html'])
  expect(more).toEqual([])
  expect(file).toMatchObject({ filename: filename.toWellFormed(), contentId, content: Buffer.from('bytes') })
  expect(file?.type).toBe(contentType?.type.replace(/^message\/.*/, 'application/octet-stream') ?? 'application/pdf')
}

const hasReferences = (custom: object): boolean => Object.keys(custom).some((key) => key.toLowerCase() === 'references')

function nameIn(field: string): string {
  const phrase = field.replace(/ ?<?ann@example.com>?$/, '')
  return phrase.startsWith('"') ? phrase.slice(1, -1).replaceAll(/\\(.)/g, '$1') : readText(phrase)
}
