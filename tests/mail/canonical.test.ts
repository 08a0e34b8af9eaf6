import { expect, test } from 'vitest'
import { relaxedLines } from '../../src/mail/compose/canonical.ts'

/** Large texts are looked at in pieces of so many bytes. */
const PIECE = 65_536

test.each([-3, -2, -1, 0, 1, 2])('white space is found wherever pieces of a large text meet (%i)', (offset) => {
  const before = 'x'.repeat(PIECE + offset)
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
