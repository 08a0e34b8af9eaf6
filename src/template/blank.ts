/** White space as Liquid knows it, which is neither ASCII's nor JavaScript's: `{{-` also takes no-break spaces. */
export const isBlank = (code: number): boolean =>
  code === 0x20 ||
  (code >= 0x09 && code <= 0x0d) ||
  (code >= 0xa0 && ((code >= 0x2000 && code <= 0x200a) || beyondAscii.has(code)))

const beyondAscii: ReadonlySet<number> = new Set(
  Array.from('\u00a0\u1680\u180e\u2028\u2029\u202f\u205f\u3000', (char) => char.charCodeAt(0)),
)

export function blanksAtStart(text: string): number {
  let count = 0
  while (count < text.length && isBlank(text.charCodeAt(count))) count++
  return count
}

export function blanksAtEnd(text: string): number {
  let count = 0
  while (count < text.length && isBlank(text.charCodeAt(text.length - 1 - count))) count++
  return count
}
