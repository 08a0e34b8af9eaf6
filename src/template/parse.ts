import { blocks, readAssign, type Block } from './blocks.ts'
import { Cursor } from './cursor.ts'
import { readFiltered } from './expression.ts'
import { placeOutputs } from './place-outputs.ts'
import { Problems } from './problems.ts'
import { scan, type Piece } from './scan.ts'
import type { Context, Node, Position, Problem, Template } from './syntax.ts'

export type Parsed =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** A source may have this many characters. Every mail program clips a message of this size. */
export const MAX_SOURCE_LENGTH = 1024 * 1024

/** Blocks in blocks. Parsing needs no stack for them, rendering does. */
const MAX_NESTING = 64

/**
 * The language is a subset of Liquid: outputs with filters, `if`, `unless`, `case`, `for`, `assign`, `capture`,
 * `comment` and `raw`. What it does not know is a problem, never silence, and all problems are found in one go.
 */
export function parseTemplate(source: string, context: Context): Parsed {
  const problems = new Problems(source.length > MAX_SOURCE_LENGTH ? '' : source)
  if (source.length > MAX_SOURCE_LENGTH) {
    problems.add(`the template is longer than ${MAX_SOURCE_LENGTH} characters`, 0)
    return { ok: false, problems: problems.found }
  }
  const { body, balanced } = new Parser(source, problems).parse(scan(source, problems))
  const placed = context === 'html' && balanced ? placeOutputs(body, problems) : body
  if (problems.found.length > 0) return { ok: false, problems: problems.found }
  return { ok: true, template: { context, body: placed } }
}

class Parser {
  readonly #source: string
  readonly #problems: Problems
  readonly #body: Node[] = []
  /** The outermost block comes first. */
  readonly #open: Block[] = []
  #balanced = true

  constructor(source: string, problems: Problems) {
    this.#source = source
    this.#problems = problems
  }

  parse(pieces: readonly Piece[]): { body: readonly Node[]; balanced: boolean } {
    for (const piece of pieces) {
      if (this.#problems.full || this.#open.length > MAX_NESTING) break
      if (piece.kind === 'text') this.#add({ kind: 'text', text: piece.text })
      else
        this.#problems.noting(() => this.#read(piece.kind, piece.start, new Cursor(this.#source, piece.from, piece.to)))
    }
    for (const block of this.#open.toReversed()) {
      const tooDeep = this.#open.length > MAX_NESTING
      this.#unbalanced(tooDeep ? `tags are nested more than ${MAX_NESTING} deep` : unclosed(block.name), block.at)
      if (tooDeep) break
    }
    return { body: this.#body, balanced: this.#balanced }
  }

  /** Neighbouring texts become one, so that a render writes them at once. */
  #add(node: Node): void {
    const into = this.#open.at(-1)?.into ?? this.#body
    const last = into.at(-1)
    if (node.kind === 'text' && last?.kind === 'text') into[into.length - 1] = { ...last, text: last.text + node.text }
    else into.push(node)
  }

  #read(kind: 'output' | 'tag', start: number, cursor: Cursor): void {
    if (kind === 'tag') return this.#tag(start, cursor)
    const value = readFiltered(cursor)
    cursor.finish()
    this.#add({ kind: 'output', at: this.#problems.positionOf(start), value, place: null })
  }

  #tag(start: number, cursor: Cursor): void {
    if (cursor.next === '#') return
    const at = this.#problems.positionOf(start)
    const name = cursor.word()
    const open = blocks.get(name)
    if (open !== undefined) this.#open.push(open(cursor, at, this.#problems))
    else if (name.startsWith('end') && blocks.has(name.slice(3))) this.#close(name.slice(3), start, cursor)
    else if (name === 'else' || name === 'elsif' || name === 'when') this.#branch(name, start, cursor)
    else {
      this.#add(this.#single(name, start, cursor))
      cursor.finish()
    }
  }

  #close(name: string, start: number, cursor: Cursor): void {
    const block = this.#open.at(-1)
    if (block?.name === name) {
      this.#open.pop()
      this.#add(block.close())
      return cursor.finish()
    }
    const hint = block === undefined ? 'nothing is open' : `${block.name} of line ${block.at.line} is still open`
    this.#unbalanced(`end${name} does not fit here: ${hint}`, this.#problems.positionOf(start))
    // An author who forgot an end inside this block is told once, not at every end that follows.
    const index = this.#open.findLastIndex((open) => open.name === name)
    if (index !== -1) this.#open.splice(index)
  }

  #branch(name: string, start: number, cursor: Cursor): void {
    if (this.#open.at(-1)?.branch(name, cursor) === true) return
    const owner = name === 'when' ? 'a case' : name === 'elsif' ? 'an if' : 'an if, a case or a for'
    cursor.fail(`${name} belongs in ${owner}`, start)
  }

  #single(name: string, start: number, cursor: Cursor): Node {
    if (name === 'assign') return readAssign(cursor, this.#problems.positionOf(start))
    if (name !== 'break' && name !== 'continue') {
      cursor.fail(name === '' ? 'the name of a tag is expected here' : `there is no tag ${name}`, start)
    }
    if (!this.#open.some((block) => block.name === 'for')) cursor.fail(`${name} belongs in a for`, start)
    return { kind: name }
  }

  #unbalanced(message: string, at: Position): void {
    this.#balanced = false
    this.#problems.add(message, at)
  }
}

const unclosed = (name: string): string => `this ${name} is never closed by {% end${name} %}`
