import type { Budget } from './budget.ts'

/**
 * Values come from a tenant's JSON and from the template itself. Only what JSON knows, and dates, has a meaning here;
 * everything else is as good as missing. Properties are read if they are the object's own, so there is no way to a
 * prototype, a constructor or a function.
 */

/** Text that is HTML already: what `capture` collected and `escape` made. Exists only while HTML is rendered. */
export class Markup {
  readonly html: string

  constructor(html: string) {
    this.html = html
  }
}

/** The words `empty` and `blank` have these values. As text they are ''. */
export const EMPTY = Symbol('empty')
export const BLANK = Symbol('blank')

/** Lists inside of lists have a text, but not without end. */
const MAX_LIST_DEPTH = 20

export function textOf(value: unknown, budget: Budget, depth = 0): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
      return Number.isFinite(value) ? String(value) : ''
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value instanceof Markup) return value.html
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString()
      return Array.isArray(value) && depth < MAX_LIST_DEPTH ? joined(value, '', budget, depth + 1) : ''
    default:
      return ''
  }
}

export function joined(list: readonly unknown[], separator: string, budget: Budget, depth = 1): string {
  let text = ''
  for (const [index, item] of list.entries()) {
    const part = textOf(item, budget, depth)
    text += index === 0 ? part : separator + part
    budget.handle(part.length + separator.length)
    budget.admit(text.length)
  }
  return text
}

/** Unlike in JavaScript, zero and the empty string are true. */
export const isTruthy = (value: unknown): boolean => value !== false && value !== undefined && value !== null

export function numberOf(value: unknown, budget: Budget): number {
  if (typeof value === 'number') return Number.isNaN(value) ? 0 : value
  if (typeof value === 'string') return readNumber(value, budget) || 0
  if (value instanceof Markup) return readNumber(value.html, budget) || 0
  return value === true ? 1 : 0
}

/** NaN for what is no number. A text of a million digits is read to its end. */
export function readNumber(text: string, budget: Budget): number {
  budget.handle(text.length)
  return Number(text)
}

/** Filters on lists read nil as the empty list, and any other value as a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null || typeof value === 'symbol' ? [] : [value]
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

export function sizeOf(value: unknown, budget: Budget): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  if (value instanceof Markup) return value.html.length
  if (!isObject(value)) return 0
  const { length } = Object.keys(value)
  budget.spend(length)
  return length
}

export function propertyOf(value: unknown, key: string | number, budget: Budget): unknown {
  if (Array.isArray(value)) return elementOf(value, key)
  if (typeof value === 'string' || value instanceof Markup) {
    return key === 'size' || key === 'length' ? sizeOf(value, budget) : undefined
  }
  if (!isObject(value)) return undefined
  if (!Object.hasOwn(value, key)) return key === 'size' ? sizeOf(value, budget) : undefined
  return known(value[key])
}

function elementOf(list: readonly unknown[], key: string | number): unknown {
  if (typeof key === 'number') return Number.isInteger(key) ? known(list.at(key)) : undefined
  if (key === 'size' || key === 'length') return list.length
  if (key === 'first') return known(list[0])
  if (key === 'last') return known(list.at(-1))
  return /^\d{1,9}$/.test(key) ? known(list[Number(key)]) : undefined
}

const known = (value: unknown): unknown =>
  typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint' ? undefined : value

/** `customer.address.city`, as the filters `map`, `where` and `sort` take it, in its parts. */
export const pathOf = (text: string): readonly string[] => text.split('.', 16)

export function propertyAt(value: unknown, path: readonly string[], budget: Budget): unknown {
  let found = value
  for (const key of path) {
    budget.spend(1)
    found = propertyOf(found, key, budget)
  }
  return found
}
