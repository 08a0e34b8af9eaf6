import { domainOf, parseAddress, type Mailbox } from '../address.ts'
import { decodeWords } from '../encoded-word.ts'

/**
 * Reads the mailboxes of a field such as From or Cc, tolerantly: groups are flattened, comments are names where there
 * is no other, and an item that has neither an address nor, before `<>`, a name is left out. Encoded words are decoded
 * last, so that none of them can become an address.
 */
export function readAddresses(raw: string): Mailbox[] {
  const found: Mailbox[] = []
  let item = emptyItem()
  // `Example, Ann <ann@example.com>` has a name that should have been quoted, and was split at its comma.
  let torn = ''
  for (const { kind, text } of tokensOf(raw)) {
    if (kind === 'separator') {
      const mailbox = mailboxFrom(item, torn)
      if (mailbox !== undefined) found.push(mailbox)
      torn = mailbox === undefined && text === ',' ? item.words.join(' ') : ''
      item = emptyItem()
    } else if (kind === 'group') item = emptyItem()
    else if (kind === 'angle') item.angle ??= text
    else if (kind === 'comment') item.comments.push(text)
    else (kind === 'quoted' ? item.words : item.bare).push(text)
    if (kind === 'word') item.words.push(text)
    if (found.length >= MAX_COUNT) break
  }
  return found
}

/** Returns the addresses in a field. A mailbox that has a name and no address is left out. */
export const readEmails = (raw: string): string[] =>
  readAddresses(raw).flatMap(({ email }) => (email === '' ? [] : email))

/** No real field has more. */
const MAX_COUNT = 1_000

interface Item {
  angle: string | undefined
  /** All of the name, and those of its words that stood without quotation marks. */
  words: string[]
  bare: string[]
  comments: string[]
}

const emptyItem = (): Item => ({ angle: undefined, words: [], bare: [], comments: [] })

interface Token {
  kind: 'word' | 'quoted' | 'comment' | 'angle' | 'separator' | 'group'
  text: string
}

/** Each character is looked at once; a bracket or quotation mark that is never closed is none. */
function* tokensOf(raw: string): Generator<Token> {
  const closedAt = { '"': raw.lastIndexOf('"'), '<': raw.lastIndexOf('>'), '(': raw.lastIndexOf(')') }
  let at = 0
  while (at < raw.length) {
    const mark = raw[at] ?? ''
    if (isOpening(mark) && closedAt[mark] > at) {
      const end = mark === '(' ? endOfComment(raw, at) : endOf(raw, at + 1, mark === '<' ? '>' : '"')
      const text = raw.slice(at + 1, end)
      if (mark === '"' && raw[end + 1] === '@') {
        // `"ann example"@example.com` has a quoted local part.
        const wordEnd = endOfWord(raw, end + 1)
        yield { kind: 'word', text: raw.slice(at, wordEnd) }
        at = wordEnd
        continue
      }
      yield { kind: kinds[mark], text: mark === '"' ? text.replaceAll(/\\(.)/gs, '$1') : text }
      at = end + 1
    } else if (mark === ',' || mark === ';') {
      yield { kind: 'separator', text: mark }
      at++
    } else if (mark === ':') {
      yield { kind: 'group', text: mark }
      at++
    } else if (/\s/.test(mark) || isOpening(mark)) at++
    else {
      const end = endOfWord(raw, at)
      yield { kind: 'word', text: raw.slice(at, end) }
      at = end
    }
  }
  yield { kind: 'separator', text: '' }
}

const kinds = { '"': 'quoted', '<': 'angle', '(': 'comment' } as const

const isOpening = (mark: string): mark is keyof typeof kinds => mark in kinds

function endOf(raw: string, from: number, mark: string): number {
  let at = from
  while (at < raw.length && raw[at] !== mark) at += raw[at] === '\\' ? 2 : 1
  return Math.min(at, raw.length)
}

function endOfComment(raw: string, from: number): number {
  let [at, depth] = [from, 0]
  while (at < raw.length) {
    if (raw[at] === '(') depth++
    if (raw[at] === ')') depth--
    if (depth === 0) return at
    at += raw[at] === '\\' ? 2 : 1
  }
  return at
}

function endOfWord(raw: string, from: number): number {
  let at = from
  while (at < raw.length && !/[\s,;:<("]/.test(raw[at] ?? '')) at++
  return at
}

function mailboxFrom({ angle, words, bare, comments }: Item, torn: string): Mailbox | undefined {
  const written = angle ?? bare.find((word) => word.includes('@'))
  const email = angle?.trim() === '' ? '' : written && emailFrom(written)
  if (email === undefined || (email === '' && words.length === 0)) return undefined
  const own = (angle === undefined ? words.filter((word) => word !== written) : words).join(' ')
  const name = own === '' ? (comments.at(-1) ?? '') : torn === '' ? own : `${torn}, ${own}`
  return { email, name: tidy(decodeWords(name)) }
}

/**
 * Returns undefined for text that cannot be an address. Quoted local parts and hosts without a dot stay as they are.
 */
function emailFrom(written: string): string | undefined {
  const spec = written
    .replace(/^.*:(?=[^:]*$)/s, '')
    .replace(/^[\s<]+/, '')
    .replaceAll(written.includes('"') ? /^\s+|\s+$/g : /\s+/g, '')
  if (spec.length > MAX_LENGTH || !/^.+@[^@]+$/s.test(spec)) return undefined
  const parsed = parseAddress(spec)
  if (parsed.ok) return parsed.value.email
  const domain = domainOf(spec)
  return `${spec.slice(0, -domain.length)}${domain.toLowerCase()}`.toWellFormed()
}

const MAX_LENGTH = 320

const tidy = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .toWellFormed()
