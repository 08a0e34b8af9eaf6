import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bodyHashOf, composeBody, fillBody, prepareBody } from '../../src/mail/body.ts'
import { headBytes } from '../../src/mail/headers.ts'
import { seedFor } from '../support/seed.ts'
import { anyText, normalised } from './contents.ts'
import { readMessage, wireFaults, type ReadPart } from './reading.ts'

/** Literals, and a value for each slot between two of them. */
const anyMerge = fc.array(fc.tuple(anyText, anyText), { maxLength: 5 }).chain((pairs) =>
  anyText.map((end) => ({
    literals: [...pairs.map(([before]) => before), end],
    values: pairs.map(([, value]) => value),
  })),
)

/** A line break may not be torn in two by the edge of a slot: both halves would count. */
const joined = (literals: readonly string[], values: readonly string[]): string =>
  literals.map((literal, index) => normalised(literal) + normalised(values[index] ?? '')).join('')

test('a body with its slots filled says the same as one composed whole', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(anyMerge, fc.option(anyMerge, { nil: undefined }), (html, text) => {
      const prepared = prepareBody({ html: html.literals, text: text?.literals }, 'seed')
      const filled = fillBody(prepared, { html: html.values, text: text?.values })
      const message = Buffer.concat([headBytes(filled.contentHeaders), filled.body])
      expect(wireFaults(message)).toEqual([])
      expect(filled.bodyHash).toBe(bodyHashOf(filled.body))
      const whole = composeBody(
        { html: joined(html.literals, html.values), text: text && joined(text.literals, text.values) },
        'seed',
      )
      expect(texts(message)).toEqual(texts(Buffer.concat([headBytes(whole.contentHeaders), whole.body])))
    }),
    { numRuns: 1_000, seed: seedFor('merges') },
  )
})

test('recipients share everything but their own values', () => {
  const prepared = prepareBody({ text: ['Hello ', ',\n\nyour code is ', '.'] }, 'seed')
  const bodies = ['Ann', 'Jörg', ''].map((name) => fillBody(prepared, { text: [name, '4711'] }).body.toString())
  expect(bodies).toEqual([
    'Hello=20=\r\nAnn=\r\n,\r\n\r\nyour code is=20=\r\n4711=\r\n=2E\r\n',
    'Hello=20=\r\nJ=C3=B6rg=\r\n,\r\n\r\nyour code is=20=\r\n4711=\r\n=2E\r\n',
    'Hello=20=\r\n=\r\n,\r\n\r\nyour code is=20=\r\n4711=\r\n=2E\r\n',
  ])
  expect(fillBody(prepared, { text: ['Ann', '1'] })).toEqual(fillBody(prepared, { text: ['Ann', '1'] }))
})

test('a missing value is a defect, not an empty place in a million messages', () => {
  const prepared = prepareBody({ html: ['Hello ', '.'] }, 'seed')
  expect(() => fillBody(prepared, {})).toThrow('no value for its slot 0')
  expect(() => fillBody(prepared, { text: ['Ann'] })).toThrow('no value for its slot 0')
})

/** Line breaks at the very end are not compared: a slot there has one behind it, whatever its value ends with. */
const texts = (message: Buffer): string[] =>
  leavesOf(readMessage(message)).map(({ content }) => content.toString().replace(/(\r\n)+$/, ''))

const leavesOf = (part: ReadPart): ReadPart[] => (part.parts.length === 0 ? [part] : part.parts.flatMap(leavesOf))
