import { defaultLimits, type Limits } from './budget.ts'
import type { Variables } from './evaluate.ts'
import { ParsedParts } from './parsed-parts.ts'
import { render } from './render.ts'
import type { Context, Problem, Template } from './syntax.ts'

/** The parts of a message that are written in the template language, in the order in which problems are listed. */
export const partNames = ['subject', 'html', 'text', 'preview'] as const
export type PartName = (typeof partNames)[number]
/** The sources of the parts, or what was made of them; '' where a message has none. */
export type MessageParts = Readonly<Record<PartName, string>>

export type PartProblem = Problem & { readonly part: PartName }

export type Filling =
  | { readonly kind: 'filled'; readonly parts: MessageParts }
  | { readonly kind: 'unreadable' | 'runaway'; readonly problems: readonly PartProblem[] }
  /** It takes more than was allowed; how much more is not known. */
  | { readonly kind: 'expensive' }

/** Limits for work that is done at once. Most messages need much less, and nothing within them takes long. */
export interface Allowance {
  /** All parts together may take this many steps. */
  readonly steps: number
  /** Each part may have this many characters. */
  readonly output: number
  /** Characters that have to be parsed, of all parts together. */
  readonly source: number
}

const contexts: Readonly<Record<PartName, Context>> = {
  subject: 'header',
  html: 'html',
  text: 'text',
  preview: 'header',
}

/** A subject or a preview may have this many characters once it is filled in. */
const MAX_LINE_LENGTH = 998

/** Parses the templates of messages and fills them in; keeps what it has parsed. */
export class MessageFiller {
  readonly #known: Readonly<Record<PartName, ParsedParts>>
  /**
   * Templates that were too dear for the main thread, each with the size of the variables at that time. With variables of
   * at least that size the template goes to a thread at once; another project's smaller variables are tried here.
   */
  readonly #expensive = new WeakMap<Template, number>()

  constructor() {
    const lines = new ParsedParts(contexts.subject)
    this.#known = {
      subject: lines,
      html: new ParsedParts(contexts.html),
      text: new ParsedParts(contexts.text),
      preview: lines,
    }
  }

  /** Returns every problem of every part, not only the first; 'expensive' where finding them would take too long. */
  problems(sources: MessageParts, allowance?: Allowance): readonly PartProblem[] | 'expensive' {
    const parsed = this.#parse(sources, allowance)
    return parsed === 'expensive' ? parsed : parsed.problems
  }

  /** With `now`, what that word means to the filter `date`, in milliseconds. */
  fill(sources: MessageParts, variables: Variables, now: number | undefined, allowance?: Allowance): Filling {
    const parsed = this.#parse(sources, allowance)
    if (parsed === 'expensive') return { kind: 'expensive' }
    const { templates, problems } = parsed
    if (problems.length > 0) return { kind: 'unreadable', problems }
    if (allowance !== undefined && this.#isExpensive(templates, variables)) return { kind: 'expensive' }
    const parts = { subject: '', html: '', text: '', preview: '' }
    const shared = allowance && { steps: allowance.steps }
    const clock = now === undefined ? {} : { now: () => now }
    let [mostExpensive, most]: [Template | undefined, number] = [undefined, 0]
    for (const { part, template } of templates) {
      const before = shared?.steps ?? 0
      const limits = limitsOf(part, allowance)
      const rendered = render(template, variables, { limits, shared, ...clock })
      if (rendered.ok) parts[part] = rendered.output
      // No allowance makes a line longer than a line may be.
      else if (allowance === undefined || (rendered.limit === 'output' && limits.output === outputOf(part)))
        return { kind: 'runaway', problems: [{ part, ...rendered.problem }] }
      const steps = before - (shared?.steps ?? 0)
      // The part that took the most steps is to blame, even if a later part ran out of them.
      if (!(steps <= most)) [mostExpensive, most] = [template, steps]
      if (rendered.ok) continue
      this.#expensive.set(rendered.limit === 'output' ? template : (mostExpensive ?? template), sizeOf(variables))
      return { kind: 'expensive' }
    }
    return { kind: 'filled', parts }
  }

  #isExpensive(templates: Parsed['templates'], variables: Variables): boolean {
    const sizes = templates.flatMap(({ template }) => this.#expensive.get(template) ?? [])
    return sizes.length > 0 && sizeOf(variables) >= Math.min(...sizes)
  }

  #parse(sources: MessageParts, allowance: Allowance | undefined): Parsed | 'expensive' {
    if (allowance !== undefined && this.#unparsed(sources) > allowance.source) return 'expensive'
    const [templates, problems]: [Parsed['templates'], PartProblem[]] = [[], []]
    for (const part of partNames) {
      if (sources[part] === '') continue
      const parsed = this.#known[part].parse(sources[part])
      if (parsed.ok) templates.push({ part, template: parsed.template })
      else problems.push(...parsed.problems.map((problem) => ({ part, ...problem })))
    }
    return { templates, problems }
  }

  #unparsed(sources: MessageParts): number {
    let characters = 0
    for (const part of partNames) if (!this.#known[part].has(sources[part])) characters += sources[part].length
    return characters
  }
}

interface Parsed {
  templates: { part: PartName; template: Template }[]
  problems: readonly PartProblem[]
}

const sizeOf = (variables: Variables): number => JSON.stringify(variables).length

const outputOf = (part: PartName): number => (contexts[part] === 'header' ? MAX_LINE_LENGTH : defaultLimits.output)

const limitsOf = (part: PartName, allowance: Allowance | undefined): Pick<Limits, 'output'> => ({
  output: Math.min(outputOf(part), allowance?.output ?? Infinity),
})
