import { compare } from './compare.ts'
import { filterFor } from './filters/table.ts'
import type { FilterContext } from './filters/filter.ts'
import type { Comparison, Condition, Filtered, Operand, Path } from './syntax.ts'
import { BLANK, EMPTY, isTruthy, Markup, numberOf, propertyOf } from './values.ts'

export type Variables = Readonly<Record<string, unknown>>

/** The loop that is being rendered, and those around it. */
export interface Loop {
  readonly name: string
  readonly outer: Loop | undefined
  item: unknown
  forloop: Readonly<Record<string, number | boolean>>
}

/** Names: of the innermost loop first, then what was assigned, then what was passed in. */
export class Scope {
  readonly #variables: Variables
  readonly #assigned = new Map<string, unknown>()
  loop: Loop | undefined

  constructor(variables: Variables) {
    this.#variables = variables
  }

  assign(name: string, value: unknown): void {
    this.#assigned.set(name, value)
  }

  read(name: string): unknown {
    for (let { loop } = this; loop !== undefined; loop = loop.outer) {
      if (loop.name === name) return loop.item
      if (name === 'forloop') return loop.forloop
    }
    if (this.#assigned.size > 0 && this.#assigned.has(name)) return this.#assigned.get(name)
    return Object.hasOwn(this.#variables, name) ? this.#variables[name] : undefined
  }
}

export function filtered({ operand, filters }: Filtered, scope: Scope, around: FilterContext): unknown {
  let value = evaluate(operand, scope, around)
  for (const { name, args } of filters) {
    const given = args.length === 0 ? none : args.map((arg) => evaluate(arg, scope, around))
    around.budget.spend(1)
    value = filterFor(name)(value, given, around)
    if (typeof value === 'string') around.budget.admit(value.length)
    else if (value instanceof Markup) around.budget.admit(value.html.length)
  }
  return value
}

const none: readonly unknown[] = []

export function evaluate(operand: Operand, scope: Scope, around: FilterContext): unknown {
  around.budget.spend(1)
  switch (operand.kind) {
    case 'constant':
      return operand.value
    case 'path':
      return walked(operand, scope, around)
    case 'empty':
      return EMPTY
    case 'blank':
      return BLANK
    case 'range':
      return range(evaluate(operand.from, scope, around), evaluate(operand.to, scope, around), around)
  }
}

function walked({ name, steps }: Path, scope: Scope, around: FilterContext): unknown {
  let value = scope.read(name)
  for (const step of steps) {
    const key = typeof step === 'object' ? keyOf(evaluate(step, scope, around), around) : step
    value = key === undefined ? undefined : propertyOf(value, key, around.budget)
  }
  return value
}

function keyOf(value: unknown, { budget }: FilterContext): string | number | undefined {
  const key = value instanceof Markup ? value.html : value
  if (typeof key === 'string') budget.handle(key.length)
  return typeof key === 'string' || typeof key === 'number' ? key : undefined
}

/** Paid for before it is made. */
function range(from: unknown, to: unknown, { budget }: FilterContext): number[] {
  const [first, last] = [Math.trunc(numberOf(from, budget)), Math.trunc(numberOf(to, budget))]
  const length = Math.max(0, last - first + 1)
  budget.spend(length)
  return Array.from({ length }, (_, index) => first + index)
}

/** From the right, as Liquid has it: a and b or c is a and (b or c). */
export function holds({ terms, joints }: Condition, scope: Scope, around: FilterContext): boolean {
  let result = false
  for (let at = terms.length - 1; at >= 0; at--) {
    const term = terms[at]
    const holdsHere = term !== undefined && holdsAlone(term, scope, around)
    const joint = joints[at]
    if (joint === undefined) result = holdsHere
    else result = joint === 'and' ? holdsHere && result : holdsHere || result
  }
  return result
}

function holdsAlone({ left, operator, right }: Comparison, scope: Scope, around: FilterContext): boolean {
  const value = evaluate(left, scope, around)
  if (operator === null || right === null) return isTruthy(value)
  return compare(value, operator, evaluate(right, scope, around), around.budget)
}
