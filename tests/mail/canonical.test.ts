import { expect, test } from 'vitest'
import { relaxedLines } from '../../src/mail/canonical.ts'

test.each([10, 100_000])('white space that is too much is found in %i letters', (length) => {
  const before = 'x'.repeat(length)
  for (const [written, relaxed] of [
    ['  y\r\n', ' y\r\n'],
    [' \r\n', '\r\n'],
    ['\ty\r\n', ' y\r\n'],
  ]) {
    expect(relaxedLines(Buffer.from(before + written)).equals(Buffer.from(before + relaxed)), written).toBe(true)
  }
  const tidy = Buffer.from(`${before} y\r\n`)
  expect(relaxedLines(tidy)).toBe(tidy)
})
