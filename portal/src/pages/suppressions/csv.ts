interface Row {
  email: string
  reason: string
  note: string | null
  messageId: string | null
  createdAt: string
}

const titles = ['email', 'reason', 'createdAt', 'messageId', 'note'] as const

/** RFC 4180. The titles are the names of the API, in every language. */
export const csvOf = (rows: readonly Row[]): string =>
  [titles.join(','), ...rows.map((row) => titles.map((title) => cell(row[title] ?? '')).join(','))]
    .map((line) => `${line}\r\n`)
    .join('')

/** A program for tables runs what begins like a formula; behind an apostrophe it is a text. */
const cell = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
