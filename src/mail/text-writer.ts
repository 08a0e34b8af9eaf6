/** Deeper levels are not drawn: quotes in quotes would make a small document a large one. */
const MAX_DEPTH = 8

/**
 * Plain text, written from left to right. Line breaks and spaces are remembered and only written once something
 * follows them, so that of several that meet the largest counts, and none is left at an end.
 */
export class TextWriter {
  #text = ''
  #breaks = 0
  #space = false
  #marker = ''
  /** The prefix of the line that is being written. */
  #prefix = ''
  readonly #prefixes: string[] = []

  get text(): string {
    return this.#text
  }

  /** Words as html means them: white space of every kind is one space. */
  words(text: string): void {
    const words = text.replaceAll(/\s+/g, ' ')
    const start = words.startsWith(' ') ? 1 : 0
    const end = words.length - (words.endsWith(' ') ? 1 : 0)
    if (start === 1) this.#space = true
    if (start >= end) return
    this.#write(words.slice(start, end))
    this.#space = end < words.length
  }

  /** Words as they stand. */
  preformatted(text: string): void {
    for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
      if (index > 0) this.lineBreak()
      if (line.trim() !== '') this.#write(line.trimEnd())
    }
  }

  space(): void {
    this.#space = true
  }

  /** Writes at least this many line breaks before the next text: two leave an empty line. */
  apart(breaks: 1 | 2): void {
    this.#breaks = Math.max(this.#breaks, breaks)
  }

  /** One more line break, but never more than one empty line. */
  lineBreak(): void {
    this.#breaks = Math.min(this.#breaks + 1, 2)
  }

  /** Every line until `outdent` begins with this; a marker takes its place on the first of them. */
  indent(prefix: string, marker = ''): void {
    this.#prefixes.push(this.#prefixes.length < MAX_DEPTH ? prefix : '')
    this.#marker = this.#prefixes.length <= MAX_DEPTH ? marker : ''
  }

  outdent(): void {
    this.#prefixes.pop()
    this.#marker = ''
  }

  #write(text: string): void {
    if (this.#text === '' || this.#breaks > 0) this.#beginLine()
    else if (this.#space) this.#text += ' '
    this.#text += text
    this.#space = false
  }

  #beginLine(): void {
    const prefix = this.#prefixes.join('')
    // An empty line between a quote and what is around it belongs to the latter.
    const emptyLine = this.#breaks > 1 ? `${commonStart(this.#prefix, prefix).trimEnd()}\n` : ''
    if (this.#text !== '') this.#text += `\n${emptyLine}`
    this.#text += this.#marker === '' ? prefix : prefix.slice(0, -this.#marker.length) + this.#marker
    this.#prefix = prefix
    this.#breaks = 0
    this.#marker = ''
  }
}

function commonStart(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length)
}
