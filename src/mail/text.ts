import { Parser } from 'htmlparser2'
import { TextWriter } from './text-writer.ts'

/** No person reads more plain text than this. */
const MAX_HTML_LENGTH = 512 * 1024
const MAX_TEXT_LENGTH = 256 * 1024
/** Real mail has some dozens. The parser's work grows with the square of the depth. */
const MAX_DEPTH = 400

/**
 * The text part of a message whose author wrote only html. People with a screen reader, a watch or a filter read it,
 * so it says what the html says: words, where links lead, what images show. Hidden previews, styles and tracking
 * pixels are no part of that.
 *
 * html-to-text was tried first: it takes almost three times as long for an ordinary message, and 100,000 nested
 * elements keep it busy for seconds, with no way to stop it. This reads the html once, from left to right, and stops
 * where it is absurd.
 *
 * The mark begins every line of a quotation.
 */
export function textFromHtml(html: string, mark = '> '): string {
  const converter = new Converter(mark)
  const parser = new Parser({
    onopentag: (name, attributes) => converter.open(name, attributes),
    ontext: (text) => converter.write(text),
    onclosetag: (name) => converter.close(name),
  })
  // In pieces, so that there is a moment to stop between two of them.
  for (let at = 0; at < Math.min(html.length, MAX_HTML_LENGTH) && !converter.isFull; at += PIECE) {
    parser.write(html.slice(at, Math.min(at + PIECE, MAX_HTML_LENGTH)))
  }
  if (!converter.isFull) parser.end()
  return converter.text
}

const PIECE = 4096

const paragraphs = new Set('p h1 h2 h3 h4 h5 h6 ul ol dl pre blockquote table hr'.split(' '))
const blocks = new Set([
  ...'div tr dt dd section article header footer main nav aside'.split(' '),
  ...'address center form fieldset figure figcaption caption'.split(' '),
])
const unread = new Set('head title style script noscript template svg object iframe select textarea'.split(' '))
const hidden = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all)/i
/** Newsletters pad their previews with these characters, which show nothing. */
const invisible = /\u00ad|\u034f|\u061c|\u180e|\u200b|\u2060|\ufeff/g
const idleJoiners = /(?: ?[\u200c\u200d](?=\s|$))+/g

type Attributes = Readonly<Record<string, string>>

class Converter {
  readonly #mark: string
  readonly #writer = new TextWriter()
  /** The number of open elements inside one that is not read, itself included. */
  #unreadDepth = 0
  #depth = 0
  #preformatted = 0
  /** The counters of the lists around; undefined for one without numbers. */
  readonly #lists: (number | undefined)[] = []
  #link: { target: string; text: string } | undefined

  constructor(mark: string) {
    this.#mark = mark
  }

  get isFull(): boolean {
    return this.#depth > MAX_DEPTH || this.#writer.text.length > MAX_TEXT_LENGTH
  }

  get text(): string {
    return this.#writer.text
      .replaceAll(/[\u200c\u200d]{2,}/g, '\u200c')
      .replaceAll(idleJoiners, '')
      .trim()
  }

  open(name: string, attributes: Attributes): void {
    this.#depth++
    if (this.#unreadDepth > 0 || isUnread(name, attributes)) this.#unreadDepth++
    else this.#enter(name, attributes)
  }

  write(text: string): void {
    if (this.#unreadDepth > 0) return
    const visible = text.replaceAll(invisible, '')
    if (this.#link) this.#link.text += visible
    if (this.#preformatted > 0) this.#writer.preformatted(visible)
    else this.#writer.words(visible)
  }

  close(name: string): void {
    this.#depth--
    if (this.#unreadDepth > 0) this.#unreadDepth--
    else this.#leave(name)
  }

  #enter(name: string, attributes: Attributes): void {
    this.#separate(name)
    if (name === 'br') this.#writer.lineBreak()
    else if (name === 'hr') this.#writer.words('----------')
    else if (name === 'img') this.write(attributes['alt'] ?? '')
    else if (name === 'a') this.#link = { target: targetOf(attributes), text: '' }
    else if (name === 'pre') this.#preformatted++
    else if (name === 'blockquote') this.#writer.indent(this.#mark)
    else if (name === 'ul' || name === 'ol') this.#lists.push(name === 'ol' ? 1 : undefined)
    else if (name === 'li') this.#enterItem()
  }

  #leave(name: string): void {
    if (name === 'a') this.#leaveLink()
    else if (name === 'td' || name === 'th') this.#writer.space()
    else if (name === 'pre') this.#preformatted--
    else if (name === 'blockquote' || name === 'li') this.#writer.outdent()
    else if (name === 'ul' || name === 'ol') this.#lists.pop()
    this.#separate(name)
  }

  /** A list inside a list belongs to its item and gets no empty line. */
  #separate(name: string): void {
    if (paragraphs.has(name)) this.#writer.apart(this.#lists.length > 0 ? 1 : 2)
    else if (blocks.has(name) || name === 'li') this.#writer.apart(1)
  }

  #enterItem(): void {
    const number = this.#lists.at(-1)
    const marker = number === undefined ? '- ' : `${number}. `
    if (number !== undefined) this.#lists[this.#lists.length - 1] = number + 1
    this.#writer.indent(' '.repeat(marker.length), marker)
  }

  #leaveLink(): void {
    const { target, text } = this.#link ?? { target: '', text: '' }
    this.#link = undefined
    if (target === '' || isSame(target, text.trim())) return
    this.#writer.space()
    this.#writer.words(text.trim() === '' ? target : `(${target})`)
  }
}

const isUnread = (name: string, attributes: Attributes): boolean =>
  unread.has(name) || 'hidden' in attributes || hidden.test(attributes['style'] ?? '')

/** A reader of plain text can open web addresses, but not a place in the same page. */
const targetOf = ({ href = '' }: Attributes): string =>
  /^(?:https?|mailto|tel):/i.test(href.trim()) ? href.trim() : ''

/** A link whose text is where it leads needs to be there only once. */
const isSame = (target: string, text: string): boolean =>
  target === text || target.replace(/^(?:https?:\/\/|mailto:|tel:)/i, '').replace(/\/$/, '') === text.replace(/\/$/, '')
