import { DomainError, type Problem } from '../../core/errors.ts'
import { render, type Context, type Problem as Mistake, type Variables } from '../../mail/template/index.ts'
import { ParsedParts } from './parsed-parts.ts'
import type { Template } from './schema.ts'
import { missingFrom, withFallbacks } from './variables.ts'

/** The parts of a message that are written in the template language; '' where a template has none. */
export type TemplateParts = Pick<Template, 'subject' | 'html' | 'text'>
/** With what its author declared. */
export type FillableTemplate = TemplateParts & Pick<Template, 'variables'>
type PartName = keyof TemplateParts

const contexts: Readonly<Record<PartName, Context>> = { subject: 'header', html: 'html', text: 'text' }

/** Of the subject once it is filled in. */
const LONGEST_SUBJECT = 998

/** Reads templates and fills them in. */
export class TemplateContent {
  readonly #parsed = new ParsedParts()

  /** Throws `template_error` with every problem of every part, not only the first. */
  refuseBroken({ subject = '', html = '', text = '' }: Partial<TemplateParts>): void {
    const problems = Object.entries({ subject, html, text }).flatMap(([name, source]) =>
      this.#problemsOf(name as PartName, source),
    )
    if (problems.length > 0) throw refused('The template cannot be read.', problems)
  }

  /** A required variable that is missing is refused; one that nobody declared is empty. */
  fill(template: FillableTemplate, given: Variables): TemplateParts {
    const missing = missingFrom(given, template.variables)
    if (missing.length > 0) throw refused('The template needs variables that were not given.', missing)
    const variables = withFallbacks(given, template.variables)
    return {
      subject: this.#filled('subject', template.subject, variables),
      html: this.#filled('html', template.html, variables),
      text: this.#filled('text', template.text, variables),
    }
  }

  #problemsOf(name: PartName, source: string): Problem[] {
    const parsed = this.#parsed.parse(source, contexts[name])
    return parsed.ok ? [] : parsed.problems.map((problem) => located(name, problem))
  }

  #filled(name: PartName, source: string, variables: Variables): string {
    const parsed = this.#parsed.parse(source, contexts[name])
    if (!parsed.ok) throw refused('The template cannot be read.', this.#problemsOf(name, source))
    const limits = name === 'subject' ? { output: LONGEST_SUBJECT } : {}
    const rendered = render(parsed.template, variables, { limits })
    if (!rendered.ok) throw refused('The template asks for too much.', [located(name, rendered.problem)])
    return rendered.output
  }
}

const located = (name: PartName, { line, column, message }: Mistake): Problem => ({
  path: `/${name}`,
  message: `line ${line}, column ${column}: ${message}`,
})

const refused = (sentence: string, details: readonly Problem[]): DomainError =>
  new DomainError('template_error', sentence, { details })
