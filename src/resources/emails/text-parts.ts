import type { ProjectContext } from '../../core/caller.ts'
import { textFromHtml } from '../../mail/text.ts'
import { askedBy, type Templates } from '../templates/index.ts'

/** How much html of one request is read in the thread that serves everybody: a few milliseconds, 17 at the worst. */
const MAX_AT_ONCE = 64 * 1024

/**
 * The text parts for the emails of one request that came with html alone. What is too much to be read at once is read
 * in another thread, one email after the other: a batch of long ones delays nobody but its project.
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
