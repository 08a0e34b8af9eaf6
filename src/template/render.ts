import { Budget, defaultLimits, Runaway, type Limits } from './budget.ts'
import { equals } from './compare.ts'
import { escapeFor, escapeHtml, headerText, priceOf } from './escape.ts'
import { evaluate, filtered, holds, Scope, type Loop, type Variables } from './evaluate.ts'
import type { FilterContext } from './filters/filter.ts'
import type { Body, Branch, Case, For, If, Jump, Node, Output, Place, Position, Problem, Template } from './syntax.ts'
import { isObject, isTruthy, Markup, numberOf, textOf } from './values.ts'

export type Rendered =
  | { readonly ok: true; readonly output: string }
  /** The template wanted more steps or characters than it may have. */
  | { readonly ok: false; readonly problem: Problem; readonly limit: keyof Limits }

export interface RenderOptions {
  readonly limits?: Partial<Limits>
  /** Steps that several renders may take together: what this one takes is gone for the next. */
  readonly shared?: { steps: number } | undefined
  /** `"now" | date` shows this time, in milliseconds since the epoch. */
  readonly now?: () => number
}

/** Fills a template with values. Nothing in a template or a value makes this throw, wait, or take long. */
export function render(template: Template, variables: Variables, options: RenderOptions = {}): Rendered {
  const rendering = new Rendering(template, variables, options)
  try {
    return { ok: true, output: rendering.run() }
  } catch (error) {
    if (!(error instanceof Runaway)) throw error
    return { ok: false, problem: { ...rendering.at, message: error.message }, limit: error.limit }
  } finally {
    if (options.shared !== undefined) options.shared.steps = rendering.stepsLeft
  }
}

/** A body ends at its end, or where it jumps out of the loop around it. */
type Ending = 'break' | 'continue' | undefined

class Rendering {
  readonly #template: Template
  readonly #around: FilterContext
  readonly #scope: Scope
  #out = ''
  /** The last characters of `#out`, at least: cutting them from the whole would copy all of it for every link. */
  #end = ''
  /** The tag or output that is being rendered. */
  at: Position = { line: 1, column: 1 }

  constructor(template: Template, variables: Variables, { limits, shared, now = Date.now }: RenderOptions) {
    this.#template = template
    this.#scope = new Scope(variables)
    const budget = new Budget({ ...defaultLimits, ...shared, ...limits })
    this.#around = { budget, now, html: template.context === 'html' }
  }

  get stepsLeft(): number {
    return this.#around.budget.left
  }

  run(): string {
    this.#body(this.#template.body)
    return this.#template.context === 'header' ? headerText(this.#out) : this.#out
  }

  #body(body: Body): Ending {
    for (const node of body) {
      const ending = this.#node(node)
      if (ending !== undefined) return ending
    }
    return undefined
  }

  #node(node: Node): Ending {
    if (node.kind === 'text') return void this.#write(node.text)
    if (isJump(node)) return node.kind
    this.at = node.at
    switch (node.kind) {
      case 'output':
        return void this.#output(node)
      case 'if':
        return this.#if(node)
      case 'for':
        return this.#for(node)
      case 'case':
        return this.#case(node)
      case 'assign':
        return void this.#scope.assign(node.name, filtered(node.value, this.#scope, this.#around))
      case 'capture':
        return this.#capture(node.name, node.body)
    }
  }

  #write(text: string): void {
    this.#around.budget.handle(text.length)
    this.#append(text)
  }

  #append(text: string): void {
    this.#out += text
    this.#end = text.length >= SEEN_BEFORE ? text : this.#end + text
    this.#around.budget.admit(this.#out.length)
  }

  #output({ value: expression, place }: Output): void {
    const value = filtered(expression, this.#scope, this.#around)
    const text = textOf(value, this.#around.budget)
    if (place === null) return this.#write(text)
    const isHtml = value instanceof Markup
    this.#around.budget.handle(text.length * priceOf(place))
    if (isPlain(place) && !isHtml) return this.#append(escapeHtml(text))
    this.#append(escapeFor(place, { text, isHtml, before: () => this.#sinceQuote() }))
  }

  /** Values are written without quotes, so the last one is the author's: it opened the attribute. */
  #sinceQuote(): string {
    this.#end = this.#end.slice(-SEEN_BEFORE)
    return this.#end.slice(Math.max(this.#end.lastIndexOf('"'), this.#end.lastIndexOf("'")) + 1)
  }

  #if({ branches }: If): Ending {
    const chosen = branches.find((branch) => this.#applies(branch))
    return chosen === undefined ? undefined : this.#body(chosen.body)
  }

  #applies({ when, negated }: Branch): boolean {
    return when === null || holds(when, this.#scope, this.#around) !== negated
  }

  #for(node: For): Ending {
    const all = this.#items(evaluate(node.list, this.#scope, this.#around))
    if (all.length === 0) return this.#body(node.otherwise)
    const items = this.#part(all, node)
    const loop: Loop = { name: node.name, outer: this.#scope.loop, item: undefined, forloop: {} }
    this.#scope.loop = loop
    for (const [index, item] of items.entries()) {
      this.#around.budget.spend(1)
      loop.item = item
      loop.forloop = progress(index, items.length)
      if (this.#body(node.body) === 'break') break
    }
    this.#scope.loop = loop.outer
    return undefined
  }

  /** An object is a list of pairs, a text a list of one. */
  #items(value: unknown): readonly unknown[] {
    if (Array.isArray(value)) return value
    if (value instanceof Markup || typeof value === 'string') return textOf(value, this.#around.budget) ? [value] : []
    if (!isObject(value)) return []
    const pairs = Object.entries(value)
    this.#around.budget.spend(pairs.length)
    return pairs
  }

  #part(items: readonly unknown[], { offset, limit, reversed }: For): readonly unknown[] {
    const [skipped, most] = [this.#count(offset), this.#count(limit)]
    if (skipped === undefined && most === undefined && !reversed) return items
    const part = items.slice(skipped).slice(0, most)
    this.#around.budget.handle(items.length)
    return reversed ? part.toReversed() : part
  }

  #count(operand: For['limit']): number | undefined {
    const value = operand === null ? undefined : evaluate(operand, this.#scope, this.#around)
    return isTruthy(value) ? numberOf(value, this.#around.budget) : undefined
  }

  #case({ subject, branches, otherwise }: Case): Ending {
    const value = evaluate(subject, this.#scope, this.#around)
    let found = false
    for (const { values, body } of branches) {
      if (!values.some((one) => equals(value, evaluate(one, this.#scope, this.#around), this.#around.budget))) continue
      found = true
      const ending = this.#body(body)
      if (ending !== undefined) return ending
    }
    return found ? undefined : this.#body(otherwise)
  }

  /** In HTML, what was captured has been escaped on its way in. */
  #capture(name: string, body: Body): Ending {
    this.#around.budget.spend(1)
    const [before, end] = [this.#out, this.#end]
    this.#out = this.#end = ''
    const ending = this.#body(body)
    this.#scope.assign(name, this.#around.html ? new Markup(this.#out) : this.#out)
    this.#out = before
    this.#end = end
    return ending
  }
}

const isJump = (node: Node): node is Jump => node.kind === 'break' || node.kind === 'continue'

const isPlain = ({ as, quotes, comment }: Place): boolean =>
  (as === 'text' || as === 'attribute') && !quotes && !comment

/** Characters before a link that are looked at, to see what it begins with. */
const SEEN_BEFORE = 100

const progress = (index: number, length: number) => ({
  index: index + 1,
  index0: index,
  rindex: length - index,
  rindex0: length - index - 1,
  first: index === 0,
  last: index === length - 1,
  length,
})
