import { placeAt, together } from './html-place.ts'
import { advance, beginning, endAttribute, type Spot } from './html-context.ts'
import type { Problems } from './problems.ts'
import type { Body, Branch, Case, For, If, Node, Output, Position } from './syntax.ts'

/**
 * Finds out where in the HTML each output stands, once, when the template is parsed. Whatever way a render takes, an
 * output must always stand at the same spot, so the branches of a condition have to end where they all can go on, a
 * loop where it began, and a captured piece outside of any tag.
 *
 * Outputs inside of scripts, event handlers and names are refused: no escaping makes them safe, and no mail client
 * runs them. Inside of styles they can only be plain values, inside of comments harmless text. The filter `raw` goes
 * out as it is, everywhere.
 */
export function placeOutputs(body: Body, problems: Problems): Body {
  return new Placing(problems).walk(body, beginning).body
}

/** Something with its outputs placed, and the spot after it: null when it is never reached, because of a break. */
interface Walked<T> {
  readonly it: T
  readonly spot: Spot | null
}

class Placing {
  readonly #problems: Problems
  /** For every loop that is being walked, the spots where a break or continue leaves its body. */
  readonly #exits: Spot[][] = []

  constructor(problems: Problems) {
    this.#problems = problems
  }

  walk(body: Body, from: Readonly<Spot>): { body: Body; spot: Spot | null } {
    const placed: Node[] = []
    let spot: Spot | null = { ...from }
    for (const [index, node] of body.entries()) {
      const walked: Walked<Node> = this.#node(node, spot ?? { ...from }, followedBy(body[index + 1]))
      placed.push(walked.it)
      spot = walked.spot
    }
    return { body: placed, spot }
  }

  #node(node: Node, spot: Spot, next: string): Walked<Node> {
    switch (node.kind) {
      case 'text':
        return { it: node, spot: advance(spot, node.text) }
      case 'output':
        return this.#output(node, spot, next)
      case 'assign':
        return { it: node, spot }
      case 'capture':
        return { it: { ...node, body: this.#captured(node.body, node.at) }, spot }
      case 'if':
        return this.#if(node, spot)
      case 'case':
        return this.#case(node, spot)
      case 'for':
        return this.#for(node, spot)
      case 'break':
      case 'continue':
        this.#exits.at(-1)?.push(spot)
        return { it: node, spot: null }
    }
  }

  #output(node: Output, spot: Spot, next: string): Walked<Node> {
    if (node.value.filters.at(-1)?.name === 'raw') return { it: node, spot }
    const place = placeAt(spot, next)
    if (typeof place === 'string') {
      this.#problems.add(place, node.at)
      return { it: node, spot }
    }
    const after: Spot = { ...spot, tail: '', link: spot.link === 'first' ? 'open' : spot.link }
    if (place.quotes) endAttribute(after)
    return { it: { ...node, place }, spot: after }
  }

  #captured(body: Body, at: Position): Body {
    const walked = this.walk(body, beginning)
    if (walked.spot !== null && (walked.spot.mode !== 'text' || walked.spot.conditional)) {
      this.#problems.add('what is captured must not end inside of an HTML tag or comment', at)
    }
    return walked.body
  }

  #if(node: If, spot: Spot): Walked<Node> {
    const walked = node.branches.map((branch) => ({ branch, ...this.walk(branch.body, spot) }))
    const branches = walked.map(({ branch, body }): Branch => ({ ...branch, body }))
    const skipped = node.branches.at(-1)?.when === null ? [] : [spot]
    return { it: { ...node, branches }, spot: this.#joined([...walked.map((end) => end.spot), ...skipped], node.at) }
  }

  /** Several branches may be rendered one after the other, so each has to end where it began. */
  #case(node: Case, spot: Spot): Walked<Node> {
    const walked = node.branches.map((branch) => ({ branch, ...this.walk(branch.body, notFirst(spot)) }))
    const otherwise = this.walk(node.otherwise, spot)
    const branches = walked.map(({ branch, body }) => ({ ...branch, body }))
    const ends = [spot, otherwise.spot, ...walked.map((end) => end.spot)]
    return { it: { ...node, branches, otherwise: otherwise.body }, spot: this.#joined(ends, node.at) }
  }

  #for(node: For, spot: Spot): Walked<Node> {
    this.#exits.push([])
    const body = this.walk(node.body, notFirst(spot))
    const exits = this.#exits.pop() ?? []
    const otherwise = this.walk(node.otherwise, spot)
    const ends = [spot, body.spot, otherwise.spot, ...exits]
    return { it: { ...node, body: body.body, otherwise: otherwise.body }, spot: this.#joined(ends, node.at) }
  }

  #joined(ends: readonly (Spot | null)[], at: Position): Spot | null {
    const reached = ends.filter((end) => end !== null)
    let joined = reached[0] ?? null
    for (const end of reached.slice(1)) {
      const both = joined === null ? undefined : together(joined, end)
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
const notFirst = (spot: Spot): Spot =>
  spot.mode === 'value' && spot.link === 'first' ? { ...spot, link: 'open' } : spot

/** The first character after an output; a brace stands for anything that is not known yet. */
const followedBy = (node: Node | undefined): string => (node?.kind === 'text' ? (node.text[0] ?? '{') : '{')
