import { placeAt, joinContexts } from './html-place.ts'
import { advance, initialContext, endAttribute, type HtmlContext } from './html-context.ts'
import type { Problems } from './problems.ts'
import type { Body, Branch, Case, For, If, Node, Output, Position } from './syntax.ts'

/**
 * Finds the HTML context of each output, once, when the template is parsed. An output must have the same context on
 * every path of a render, so the branches of a condition have to end in contexts that can be joined, a loop where it
 * began, and a captured piece outside of any tag.
 *
 * Outputs inside of scripts, event handlers and names are refused: no escaping makes them safe, and no mail client runs
 * them. Inside of styles they can only be plain values, inside of comments harmless text. The filter `raw` is never
 * escaped.
 */
export function placeOutputs(body: Body, problems: Problems): Body {
  return new Placing(problems).walk(body, initialContext).body
}

/**
 * Walked is a node with its outputs placed, and the context after it: null when that is never reached, because of a
 * break.
 */
interface Walked<T> {
  readonly it: T
  readonly context: HtmlContext | null
}

class Placing {
  readonly #problems: Problems
  /** For every loop that is being walked, the spots where a break or continue leaves its body. */
  readonly #exits: HtmlContext[][] = []

  constructor(problems: Problems) {
    this.#problems = problems
  }

  walk(body: Body, from: Readonly<HtmlContext>): { body: Body; context: HtmlContext | null } {
    const placed: Node[] = []
    let context: HtmlContext | null = { ...from }
    for (const [index, node] of body.entries()) {
      const walked: Walked<Node> = this.#node(node, context ?? { ...from }, followedBy(body[index + 1]))
      placed.push(walked.it)
      context = walked.context
    }
    return { body: placed, context }
  }

  #node(node: Node, context: HtmlContext, next: string): Walked<Node> {
    switch (node.kind) {
      case 'text':
        return { it: node, context: advance(context, node.text) }
      case 'output':
        return this.#output(node, context, next)
      case 'assign':
        return { it: node, context }
      case 'capture':
        return { it: { ...node, body: this.#captured(node.body, node.at) }, context }
      case 'if':
        return this.#if(node, context)
      case 'case':
        return this.#case(node, context)
      case 'for':
        return this.#for(node, context)
      case 'break':
      case 'continue':
        this.#exits.at(-1)?.push(context)
        return { it: node, context: null }
    }
  }

  #output(node: Output, context: HtmlContext, next: string): Walked<Node> {
    if (node.value.filters.at(-1)?.name === 'raw') return { it: node, context }
    const place = placeAt(context, next)
    if (typeof place === 'string') {
      this.#problems.add(place, node.at)
      return { it: node, context }
    }
    const after: HtmlContext = { ...context, tail: '', link: context.link === 'first' ? 'open' : context.link }
    if (place.quotes) endAttribute(after)
    return { it: { ...node, place }, context: after }
  }

  #captured(body: Body, at: Position): Body {
    const walked = this.walk(body, initialContext)
    if (walked.context !== null && (walked.context.mode !== 'text' || walked.context.conditional)) {
      this.#problems.add('what is captured must not end inside of an HTML tag or comment', at)
    }
    return walked.body
  }

  #if(node: If, context: HtmlContext): Walked<Node> {
    const walked = node.branches.map((branch) => ({ branch, ...this.walk(branch.body, context) }))
    const branches = walked.map(({ branch, body }): Branch => ({ ...branch, body }))
    const skipped = node.branches.at(-1)?.when === null ? [] : [context]
    return {
      it: { ...node, branches },
      context: this.#joined([...walked.map((end) => end.context), ...skipped], node.at),
    }
  }

  /** Several branches may be rendered one after the other, so each has to end where it began. */
  #case(node: Case, context: HtmlContext): Walked<Node> {
    const walked = node.branches.map((branch) => ({ branch, ...this.walk(branch.body, notFirst(context)) }))
    const otherwise = this.walk(node.otherwise, context)
    const branches = walked.map(({ branch, body }) => ({ ...branch, body }))
    const ends = [context, otherwise.context, ...walked.map((end) => end.context)]
    return { it: { ...node, branches, otherwise: otherwise.body }, context: this.#joined(ends, node.at) }
  }

  #for(node: For, context: HtmlContext): Walked<Node> {
    this.#exits.push([])
    const body = this.walk(node.body, notFirst(context))
    const exits = this.#exits.pop() ?? []
    const otherwise = this.walk(node.otherwise, context)
    const ends = [context, body.context, otherwise.context, ...exits]
    return { it: { ...node, body: body.body, otherwise: otherwise.body }, context: this.#joined(ends, node.at) }
  }

  #joined(ends: readonly (HtmlContext | null)[], at: Position): HtmlContext | null {
    const reached = ends.filter((end) => end !== null)
    let joined = reached[0] ?? null
    for (const end of reached.slice(1)) {
      const both = joined === null ? undefined : joinContexts(joined, end)
      if (both === undefined) {
        this.#problems.add('the ways through this tag end at different places in the HTML, one inside of a tag', at)
        break
      }
      joined = both
    }
    return joined
  }
}

/** From the second round of a loop on, what the first one wrote stands before: an address may have begun. */
const notFirst = (context: HtmlContext): HtmlContext =>
  context.mode === 'value' && context.link === 'first' ? { ...context, link: 'open' } : context

/** Returns the first character after an output; a brace stands for one that is not known yet. */
const followedBy = (node: Node | undefined): string => (node?.kind === 'text' ? (node.text[0] ?? '{') : '{')
