import type { ProjectContext } from '../../core/caller.ts'
import { textFromHtml } from '../../mail/text.ts'
import { askedBy, type Templates } from '../templates/index.ts'

/** How much html of one request is read in the main thread: a few milliseconds of work, 17 at the worst. */
const MAX_AT_ONCE = 64 * 1024

/**
 * The text parts for the emails of one request that came with html alone. Html beyond the limit is read in a render
 * thread, one email after the other, so that a batch of long emails delays only its own project.
 */
export class TextParts {
  readonly #templates: Templates
  #left = MAX_AT_ONCE
  #last: Promise<unknown> = Promise.resolve()

  constructor(templates: Templates) {
    this.#templates = templates
  }

  async from(html: string, project: ProjectContext): Promise<string> {
    if (html.length <= this.#left) {
      this.#left -= html.length
      return textFromHtml(html)
    }
    const text = this.#last.then(() => this.#templates.textOf(html, askedBy(project)))
    this.#last = text.catch(() => {})
    return text
  }
}
