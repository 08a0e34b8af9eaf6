import { textFromHtml } from '../text.ts'
import type { Contents } from './contents.ts'
import { attributionAt, isMobileSignature, isSeparator, startsHeaderBlock } from './reply-marks.ts'

/** Longer texts are not letters: they are given back as they are. */
const MAX_LENGTH = 512 * 1024
const MAX_LINES = 20_000

/** Returns what the person wrote, from the text of a message or, where it has none, from its html. */
export function strippedTextOf({ text, html }: Pick<Contents, 'text' | 'html'>): string | undefined {
  if (text !== undefined) return strippedText(text)
  return html === undefined ? undefined : strippedText(textFromHtml(html, `>${SURELY} `)).replaceAll(SURELY, '')
}

/**
 * `textFromHtml` puts this invisible character behind the `>` of a blockquote, and removes it from the author's own
 * text.
 */
const SURELY = '\u200b'

/**
 * A text without the messages that it quotes and without signature. In doubt something is kept: too much is a nuisance,
 * too little is a lost sentence. A text of which nothing would be left is given back whole.
 */
export function strippedText(text: string): string {
  const lines = text.length > MAX_LENGTH ? [] : text.replaceAll(/\r\n?/g, '\n').split('\n')
  if (lines.length === 0 || lines.length > MAX_LINES) return text.trim()
  const own = withoutSignature(withoutQuotes(withoutHistory(lines)))
  const left = own
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return left === '' ? text.trim() : left
}

/** Everything from where an older message begins that is not marked line by line. */
function withoutHistory(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex(
    (line, at) => isSeparator(line) || startsHeaderBlock(lines, at) || beginsUnmarkedHistory(lines, at),
  )
  if (start < 0) return lines
  // Outlook draws a line above it, and so does html with a rule.
  const rule = lines.slice(0, start).findLastIndex((line) => line.trim() !== '')
  return lines.slice(0, rule >= 0 && /^\s*(?:_{10,}|-{10,})\s*$/.test(lines[rule] ?? '') ? rule : start)
}

/**
 * "On … wrote:" may be followed by text without any mark. A person may quote by hand, so only a certain form counts.
 */
function beginsUnmarkedHistory(lines: readonly string[], at: number): boolean {
  const sentence = attributionAt(lines, at)
  if (sentence === undefined || !sentence.isCertain) return false
  const next = lines[nextWritten(lines, at + sentence.lines)]
  return next !== undefined && !next.startsWith('>')
}

/** Removes lines with `>` and the sentence above them. Text between quotes stays: it is an answer. */
function withoutQuotes(lines: readonly string[]): string[] {
  const isMarked = lines.map((line) => /^ ?>/.test(line))
  const isSure = lines.map((line) => /^ ?>\u200b/.test(line))
  const isUnsure = isMarked.map((is, at) => is && !isSure[at])
  // A single line of that kind, and nothing that says whose it is: perhaps an arrow, perhaps a face.
  const areQuotes = isUnsure.filter(Boolean).length > 1 || lines.some((_, at) => introduction(lines, at, isUnsure) > 0)
  const isQuoted = areQuotes ? isMarked : isSure
  const introduced = lines.map((_, at) => introduction(lines, at, isQuoted))
  const own: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const length = introduced[at] ?? 0
    if (length > 0) at += length - 1
    else if (!isQuoted[at]) own.push(lines[at] ?? '')
  }
  return own
}

/** Returns how many lines introduce a quotation; 0 if no quotation follows. */
function introduction(lines: readonly string[], at: number, isQuoted: readonly boolean[]): number {
  const sentence = isQuoted[at] ? undefined : attributionAt(lines, at)
  if (sentence === undefined) return 0
  const next = nextWritten(lines, at + sentence.lines)
  const isIntroduction = isQuoted[next] === true || (sentence.isCertain && next >= lines.length)
  return isIntroduction ? sentence.lines : 0
}

/** The first line from here on that is not empty. */
function nextWritten(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && lines[at]?.trim() === '') at++
  return at
}

/** RFC 3676 §4.3 has a space in the mark; without it only a short end of the text is a signature. */
function withoutSignature(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line, at) => line === '-- ' || (/^(?:--|—|__)\s*$/.test(line) && isEnd(lines, at)))
  let body = start < 0 ? lines : lines.slice(0, start)
  // A message has two at most: that of the phone, and that of the program on it.
  for (let round = 0; round < 2; round++) {
    const last = body.findLastIndex((line) => line.trim() !== '')
    if (last >= 0 && isMobileSignature(body[last] ?? '')) body = body.slice(0, last)
  }
  return body
}

const MAX_SIGNATURE_LENGTH = 10

function isEnd(lines: readonly string[], mark: number): boolean {
  let at = mark
  for (let written = 0; written <= MAX_SIGNATURE_LENGTH; written++) at = nextWritten(lines, at + 1)
  return mark > 0 && at >= lines.length
}
