import type { Cursor } from './cursor.ts'
import { signatureOf } from './filters/table.ts'
import type { Comparison, Condition, FilterCall, Filtered, Operand, Operator, Path } from './syntax.ts'

/** Far beyond what anyone writes; each read, filter and comparison costs a step, so none of them may be long. */
const MAX_PATH_LENGTH = 16
const MAX_BRACKETS_DEPTH = 4
const MAX_FILTERS = 20
const MAX_TERMS = 50

/** Reads `order.total | times: 1.19 | round: 2`. */
export function readFiltered(cursor: Cursor): Filtered {
  const operand = readOperand(cursor)
  const filters: FilterCall[] = []
  while (cursor.next === '|') {
    if (filters.length >= MAX_FILTERS) cursor.fail(`there are more than ${MAX_FILTERS} filters here`)
    cursor.take('|')
    filters.push(readFilter(cursor))
  }
  refuseOperator(cursor)
  return { operand, filters }
}

/** Reads `a == 1 and b contains "x"`. */
export function readCondition(cursor: Cursor): Condition {
  const terms = [readComparison(cursor)]
  const joints: ('and' | 'or')[] = []
  for (let joint = readJoint(cursor); joint !== undefined; joint = readJoint(cursor)) {
    if (terms.length >= MAX_TERMS) cursor.fail(`there are more than ${MAX_TERMS} comparisons here`)
    joints.push(joint)
    terms.push(readComparison(cursor))
  }
  if (cursor.next === '|') cursor.fail('a condition takes no filters: assign the filtered value to a name first')
  return { terms, joints }
}

export function readOperand(cursor: Cursor, depth = 0): Operand {
  const text = cursor.string()
  if (text !== undefined) return constant(text)
  const number = cursor.number()
  if (number !== undefined) return constant(number)
  if (cursor.next === '(') return readRange(cursor, depth)
  const start = cursor.offset
  const name = cursor.name('a value')
  const word = words.get(name)
  if (word === undefined) return readPath(cursor, name, depth)
  if (cursor.adjacent === '.' || cursor.adjacent === '[') cursor.fail(`${name} has no properties`, start)
  return word
}

const constant = (value: string | number | boolean | null): Operand => ({ kind: 'constant', value })

const words: ReadonlyMap<string, Operand> = new Map<string, Operand>([
  ['true', constant(true)],
  ['false', constant(false)],
  ['nil', constant(null)],
  ['null', constant(null)],
  ['empty', { kind: 'empty' }],
  ['blank', { kind: 'blank' }],
])

function readRange(cursor: Cursor, depth: number): Operand {
  cursor.take('(')
  if (cursor.next === '(') cursor.fail('a range does not begin with a range')
  const from = readOperand(cursor, depth)
  if (!cursor.take('..')) cursor.fail('round brackets are for ranges only, as in (1..5)')
  if (cursor.next === '(') cursor.fail('a range does not end with a range')
  const to = readOperand(cursor, depth)
  if (!cursor.take(')')) cursor.fail('the range is not closed by )')
  return { kind: 'range', from, to }
}

function readPath(cursor: Cursor, name: string, depth: number): Path {
  const steps: (string | number | Operand)[] = []
  for (;;) {
    if (steps.length > MAX_PATH_LENGTH) cursor.fail(`a path has at most ${MAX_PATH_LENGTH} steps`)
    if (cursor.adjacent === '[') steps.push(readBracket(cursor, depth))
    else if (cursor.adjacent === '.' && !cursor.source.startsWith('..', cursor.offset)) steps.push(readDot(cursor))
    else return { kind: 'path', name, steps }
  }
}

function readDot(cursor: Cursor): string {
  cursor.take('.')
  const property = cursor.word()
  if (property === '') cursor.fail('a property is expected after the dot')
  return property
}

function readBracket(cursor: Cursor, depth: number): string | number | Operand {
  if (depth >= MAX_BRACKETS_DEPTH) cursor.fail(`brackets can be nested ${MAX_BRACKETS_DEPTH} deep`)
  cursor.take('[')
  const key = readOperand(cursor, depth + 1)
  if (!cursor.take(']')) cursor.fail('the bracket is not closed by ]')
  if (key.kind !== 'constant') return key
  return typeof key.value === 'string' || typeof key.value === 'number' ? key.value : String(key.value)
}

function readFilter(cursor: Cursor): FilterCall {
  const start = cursor.offset
  const name = cursor.word()
  const signature = signatureOf(name)
  if (name === '') cursor.fail('the name of a filter is expected after |', start)
  if (signature === undefined) cursor.fail(`there is no filter ${name}`, start)
  const args: Operand[] = []
  let positional = 0
  if (cursor.take(':')) {
    do {
      const option = readOption(cursor, signature.options)
      if (option !== undefined) args[signature.most + option] = readOperand(cursor)
      else if (positional < signature.most) args[positional++] = readOperand(cursor)
      else cursor.fail(`${name} takes ${counted(signature.most)}`)
    } while (cursor.take(','))
  }
  if (positional < signature.least) cursor.fail(`${name} needs ${counted(signature.least)}`, start)
  return { name, args: Array.from(args, (arg) => arg ?? constant(null)) }
}

/** The place of a named argument (`allow_false: true`) among the filter's options. */
function readOption(cursor: Cursor, options: readonly string[]): number | undefined {
  const found = options.findIndex((option) => cursor.takeWord(option))
  if (found === -1) return undefined
  if (!cursor.take(':')) cursor.fail(`a colon is expected after ${options[found] ?? ''}`)
  return found
}

const counted = (count: number): string =>
  count === 0 ? 'no arguments' : count === 1 ? 'one argument' : `${count} arguments`

function readComparison(cursor: Cursor): Comparison {
  const left = readOperand(cursor)
  const operator = operators.find((known) => (known === 'contains' ? cursor.takeWord(known) : cursor.take(known)))
  return { left, operator: operator ?? null, right: operator === undefined ? null : readOperand(cursor) }
}

/** The longer ones come first: `<=` also begins with `<`. */
const operators: readonly Operator[] = ['==', '!=', '<=', '>=', '<', '>', 'contains']

function readJoint(cursor: Cursor): 'and' | 'or' | undefined {
  if (cursor.takeWord('and')) return 'and'
  return cursor.takeWord('or') ? 'or' : undefined
}

/** LiquidJS prints true and false here, Ruby's Liquid drops the rest: an error is better than either. */
function refuseOperator(cursor: Cursor): void {
  const start = cursor.offset
  const found = operators.find((known) => cursor.take(known)) ?? readJoint(cursor)
  if (found !== undefined) cursor.fail(`${found} belongs in an if, not into a value`, start)
}
