import type { Budget } from './budget.ts'
import { Search } from './search.ts'
import type { Operator } from './syntax.ts'
import { BLANK, EMPTY, isObject, Markup, readNumber, sizeOf, textOf } from './values.ts'

const MAX_LIST_DEPTH = 20

export function compare(left: unknown, operator: Operator, right: unknown, budget: Budget): boolean {
  switch (operator) {
    case '==':
      return equals(left, right, budget)
    case '!=':
      return !equals(left, right, budget)
    case 'contains':
      return contains(left, right, budget)
    default:
      return holds(operator, order(left, right, budget))
  }
}

/** A number and a text are never equal, as in Liquid. */
export function equals(left: unknown, right: unknown, budget: Budget, depth = 0): boolean {
  if (typeof left === 'symbol') return isNothing(right, left, budget)
  if (typeof right === 'symbol') return isNothing(left, right, budget)
  const [a, b] = [bare(left), bare(right)]
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length === b.length) budget.handle(a.length)
    return a === b
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length || depth >= MAX_LIST_DEPTH) return false
    budget.spend(a.length)
    return a.every((item, index) => equals(item, b[index], budget, depth + 1))
  }
  // Missing and nil are the same to the reader of a template.
  return a === b || ((a ?? null) === null && (b ?? null) === null)
}

function isNothing(value: unknown, which: symbol, budget: Budget): boolean {
  const content = bare(value)
  if (typeof content === 'string') {
    budget.handle(content.length)
    return which === EMPTY ? content === '' : content.trim() === ''
  }
  if (Array.isArray(content) || isObject(content)) return sizeOf(content, budget) === 0
  return which === BLANK && (content === false || content === undefined || content === null)
}

const bare = (value: unknown): unknown => {
  if (value instanceof Markup) return value.html
  return value instanceof Date ? value.getTime() : value
}

function contains(whole: unknown, part: unknown, budget: Budget): boolean {
  if (Array.isArray(whole)) {
    budget.spend(whole.length)
    return whole.some((item) => equals(item, part, budget))
  }
  const text = bare(whole)
  if (typeof text !== 'string' || part === undefined || part === null) return false
  const wanted = textOf(part, budget)
  budget.handle(text.length + wanted.length)
  return wanted === '' || new Search(wanted).next(text, 0) !== -1
}

/**
 * Numbers by size, texts by their characters, a number and a text as numbers if the text is one: properties of
 * contacts often arrive as text. Undefined when there is no order, and then no comparison holds.
 */
export function order(left: unknown, right: unknown, budget: Budget): number | undefined {
  const [a, b] = [bare(left), bare(right)]
  if (typeof a === 'string' && typeof b === 'string') {
    budget.handle(Math.min(a.length, b.length))
    return a < b ? -1 : a > b ? 1 : 0
  }
  const [x, y] = [measure(a, budget), measure(b, budget)]
  if (Number.isNaN(x) || Number.isNaN(y)) return undefined
  return x < y ? -1 : x > y ? 1 : 0
}

const measure = (value: unknown, budget: Budget): number => {
  if (typeof value === 'string') return readNumber(value, budget)
  return typeof value === 'number' ? value : Number.NaN
}

function holds(operator: Operator, order: number | undefined): boolean {
  if (order === undefined) return false
  if (order === 0) return operator === '<=' || operator === '>='
  return order < 0 ? operator === '<' || operator === '<=' : operator === '>' || operator === '>='
}
