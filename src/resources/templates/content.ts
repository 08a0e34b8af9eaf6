import { DomainError, type Problem } from '../../core/errors.ts'
import { readMailing, type ReadMailing } from '../../mail/compose/mailing.ts'
import {
  MessageFiller,
  type Allowance,
  type Filling,
  type MessageParts,
  type PartName,
  type PartProblem,
  type Variables,
} from '../../template/index.ts'
import {
  TemplatePostponed,
  type RenderContext,
  type MailingFilling,
  type Renderer,
  type RenderAnswers,
  type RenderQuestion,
} from './renderer.ts'
import type { Template } from './schema.ts'
import { missingFrom, withFallbacks } from './variables.ts'

/** The parts of a message that are written in the template language; '' where a template has none. */
export type TemplateParts = Pick<Template, 'subject' | 'html' | 'text'>
/** A template with the variables that its author declared. */
export type FillableTemplate = TemplateParts & Pick<Template, 'variables'> & { preview?: string }

/**
 * What is done at once, in the thread that serves everybody: some milliseconds at most, by the price of a step and of a
 * character (`docs/decisions/0009`). Whatever needs more goes to a thread that can be ended.
 */
const AT_ONCE: Allowance = { steps: 4_000, output: 100_000, source: 50_000 }

/** Reads templates and fills them in. */
export class TemplateContent {
  readonly #filler = new MessageFiller()
  readonly #renderer: Renderer

  constructor(renderer: Renderer) {
    this.#renderer = renderer
  }

  /** Throws `template_error` with every problem of every part, not only the first. */
  async refuseBroken(parts: Partial<TemplateParts>, context: RenderContext): Promise<void> {
    const sources = { ...NOTHING, ...parts }
    const found = this.#filler.problems(sources, AT_ONCE)
    const problems = found === 'expensive' ? await this.#ask({ type: 'problems', sources }, context) : found
    if (problems.length > 0) throw refused('The template cannot be read.', problems.map(located))
  }

  /** A required variable that is missing is refused; one that nobody declared is empty. */
  async fill(template: FillableTemplate, given: Variables, context: RenderContext): Promise<MessageParts> {
    const { sources, variables } = ready(template, given)
    const filled = this.#filler.fill(sources, variables, context.now, AT_ONCE)
    return partsOf(
      filled.kind === 'expensive'
        ? await this.#ask({ type: 'fill', sources, variables, now: context.now }, context)
        : filled,
    )
  }

  /** The same for mail to a contact, read once more for what we put into it. */
  async fillMailing(
    template: FillableTemplate,
    given: Variables,
    unsubscribeUrl: string,
    context: RenderContext,
  ): Promise<ReadMailing> {
    const { sources, variables } = ready(template, given)
    const filled = this.#filler.fill(sources, variables, context.now, AT_ONCE)
    if (filled.kind !== 'expensive') return readMailing(partsOf(filled), unsubscribeUrl)
    return partsOf(await this.#ask({ type: 'mailing', sources, variables, now: context.now, unsubscribeUrl }, context))
  }

  /** The text part for html that is too long to be read at once. */
  textOf(html: string, context: RenderContext): Promise<string> {
    return this.#ask({ type: 'text', sources: { html } }, context)
  }

  async #ask<Q extends RenderQuestion>(
    question: Q,
    { projectId, patienceMs }: RenderContext,
  ): Promise<RenderAnswers[Q['type']]> {
    const outcome = await this.#renderer.ask(projectId, question, patienceMs)
    switch (outcome.kind) {
      case 'answered':
        return outcome.answer
      case 'stopped':
        throw refused(tooDear(question), [])
      case 'resting':
        throw new TemplatePostponed('template_error', tooDear(question), outcome.afterMs)
      case 'busy':
        throw new TemplatePostponed(
          'unavailable',
          'Too much of this project’s content is being read and filled in.',
          outcome.afterMs,
        )
      case 'failed':
        throw new Error('render thread failed')
    }
  }
}

const NOTHING: MessageParts = { subject: '', html: '', text: '', preview: '' }

const tooDear = ({ type }: RenderQuestion): string =>
  `The ${type === 'text' ? 'html' : 'template'} takes too much time or memory, and was stopped. Make it simpler.`

function ready(
  { subject, html, text, preview = '', variables: declared }: FillableTemplate,
  given: Variables,
): { sources: MessageParts; variables: Variables } {
  const missing = missingFrom(given, declared)
  if (missing.length > 0) throw refused('The template needs variables that were not given.', missing)
  return { sources: { subject, html, text, preview }, variables: withFallbacks(given, declared) }
}

function partsOf<T extends Filling | MailingFilling>(filled: T): Extract<T, { kind: 'filled' }>['parts'] {
  switch (filled.kind) {
    case 'filled':
      return filled.parts
    case 'unreadable':
      throw refused('The template cannot be read.', filled.problems.map(located))
    case 'runaway':
      throw refused('The template asks for too much.', filled.problems.map(located))
    case 'expensive':
      throw new Error('a template was filled in without a limit and is beyond it')
  }
}

const paths: Readonly<Record<PartName, string>> = {
  subject: '/subject',
  html: '/html',
  text: '/text',
  preview: '/previewText',
}

const located = ({ part, line, column, message }: PartProblem): Problem => ({
  path: paths[part],
  message: `line ${line}, column ${column}: ${message}`,
})

const refused = (sentence: string, details: readonly Problem[]): DomainError =>
  new DomainError('template_error', sentence, { details })
