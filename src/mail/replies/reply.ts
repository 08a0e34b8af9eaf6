/** A Reply is what an SMTP server answers: a code (RFC 5321), perhaps an enhanced code (RFC 3463), and text. */
export interface Reply {
  /** The code is between 200 and 599. */
  code: number
  /** `5.1.1`, where the server gave one. */
  enhanced: string | undefined
  /** The text joins all lines, without codes and control characters, and has at most 1,000 characters. */
  text: string
}

const MAX_TEXT_LENGTH = 1_000

/** A reply that we make up where no server is asked, e.g. because its domain does not exist. */
export const ownReply = (code: number, enhanced: string, text: string): Reply => ({ code, enhanced, text })

/** Lines as they follow the code and its separator. */
export function replyFrom(code: number, lines: readonly string[]): Reply {
  const [first = ''] = lines
  const enhanced = enhancedCode.exec(first)?.[1]
  if (enhanced === undefined) {
    const text = plainText(lines.join(' '))
    return { code, enhanced: codeBehind.exec(text)?.[1], text }
  }
  const words = lines.map((line) => (enhancedCode.exec(line)?.[1] === enhanced ? afterCode(line, enhanced) : line))
  return { code, enhanced, text: plainText(words.join(' ')) }
}

/** Some write a `#` in front of it. */
const enhancedCode = /^#?([245]\.\d{1,3}\.\d{1,3})(?![\w.])/

/** qmail writes it at the end: `sorry, no mailbox here by that name (#5.1.1)`. */
const codeBehind = /\(#([245]\.\d{1,3}\.\d{1,3})(?![\w.])/

const afterCode = (line: string, enhanced: string): string => line.slice(line.indexOf(enhanced) + enhanced.length)

/** Parses a quoted reply, as in the diagnostic code of a bounce: `smtp; 550 5.1.1 <x@y>: unknown`. */
export function quotedReply(quotation: string): Reply | undefined {
  const text = plainText(quotation.replace(/^\s*(x-)?[a-z]+\s*;/i, ''))
  // A number alone may be anything: it must begin a statement, or an enhanced code must follow.
  const [, code, rest = ''] = spoken.exec(text) ?? evident.exec(text) ?? []
  if (code !== undefined) {
    // A quoted multi-line reply repeats the code before every line; some servers repeat it on the first line as well.
    const lines = rest.replaceAll(`${code}-`, '\n').replaceAll(`${code} `, '\n').split('\n')
    return replyFrom(Number(code), lines[0]?.trim() === '' ? lines.slice(1) : lines)
  }
  const enhanced = /(?:^|[^\w.])([245]\.\d{1,3}\.\d{1,3})(?![\w.])/.exec(text)?.[1]
  return enhanced === undefined ? undefined : { code: Number(enhanced[0]) * 100 + 50, enhanced, text }
}

const spoken = /(?:^|[:;>)\]] ?)([2-5]\d\d)(?:[ -]|$)(.*)$/
const evident = /\b([2-5]\d\d)[ -](#?[245]\.\d{1,3}\.\d{1,3}\b.*)$/

/** Formats a reply for people and logs: `550 5.1.1 No such user`. */
export const replyLine = ({ code, enhanced, text }: Reply): string =>
  [code, enhanced, text].filter((part) => part !== undefined && part !== '').join(' ')

const plainText = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- they are what has to go: a log line must stay one line
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT_LENGTH)
    .toWellFormed()
