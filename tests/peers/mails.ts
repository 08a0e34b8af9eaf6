/** Mails that hosts on the way have been known to stumble over, as the API takes them. */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import type { Content } from '../../src/mail/compose/mime.ts'
import { anyContent, anyText } from '../mail/contents.ts'
import { seedFor } from '../support/seed.ts'

export type Mail = Record<string, unknown>

const FUZZED = 40

const pixel = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const base64 = (content: string | Buffer): string => Buffer.from(content).toString('base64')

const chosen: Record<string, Mail> = {
  plain: { subject: 'Plain', text: 'Hello there.\nHow are you?\n' },
  'html-and-text': { subject: 'Both', html: '<p>Hello <b>there</b>.</p>', text: 'Hello *there*.' },
  'html-only': { subject: 'One', html: '<!doctype html><html><body><h1>Hello</h1><p>there</p></body></html>' },
  attachments: {
    subject: 'Attached',
    text: 'See below.',
    attachments: [
      { filename: 'report.pdf', content: base64(randomBytes(5_000)) },
      { filename: 'Übersicht 中文 😀.txt', content: base64('one\ntwo\r\nthree'), contentType: 'text/plain' },
      { filename: 'empty.bin', content: '' },
      {
        filename: 'forwarded.eml',
        content: base64('From: ann@example.org\r\nSubject: Inner\r\n\r\nInner words.\r\n'),
        contentType: 'message/rfc822',
      },
    ],
  },
  'inline-image': {
    subject: 'Inline',
    html: '<p>Look: <img src="cid:pixel" alt="a pixel"></p>',
    attachments: [{ filename: 'pixel.gif', content: pixel, contentId: 'pixel' }],
  },
  'beyond-ascii': {
    subject: `Grüße aus Zürich – 東京 – ${'😀'.repeat(40)}`,
    text: 'Žluťoučký kůň příšerně úpěl ďábelské ódy.\n日本語\n',
    replyTo: 'Šárka "Čaj" Nováková <desk@posts.example>',
    headers: { 'X-Note': 'ünïcödé' },
  },
  'long-lines': { subject: 'word '.repeat(150).trim(), html: `<p>${'x'.repeat(5_000)}</p>`, text: 'y'.repeat(20_000) },
  'empty-body': { subject: 'Empty', text: '' },
  'empty-subject': { subject: '', text: 'No subject.' },
  dots: { subject: 'Dots', text: '.\n..\n.hidden\n\n.\nQUIT\n..\n', html: '.\n<p>.</p>\n.' },
  'trailing-space': { subject: 'Space', text: 'From me \n \n\t\nend \t\n\n\n' },
  'bare-breaks': { subject: 'Breaks', text: 'a\rb\nc\r\nd\n\re\r\n.\r\r\n.\n\n' },
  megabyte: {
    subject: 'Large',
    html: `<p>${'A line of the usual length, with an ü in it.\n'.repeat(8_000)}</p>`,
    text: 'Large.',
    attachments: [{ filename: 'large.bin', content: base64(randomBytes(700_000)) }],
  },
  'many-headers': {
    subject: 'Headers',
    text: 'Look above.',
    inReplyTo: '<earlier@example.org>',
    headers: Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`X-Header-${i}`, `value ${i} `.repeat(20).trim()]),
    ),
  },
}

/** Chosen and fuzzed, by a word that can be the local part of an address. */
export const mails = (): Record<string, Mail> => ({ ...chosen, ...fuzzed() })

function fuzzed(): Record<string, Mail> {
  const anyLine = anyText.map((text) =>
    storable(text)
      .replaceAll(/[\r\n]+/g, ' ')
      .slice(0, 400),
  )
  const anyMail = fc.record({ subject: anyLine, note: anyLine, content: anyContent })
  const sampled = fc.sample(anyMail, { numRuns: FUZZED, seed: seedFor('fuzzed mails') })
  return Object.fromEntries(
    sampled.map(({ subject, note, content }, i) => [`fuzzed-${i}`, mailOf(subject, note, content)]),
  )
}

function mailOf(subject: string, note: string, content: Content): Mail {
  return {
    subject,
    headers: { 'X-Note': note },
    ...(content.html === undefined ? {} : { html: storable(content.html) }),
    ...(content.text === undefined && content.html !== undefined ? {} : { text: storable(content.text ?? '') }),
    attachments: (content.attachments ?? []).map(({ filename, contentType, content, contentId, disposition }) => ({
      filename,
      content: base64(content),
      contentType: [
        contentType.type,
        ...contentType.parameters.map(([name, value]) => `${name}=${JSON.stringify(value)}`),
      ].join('; '),
      ...(contentId === undefined ? {} : { contentId }),
      disposition,
    })),
  }
}

/** No API takes these two. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '')
