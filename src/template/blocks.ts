import type { Cursor } from './cursor.ts'
import { readCondition, readFiltered, readOperand } from './expression.ts'
import type { Problems } from './problems.ts'
import type { Branch, Case, Condition, Node, Operand, Position } from './syntax.ts'

/** A tag that encloses others, while it is open. */
export interface Block {
  readonly name: string
  readonly at: Position
  /** The nodes that follow are put here. */
  readonly into: Node[]
  /** Takes `else`, `elsif` or `when`; false where it does not belong. */
  readonly branch: (word: string, cursor: Cursor) => boolean
  readonly close: () => Node
}

type Open = (cursor: Cursor, at: Position, problems: Problems) => Block

/** The tags that open a block, by name; each is closed by `end` and that name. */
export const blocks: ReadonlyMap<string, Open> = new Map<string, Open>([
  ['if', (cursor, at, problems) => openIf('if', cursor, at, problems)],
  ['unless', (cursor, at, problems) => openIf('unless', cursor, at, problems)],
  ['for', openFor],
  ['case', openCase],
  ['capture', openCapture],
])

/** Heads are read to their end. One that cannot be read leaves its block open all the same, so that its end fits. */
const whole = <T>(cursor: Cursor, problems: Problems, read: () => T): T | undefined =>
  problems.noting(() => {
    const value = read()
    cursor.finish()
    return value
  })

function openIf(name: 'if' | 'unless', cursor: Cursor, at: Position, problems: Problems): Block {
  const condition = (from: Cursor): Condition =>
    whole(from, problems, () => readCondition(from)) ?? { terms: [], joints: [] }
  const branches: (Branch & { body: Node[] })[] = [{ when: condition(cursor), negated: name === 'unless', body: [] }]
  return {
    name,
    at,
    get into() {
      return branches.at(-1)?.body ?? []
    },
    branch(word, head) {
      if (word !== 'elsif' && word !== 'else') return false
      if (branches.at(-1)?.when === null) head.fail(`${word} comes after else`)
      if (word === 'else') finishElse(head)
      branches.push({ when: word === 'else' ? null : condition(head), negated: false, body: [] })
      return true
    },
    close: () => ({ kind: 'if', at, branches }),
  }
}

function finishElse(cursor: Cursor): void {
  if (cursor.next === 'i') cursor.fail('else takes no condition: write elsif')
  cursor.finish()
}

function openFor(cursor: Cursor, at: Position, problems: Problems): Block {
  const head = whole(cursor, problems, () => readLoop(cursor)) ?? noLoop
  const body: Node[] = []
  let otherwise: Node[] | undefined
  return {
    name: 'for',
    at,
    get into() {
      return otherwise ?? body
    },
    branch(word, from) {
      if (word !== 'else') return false
      if (otherwise !== undefined) from.fail('there is an else already')
      finishElse(from)
      otherwise = []
      return true
    },
    close: () => ({ kind: 'for', at, ...head, body, otherwise: otherwise ?? [] }),
  }
}

interface Loop {
  name: string
  list: Operand
  offset: Operand | null
  limit: Operand | null
  reversed: boolean
}

const noLoop: Loop = { name: '', list: { kind: 'empty' }, offset: null, limit: null, reversed: false }

/** `item in order.items reversed limit: 3 offset: 1`, with commas or without, in any order. */
function readLoop(cursor: Cursor): Loop {
  const loop = { ...noLoop, name: cursor.name('the name of an item') }
  if (!cursor.takeWord('in')) cursor.fail('in is expected here, as in {% for item in items %}')
  loop.list = readOperand(cursor)
  while (!cursor.done) {
    cursor.take(',')
    if (cursor.takeWord('reversed')) loop.reversed = true
    else if (cursor.takeWord('limit')) loop.limit = readLimit(cursor)
    else if (cursor.takeWord('offset')) loop.offset = readLimit(cursor)
    else cursor.fail('only limit, offset and reversed can follow here')
  }
  return loop
}

function readLimit(cursor: Cursor): Operand {
  if (!cursor.take(':')) cursor.fail('a colon is expected here')
  if (cursor.takeWord('continue')) cursor.fail('a loop cannot go on where another one stopped')
  return readOperand(cursor)
}

function openCase(cursor: Cursor, at: Position, problems: Problems): Block {
  const subject = whole(cursor, problems, () => readOperand(cursor)) ?? noLoop.list
  const before: Node[] = []
  const branches: { values: readonly Operand[]; body: Node[] }[] = []
  let otherwise: Node[] | undefined
  return {
    name: 'case',
    at,
    get into() {
      return otherwise ?? branches.at(-1)?.body ?? before
    },
    branch(word, head) {
      if (word !== 'when' && word !== 'else') return false
      if (otherwise !== undefined) head.fail(`${word} comes after else`)
      if (word === 'when') branches.push({ values: whole(head, problems, () => readValues(head)) ?? [], body: [] })
      else otherwise = (finishElse(head), [])
      return true
    },
    close(): Case {
      if (before.some(isVisible)) problems.add('there is something between this case and its first when', at)
      return { kind: 'case', at, subject, branches, otherwise: otherwise ?? [] }
    },
  }
}

const isVisible = (node: Node): boolean => node.kind !== 'text' || node.text.trim() !== ''

/** Reads `1, 2 or 3`. */
function readValues(cursor: Cursor): readonly Operand[] {
  const values = [readOperand(cursor)]
  while (cursor.take(',') || cursor.takeWord('or')) values.push(readOperand(cursor))
  return values
}

function openCapture(cursor: Cursor, at: Position, problems: Problems): Block {
  const name = whole(cursor, problems, () => cursor.string() ?? cursor.name('a name')) ?? ''
  const body: Node[] = []
  return { name: 'capture', at, into: body, branch: () => false, close: () => ({ kind: 'capture', at, name, body }) }
}

/** Reads `total = order.total | round: 2`. */
export function readAssign(cursor: Cursor, at: Position): Node {
  const name = cursor.name('a name')
  if (!cursor.take('=')) cursor.fail('= is expected here, as in {% assign name = value %}')
  return { kind: 'assign', at, name, value: readFiltered(cursor) }
}
