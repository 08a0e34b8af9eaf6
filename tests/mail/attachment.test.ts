import { expect, test } from 'vitest'
import { parseContentId, parseFilename } from '../../src/mail/compose/attachment.ts'
import { contentTypeOfFile, parseContentType } from '../../src/mail/content-type.ts'

const types: [written: string, type: string, parameters: [string, string][]][] = [
  ['application/pdf', 'application/pdf', []],
  ['Image/PNG', 'image/png', []],
  ['text/plain; charset=UTF-8', 'text/plain', [['charset', 'UTF-8']]],
  [
    'text/calendar;method=REQUEST ; charset="utf-8"',
    'text/calendar',
    [
      ['method', 'REQUEST'],
      ['charset', 'utf-8'],
    ],
  ],
  [String.raw`text/x; note="a; \"b\\c\""`, 'text/x', [['note', String.raw`a; "b\c"`]]],
  ['application/vnd.ms-excel.sheet+xml;', 'application/vnd.ms-excel.sheet+xml', []],
  ['application/pdf; name="evil.exe"; boundary=x', 'application/pdf', []],
]

test.each(types)('the type %j is read', (written, type, parameters) => {
  expect(parseContentType(written)).toEqual({ ok: true, value: { type, parameters } })
})

const noTypes: [written: string, why: RegExp][] = [
  ['', /ASCII/],
  ['pdf', /such as/],
  ['application/', /such as/],
  ['application/pdf\r\nBcc: x', /ASCII/],
  ['text/pläin', /ASCII/],
  ['text/plain; charset', /such as/],
  ['text/plain; a="b', /such as/],
  ['text/plain; name*0="x"', /such as/],
  ['text/plain; a=1; A=2', /twice/],
  ['text/plain, text/html', /such as/],
  ['multipart/mixed; boundary=x', /multipart/],
  ['Multipart/Related', /multipart/],
  [`text/${'x'.repeat(255)}`, /255/],
]

test.each(noTypes)('the type %j is refused', (written, why) => {
  expect(parseContentType(written)).toEqual({ ok: false, problem: expect.stringMatching(why) })
})

test('a type follows from the name of a file', () => {
  expect(contentTypeOfFile('Report.PDF').type).toBe('application/pdf')
  expect(contentTypeOfFile('a.tar.gz').type).toBe('application/gzip')
  for (const name of ['x', 'x.unknown', '.pdf.', 'pdf']) {
    expect(contentTypeOfFile(name).type).toBe('application/octet-stream')
  }
})

test('names of files are single lines of bounded length', () => {
  for (const name of ['a.pdf', 'Übersicht (1).pdf', 'čĊ', '../x', 'x'.repeat(255)]) {
    expect(parseFilename(name)).toEqual({ ok: true, value: name })
  }
  for (const name of ['', 'a\r\nb', 'a\0', 'a\tb', 'a\u0085', 'ä'.repeat(128)]) {
    expect(parseFilename(name)).toMatchObject({ ok: false })
  }
})

test('content ids are visible ASCII, with or without their brackets', () => {
  expect(parseContentId('<logo@example.com>')).toEqual({ ok: true, value: 'logo@example.com' })
  expect(parseContentId('logo')).toEqual({ ok: true, value: 'logo' })
  for (const id of ['', 'a b', 'a>b', '<a><b>', 'ä', 'a\r\n', 'x'.repeat(256)]) {
    expect(parseContentId(id)).toMatchObject({ ok: false })
  }
})
