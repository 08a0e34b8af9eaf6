import fc from 'fast-check'
import MailComposer from 'nodemailer/lib/mail-composer'
import { expect, test } from 'vitest'
import type { Attachment } from '../../src/mail/compose/attachment.ts'
import { bodySize, composeBody, type ComposedBody } from '../../src/mail/compose/body.ts'
import { headBytes } from '../../src/mail/headers.ts'
import type { Content } from '../../src/mail/compose/mime.ts'
import { runs } from '../support/runs.ts'
import { seedFor } from '../support/seed.ts'
import { bodyHashOf } from './body-hash.ts'
import { anyContent, normalised } from './contents.ts'
import { headerOf, readMessage, readText, wireFaults, type ReadPart } from './reading.ts'

const SEED = '<em_1@example.com>'

const attached = (filename: string, disposition: Attachment['disposition'] = 'attachment'): Attachment => ({
  filename,
  contentType: { type: 'image/png', parameters: [] },
  content: Buffer.from(filename),
  contentId: 'image',
  disposition,
})

const structures: [what: string, content: Content, structure: string][] = [
  ['nothing', {}, 'text/plain'],
  ['a text', { text: 'a' }, 'text/plain'],
  ['html', { html: 'a' }, 'text/html'],
  ['both', { text: 'a', html: 'b' }, 'alternative(text/plain text/html)'],
  ['an image in the html', { html: 'b', attachments: [attached('i', 'inline')] }, 'related(text/html image/png)'],
  ['a text and a file', { text: 'a', attachments: [attached('f')] }, 'mixed(text/plain image/png)'],
  ['an image without html', { text: 'a', attachments: [attached('i', 'inline')] }, 'mixed(text/plain image/png)'],
  [
    'everything',
    { text: 'a', html: 'b', attachments: [attached('f'), attached('i', 'inline'), attached('g')] },
    'mixed(alternative(text/plain related(text/html image/png)) image/png image/png)',
  ],
]

test.each(structures)('%s has the structure that clients expect', (_, content, structure) => {
  expect(structureOf(read(composeBody(content, SEED)))).toBe(structure)
})

test('every part decodes to exactly what was given, and nothing on the wire is unsafe', () => {
  fc.assert(
    fc.property(anyContent, (content) => {
      const composed = composeBody(content, SEED)
      const message = bytesOf(composed)
      expect(wireFaults(message)).toEqual([])
      const leaves = leavesOf(readMessage(message))
      expectTexts(leaves, content)
      expect(attachmentsIn(leaves)).toEqual(attachmentsGiven(content))
      expect(bodySize(content, SEED)).toBe(composed.body.length)
      expect(composed.bodyHash).toBe(bodyHashOf(composed.body))
      expect(bytesOf(composeBody(content, SEED)).equals(message)).toBe(true)
    }),
    { numRuns: runs(1_000), seed: seedFor('contents') },
  )
})

test('a message ends with a line break, and empty lines at its end do not count in the hash', () => {
  for (const text of ['', '\n', '\n\n', 'a', 'a\n', 'a\n\n\n', 'a \n \n', ' ', '\t\n']) {
    const { body, bodyHash } = composeBody({ text }, SEED)
    expect(bodyHash).toBe(bodyHashOf(body))
    expect(body.length === 0 || body.toString().endsWith('\r\n')).toBe(true)
    expect(bodySize({ text }, SEED)).toBe(body.length)
  }
})

test("nodemailer's composer says the same with the same parts", async () => {
  const options = { seed: seedFor('nodemailer'), numRuns: runs(150) }
  const compared = fc.asyncProperty(anyContent, async (content) => {
    // nodemailer leaves out parts that are empty, and a NUL.
    const { text = 'x', html = 'x', attachments = [] } = content
    const given = { text: text.replaceAll('\0', '') || 'x', html: html.replaceAll('\0', '') || 'x', attachments }
    const ours = read(composeBody(given, SEED))
    const theirs = readMessage(await byNodemailer(given), 'lenient')
    expect(structureOf(ours)).toBe(structureOf(theirs))
    const [our, their] = [leavesOf(ours), leavesOf(theirs)]
    expect(our.map(({ filename }) => filename)).toEqual(their.map(({ filename }) => filename))
    for (const [index, part] of our.entries()) {
      const other = their[index]!
      if (part.filename === undefined) expect(sameText(part)).toBe(sameText(other))
      else expect(part.content).toEqual(other.content)
    }
  })
  await fc.assert(compared, options)
})

test('the seed decides the boundaries and nothing else does', () => {
  const content = { text: 'a', html: 'b', attachments: [attached('f')] }
  const one = composeBody(content, 'one').body.toString()
  const two = composeBody(content, 'two').body.toString()
  expect(one).not.toBe(two)
  const withoutBoundaries = (text: string) => text.replaceAll(/[0-9a-f]{32}/g, '')
  expect(withoutBoundaries(one)).toBe(withoutBoundaries(two))
})

test('a message inside a message travels as it is where it can, else as opaque bytes', () => {
  const inner = Buffer.from('From: a@example.com\r\nSubject: x\r\n\r\n\tHello  \r\n', 'latin1')
  const types = (content: Buffer) => {
    const contentType = { type: 'message/rfc822', parameters: [] }
    const attachments: Attachment[] = [{ filename: 'm.eml', contentType, content, disposition: 'attachment' }]
    const composed = composeBody({ text: 'a', attachments }, SEED)
    expect(composed.bodyHash).toBe(bodyHashOf(composed.body))
    expect(bodySize({ text: 'a', attachments }, SEED)).toBe(composed.body.length)
    expect(wireFaults(bytesOf(composed))).toEqual([])
    const part = read(composed).parts[1]!
    expect(part.content).toEqual(content)
    return [part.type, headerOf(part.headers, 'content-transfer-encoding')]
  }
  expect(types(inner)).toEqual(['message/rfc822', '7bit'])
  const opaque = ['application/octet-stream', 'base64']
  const boundary = composeBody({ text: 'a', attachments: [attached('f')] }, SEED)
    .body.toString()
    .slice(0, 44)
  for (const line of ['ä', 'bare\nLF', 'bare\rCR', '.dot', 'From me', 'x'.repeat(999), '\0', boundary]) {
    expect(types(Buffer.concat([inner, Buffer.from(line)]))).toEqual(opaque)
  }
})

test('names of files are there twice, for new clients and for old ones', () => {
  const [, part] = read(composeBody({ text: 'a', attachments: [attached('Übersicht – März.png')] }, SEED)).parts
  expect(part?.filename).toBe('Übersicht – März.png')
  expect(readText(part?.parameters['name'] ?? '')).toBe('Übersicht – März.png')
})

test('large files are encoded in lines of 76 characters', () => {
  const content = Buffer.alloc(1_000_003, 'abc')
  const attachments = [{ ...attached('f'), content }]
  const composed = composeBody({ text: 'a', attachments }, SEED)
  expect(bodySize({ text: 'a', attachments }, SEED)).toBe(composed.body.length)
  expect(read(composed).parts[1]?.content.equals(content)).toBe(true)
})

const bytesOf = ({ contentHeaders, body }: ComposedBody): Buffer => Buffer.concat([headBytes(contentHeaders), body])

const read = (composed: ComposedBody): ReadPart => readMessage(bytesOf(composed))

const structureOf = ({ type, parts }: ReadPart): string =>
  parts.length === 0 ? type : `${type.replace('multipart/', '')}(${parts.map(structureOf).join(' ')})`

const leavesOf = (part: ReadPart): ReadPart[] => (part.parts.length === 0 ? [part] : part.parts.flatMap(leavesOf))

function expectTexts(leaves: readonly ReadPart[], { text, html, attachments }: Content): void {
  const isAlone = leaves.length === 1 && !attachments?.length
  const texts = leaves.filter(({ disposition }) => disposition === undefined)
  const given = text === undefined && html === undefined ? [''] : [text, html].filter((part) => part !== undefined)
  expect(texts.map(({ content }) => content.toString())).toEqual(
    // A message that is one part ends with a line break, whether its text does or not.
    given.map(normalised).map((part) => (isAlone && part !== '' && !part.endsWith('\r\n') ? `${part}\r\n` : part)),
  )
}

const attachmentsIn = (leaves: readonly ReadPart[]) =>
  leaves
    .filter(({ disposition }) => disposition !== undefined)
    .map(({ type, parameters: { name, ...parameters }, filename, contentId, disposition, content }) => {
      expect(readText(name ?? '')).toBe(filename)
      return { type, parameters, filename, contentId, disposition, content }
    })
    .toSorted(byDisposition)

const attachmentsGiven = ({ attachments = [] }: Content) =>
  attachments
    .map(({ contentType, filename, contentId, disposition, content }) => {
      const parameters = Object.fromEntries(contentType.parameters)
      return { type: contentType.type, parameters, filename, contentId, disposition, content }
    })
    .toSorted(byDisposition)

/** Inline ones are bound to the html and therefore come first. */
const byDisposition = (a: { disposition: string | undefined }, b: { disposition: string | undefined }): number =>
  Number(a.disposition !== 'inline') - Number(b.disposition !== 'inline')

function byNodemailer({ text, html, attachments = [] }: Content): Promise<Buffer> {
  const given = attachments.map(({ filename, contentType, content, contentId, disposition }) => ({
    filename,
    content,
    contentType: contentType.type,
    contentDisposition: disposition,
    ...(disposition === 'inline' ? { cid: contentId ?? 'x' } : {}),
  }))
  return new MailComposer({ text, html, attachments: given, textEncoding: 'quoted-printable' }).compile().build()
}

/** nodemailer keeps bare CRs; how it ends lines is the question here. */
const sameText = ({ content }: ReadPart): string => content.toString().replaceAll(/\r\n|\r|\n/g, '\n')
