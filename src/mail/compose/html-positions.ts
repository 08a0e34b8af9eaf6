import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

/** Positions in the html of a message at which we may insert or replace something. */
export interface HtmlPositions {
  links: HtmlLink[]
  /** The visible content begins here. */
  start: number
  /** The visible content ends here. Text inserted here is neither in a comment nor in a tag that was never closed. */
  end: number
}

export interface HtmlLink {
  /** Of the value in the source, with its quotation marks if it has any. */
  start: number
  end: number
  /** The target as a browser reads it: entities are decoded, and white space around it is removed. */
  target: string
}

/** No link of ours could carry a longer target through every proxy. */
const MAX_TARGET_LENGTH = 8_000

/**
 * Reads tags as the HTML standard does, and builds no tree of them: the time that takes grows with the length of the
 * source and with nothing else. What stands in comments is not read, so what only Outlook sees stays as it is.
 */
export function htmlPositionsIn(html: string): HtmlPositions {
  const reader = new PositionReader(html)
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader)
  tokenizer.write(html)
  // The tag is read as one only if everything before the end was closed.
  tokenizer.write('<i>')
  tokenizer.end()
  return reader.positions
}

/** Elements whose content is text up to their end tag. */
const rawElements = new Set('script style title textarea xmp iframe noembed noframes plaintext'.split(' '))
const headElements = new Set('html head title meta link style base script noscript template'.split(' '))

class PositionReader implements TokenizerCallbacks {
  readonly #html: string
  readonly #links: HtmlLink[] = []
  #tag = ''
  #tagStart = 0
  #isRaw = false
  /** The link of the tag that is being read; of several href attributes the first counts. */
  #href: HtmlLink | undefined
  #attribute: { start: number; value: string } | undefined
  #body: number | undefined
  #seen: number | undefined
  #bodyEnd: number | undefined
  #htmlEnd: number | undefined
  /** Up to here everything is closed. */
  #sound = 0

  constructor(html: string) {
    this.#html = html
  }

  get positions(): HtmlPositions {
    const end = this.#bodyEnd ?? this.#htmlEnd ?? this.#sound
    return { links: this.#links, start: Math.min(this.#body ?? this.#seen ?? end, end), end }
  }

  onopentagname(start: number, end: number): void {
    this.#tagStart = start - 1
    this.#tag = this.#html.slice(start, end).toLowerCase()
    this.#href = undefined
    if (this.#tagStart === this.#html.length && !this.#isRaw) this.#sound = this.#html.length
  }

  onattribname(start: number, end: number): void {
    const isTarget = (this.#tag === 'a' || this.#tag === 'area') && this.#href === undefined
    if (!isTarget || this.#html.slice(start, end).toLowerCase() !== 'href') return
    between.lastIndex = end
    this.#attribute = { start: between.test(this.#html) ? between.lastIndex : end, value: '' }
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute) this.#attribute.value += this.#html.slice(start, end)
  }

  onattribentity(codePoint: number): void {
    if (this.#attribute) this.#attribute.value += String.fromCodePoint(codePoint)
  }

  onattribend(_quote: unknown, end: number): void {
    if (this.#attribute) this.#href = { start: this.#attribute.start, end, target: targetIn(this.#attribute.value) }
    this.#attribute = undefined
  }

  onopentagend(end: number): void {
    if (end >= this.#html.length) return
    if (this.#href && this.#href.target !== '') this.#links.push(this.#href)
    this.#isRaw = rawElements.has(this.#tag)
    if (!this.#isRaw) this.#sound = end + 1
    if (this.#tag === 'body') this.#body ??= end + 1
    else if (!headElements.has(this.#tag)) this.#seen ??= this.#tagStart
  }

  onselfclosingtag(end: number): void {
    this.onopentagend(end)
  }

  onclosetag(start: number, end: number): void {
    this.#isRaw = false
    const behind = this.#html.indexOf('>', end) + 1
    if (behind === 0) return
    this.#sound = behind
    const name = this.#html.slice(start, end).toLowerCase()
    if (name === 'body') this.#bodyEnd = start - '</'.length
    if (name === 'html') this.#htmlEnd = start - '</'.length
  }

  ontext(start: number, end: number): void {
    if (this.#isRaw) return
    this.#sound = Math.min(end, this.#html.length)
    if (this.#seen === undefined && !blank.test(this.#html.slice(start, end))) this.#seen = start
  }

  ontextentity(_codePoint: number, end: number): void {
    if (this.#isRaw) return
    this.#seen ??= this.#sound
    this.#sound = end
  }

  oncomment(_start: number, end: number): void {
    // One that was never closed reaches over the end.
    if (end < this.#html.length) this.#sound = end + 1
  }

  ondeclaration(_start: number, end: number): void {
    if (end < this.#html.length) this.#sound = end + 1
  }

  oncdata(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}

/** Of an attribute, what stands between its name and its value. */
const between = /[ \t\n\f\r]*=[ \t\n\f\r]*/y
const blank = /^[ \t\n\f\r]*$/

function targetIn(value: string): string {
  if (value.length > MAX_TARGET_LENGTH) return ''
  return value.replaceAll(/[\t\n\r]/g, '').replaceAll(/^[\0- ]+|[\0- ]+$/g, '')
}
