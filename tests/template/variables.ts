import type { Body, Branch, Case, Condition, Filtered, For, Operand, Template } from '../../src/template/syntax.ts'

/**
 * What a template reads from outside, as paths: `firstName`, `order.items`. Names that a loop or an assignment gave
 * are left out, except where they may not have been given yet; for what `item` is in `for item in order.items`, the
 * list stands. A path ends before anything that is not a fixed name.
 */
export function variablesOf(template: Template): string[] {
  const found = new Set<string>()
  walk(template.body, { names: new Set(), around: null }, found)
  return [...found].toSorted()
}

/** Names that are certainly the template's own at this point: of this branch, and of what is around it. */
interface Own {
  readonly names: Set<string>
  readonly around: Own | null
}

const inside = (around: Own, ...names: string[]): Own => ({ names: new Set(names), around })

function isOwn(name: string, own: Own): boolean {
  for (let at: Own | null = own; at !== null; at = at.around) if (at.names.has(name)) return true
  return false
}

/** Adds what is certainly own afterwards. */
function walk(body: Body, own: Own, found: Set<string>): Own {
  for (const node of body) {
    if (node.kind === 'output' || node.kind === 'assign') readFiltered(node.value, own, found)
    if (node.kind === 'capture') walk(node.body, own, found)
    if (node.kind === 'assign' || node.kind === 'capture') own.names.add(node.name)
    if (node.kind === 'if') walkIf(node.branches, own, found)
    if (node.kind === 'for') walkFor(node, own, found)
    if (node.kind === 'case') walkCase(node, own, found)
  }
  return own
}

/** A name that every branch sets is the template's own, if one of them is certain to be taken. */
function walkIf(branches: readonly Branch[], own: Own, found: Set<string>): void {
  for (const { when } of branches) if (when !== null) readCondition(when, own, found)
  const [first, ...others] = branches.map(({ body }) => walk(body, inside(own), found).names)
  if (first === undefined || branches.at(-1)?.when !== null) return
  for (const name of first) if (others.every((names) => names.has(name))) own.names.add(name)
}

function walkFor(node: For, own: Own, found: Set<string>): void {
  for (const operand of [node.list, node.offset, node.limit]) if (operand !== null) read(operand, own, found)
  walk(node.body, inside(own, node.name, 'forloop'), found)
  walk(node.otherwise, inside(own), found)
}

function walkCase(node: Case, own: Own, found: Set<string>): void {
  read(node.subject, own, found)
  for (const { values, body } of node.branches) {
    for (const value of values) read(value, own, found)
    walk(body, inside(own), found)
  }
  walk(node.otherwise, inside(own), found)
}

function readCondition({ terms }: Condition, own: Own, found: Set<string>): void {
  for (const { left, right } of terms) {
    read(left, own, found)
    if (right !== null) read(right, own, found)
  }
}

function readFiltered({ operand, filters }: Filtered, own: Own, found: Set<string>): void {
  read(operand, own, found)
  for (const { args } of filters) for (const arg of args) read(arg, own, found)
}

function read(operand: Operand, own: Own, found: Set<string>): void {
  if (operand.kind === 'range') {
    read(operand.from, own, found)
    read(operand.to, own, found)
  }
  if (operand.kind !== 'path') return
  for (const step of operand.steps) if (typeof step === 'object') read(step, own, found)
  if (isOwn(operand.name, own)) return
  const end = operand.steps.findIndex((step) => typeof step !== 'string' || ofLists.has(step))
  const fixed = end === -1 ? operand.steps : operand.steps.slice(0, end)
  found.add([operand.name, ...fixed].join('.'))
}

/** Say something about a list or a text, and are no properties of their own. */
const ofLists: ReadonlySet<string | number | Operand> = new Set(['size', 'length', 'first', 'last'])
