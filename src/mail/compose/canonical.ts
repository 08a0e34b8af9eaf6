import type { Header } from '../headers.ts'

/** The relaxed forms of RFC 6376 §3.4 stay the same when hosts on the way fold or pad lines. */

/** §3.4.2, without a line break at the end. */
export function relaxedHeader({ name, line }: Header): string {
  const value = line.slice(name.length + 1, -2)
  return `${name.toLowerCase()}:${relaxedValue(value)}`
}

/** The expression takes only spaces and tabs: `trim` would take a no-break space, too. */
const relaxedValue = (value: string): string =>
  isTidy.test(value) ? value.slice(1) : value.replaceAll(/(?:\r\n|[ \t])+/g, ' ').replaceAll(/^ | $/g, '')

/** One space in front, as we write all of ours, and nothing else to change. */
const isTidy = /^ [^ \t\r](?:[^ \t\r]| (?=[^ \t\r]))*$/

/**
 * White space inside lines made one space, and none left before their ends. Works on any run of whole lines, so that
 * bodies can be canonicalised in pieces; gives back the very same bytes where nothing has to change.
 */
export function relaxedLines(lines: Buffer): Buffer {
  if (isRelaxed(lines)) return lines
  // Latin1 there and back keeps every byte as it is. First all runs, then the ends: one expression for both would look
  // at a long run once for each of its characters.
  const text = lines
    .toString('latin1')
    .replaceAll(/[ \t]{2,}|\t/g, ' ')
    .replaceAll(' \r\n', '\r\n')
  return Buffer.from(text.endsWith(' ') ? text.slice(0, -1) : text, 'latin1')
}

const [TAB, CR, LF, SPACE] = [0x09, 0x0d, 0x0a, 0x20]
/**
 * Tells whether nothing has to change. It searches twice: one expression for tabs as well would take twice the time.
 */
export const isRelaxed = (lines: Buffer): boolean =>
  lines.at(-1) !== SPACE && !lines.includes(TAB) && !hasSpaceTooMany(lines)

/**
 * Finds a space before another one, or before the end of a line. It works in pieces: as one text a large file would be
 * in memory twice.
 */
function hasSpaceTooMany(lines: Buffer): boolean {
  for (let at = 0; at < lines.length; at += AT_ONCE) {
    if (/ [ \r]/.test(lines.toString('latin1', at, at + AT_ONCE + 1))) return true
  }
  return false
}

const AT_ONCE = 65_536

/** Empty lines at the end do not count; a last line without an end gets one. */
export function withoutEmptyEnd(lines: Buffer): Buffer {
  let end = lines.length
  while (endsWithBreak(lines, end)) end -= 2
  if (end === 0) return lines.subarray(0, 0)
  if (end === lines.length) return Buffer.concat([lines, CRLF])
  return end + 2 === lines.length ? lines : lines.subarray(0, end + 2)
}

const CRLF = Buffer.from('\r\n')

const endsWithBreak = (lines: Buffer, end: number): boolean =>
  end >= 2 && lines[end - 2] === CR && lines[end - 1] === LF
