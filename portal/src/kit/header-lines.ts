export interface HeaderLine {
  place: number
  name: string
  value: string
}

/** The header fields of a message, each on one line. */
export function headerLines(source: string): HeaderLine[] {
  const [head = ''] = source.split(/\r?\n\r?\n/, 1)
  // RFC 5322 §2.2.3: a line that begins with white space goes on with the field before it.
  const lines = head.replaceAll(/\r?\n(?=[ \t])/g, '').split(/\r?\n/)
  return lines
    .filter((line) => line.includes(':'))
    .map((line, place) => ({
      place,
      name: line.slice(0, line.indexOf(':')),
      value: line.slice(line.indexOf(':') + 1).trim(),
    }))
}
