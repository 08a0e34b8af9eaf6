import fc from 'fast-check'
import { parseAddress, type Address } from '../../src/mail/address.ts'
import type { Attachment } from '../../src/mail/compose/attachment.ts'
import type { Content } from '../../src/mail/compose/mime.ts'
import type { Parsed } from '../../src/mail/parsed.ts'

/** What hosts on the way, decoders and signatures stumble over, besides ordinary words. */
const unit = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('word', 'a', ' ', 'Hello', '<p>', '</p>', 'é', 'ß', '中', '😀', 'čĊ') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '\n',
      '\r\n',
      '\r',
      '\t',
      '  ',
      ' \n',
      '\t \r\n',
      '\n.\n',
      '\n..',
      '\nFrom ',
      '=',
      '=20',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('\0', '\x1b', '\u2028', '\ud800', '--=_mixed_', '\r\n--', 'x'.repeat(200)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }) },
)

export const anyText = fc.array(unit, { maxLength: 60 }).map((units) => units.join(''))

const anyFilename = fc
  .oneof(
    fc.constantFrom(
      'report.pdf',
      'my file (1).txt',
      'Übersicht.pdf',
      '中文 😀.png',
      '=?utf-8?q?x?=.txt',
      'a"b\\c;d=e.bin',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  )
  .map((name) => name.toWellFormed().replaceAll(/\p{Cc}/gu, '_'))

const anyAttachment: fc.Arbitrary<Attachment> = fc.record({
  filename: anyFilename,
  contentType: fc.constantFrom(
    { type: 'application/pdf', parameters: [] },
    { type: 'image/png', parameters: [] },
    { type: 'text/plain', parameters: [['charset', 'utf-8'] as const] },
    { type: 'text/calendar', parameters: [['method', 'REQUEST'] as const, ['x-note', 'a "quoted; one"'] as const] },
  ),
  content: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  contentId: fc.option(fc.stringMatching(/^[a-z0-9]{1,8}(@[a-z]{1,5})?$/), { nil: undefined }),
  disposition: fc.constantFrom('attachment', 'inline'),
})

export const anyContent: fc.Arbitrary<Content> = fc.record({
  text: fc.option(anyText, { nil: undefined }),
  html: fc.option(anyText, { nil: undefined }),
  attachments: fc.array(anyAttachment, { maxLength: 3 }),
})

export const address = (written: string): Address => valid(parseAddress(written))

export function valid<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(parsed.problem)
  return parsed.value
}

/** As text travels: one kind of line break, and no half of a surrogate pair. */
export const normalised = (text: string): string => text.toWellFormed().replaceAll(/\r\n|\r|\n/g, '\r\n')
