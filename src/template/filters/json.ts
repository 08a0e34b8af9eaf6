import { isObject, Markup } from '../values.ts'
import { takes, type Signature, type FilterContext } from './filter.ts'

/** JSON itself allows more; the API does not take anything deeper than this. */
const MAX_DEPTH = 20

/** Quoting costs this many times a plain walk: half a surrogate pair becomes six characters. */
const QUOTED = 2

/**
 * Written by hand because JSON.stringify cannot be stopped: a list that names the same large object a thousand times
 * is small to hold and enormous to print.
 */
export const jsonFilter: Signature = takes(0, 0, (input, _, around) => written(input, around, 0))

function written(value: unknown, around: FilterContext, depth: number): string {
  around.budget.spend(1)
  if (value instanceof Markup) return quoted(value.html, around)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'null' : quoted(value.toISOString(), around)
  if (typeof value === 'string') return quoted(value, around)
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value)
  if (depth >= MAX_DEPTH) return 'null'
  if (Array.isArray(value)) return list(value, around, depth + 1)
  return isObject(value) ? object(value, around, depth + 1) : 'null'
}

function quoted(text: string, { budget }: FilterContext): string {
  budget.handle(text.length * QUOTED)
  return JSON.stringify(text)
}

function list(items: readonly unknown[], around: FilterContext, depth: number): string {
  let text = ''
  for (const item of items) {
    text += `${text === '' ? '' : ','}${written(item, around, depth)}`
    around.budget.admit(text.length)
  }
  return `[${text}]`
}

function object(members: Readonly<Record<string, unknown>>, around: FilterContext, depth: number): string {
  let text = ''
  for (const name of Object.keys(members)) {
    const member = members[name]
    if (member === undefined || typeof member === 'function') continue
    text += `${text === '' ? '' : ','}${quoted(name, around)}:${written(member, around, depth)}`
    around.budget.admit(text.length)
  }
  return `{${text}}`
}
