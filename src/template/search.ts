/**
 * Finds one text in another in time that grows with the sum of their lengths. The engine's own search is quicker in
 * prose, but takes the product of the lengths where a text nearly matches at every place: half a megabyte of one letter
 * in a megabyte of it took half a minute. So it looks for short patterns only, and Knuth, Morris and Pratt for the rest.
 */
export class Search {
  readonly #pattern: string
  /** For every part that the pattern begins with, the longest beginning that this part also ends with. */
  #borders: Int32Array | undefined

  /** The pattern must not be empty. */
  constructor(pattern: string) {
    this.#pattern = pattern
  }

  /** Returns the first position of the pattern at or after an index; -1 when there is none. */
  next(text: string, from: number): number {
    const { length } = this.#pattern
    if (text.length - from < length) return -1
    return length <= SHORT ? text.indexOf(this.#pattern, from) : this.#walk(text, from, 'first')
  }

  /** Returns the last position, even if it overlaps with one before. */
  last(text: string): number {
    return text.length < this.#pattern.length ? -1 : this.#walk(text, 0, 'last')
  }

  #walk(text: string, from: number, which: 'first' | 'last'): number {
    const pattern = this.#pattern
    const borders = (this.#borders ??= bordersOf(pattern))
    let found = -1
    let matched = 0
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      while (matched > 0 && code !== pattern.charCodeAt(matched)) matched = borders[matched - 1] ?? 0
      if (code === pattern.charCodeAt(matched)) matched++
      if (matched < pattern.length) continue
      found = at - matched + 1
      if (which === 'first') return found
      matched = borders[matched - 1] ?? 0
    }
    return found
  }
}

/** For patterns of this many characters a plain search is fast enough. */
const SHORT = 4

function bordersOf(pattern: string): Int32Array {
  const borders = new Int32Array(pattern.length)
  let matched = 0
  for (let at = 1; at < pattern.length; at++) {
    const code = pattern.charCodeAt(at)
    while (matched > 0 && code !== pattern.charCodeAt(matched)) matched = borders[matched - 1] ?? 0
    if (code === pattern.charCodeAt(matched)) matched++
    borders[at] = matched
  }
  return borders
}
