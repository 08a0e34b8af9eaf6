import type { Places } from './html-positions.ts'
import { marked, markedText, placesFor, type Marks } from './instrument-html.ts'
import type { MessageParts } from '../../template/index.ts'
import { textFromHtml } from '../text.ts'

/** What a mailing says to one person, read once more for what we put into it. */
export interface ReadMailing extends MessageParts {
  /** Where in the html our marks belong. */
  readonly places: Places
}

/** Filled in, it may be a hundred times as long as its template was; reading it takes as long as filling it in. */
export const readMailing = (parts: MessageParts, leaveUrl: string): ReadMailing => ({
  ...parts,
  text: parts.text === '' ? textFromHtml(parts.html) : parts.text,
  places: placesFor(parts.html, leaveUrl),
})

/** With our marks in it. Whoever gets a mailing can leave it, whether or not its author thought of that. */
export const markedMailing = (
  { html, text, preview, places }: ReadMailing,
  leave: { url: string; sender: string },
  tracking: Pick<Marks, 'via' | 'pixel'> = {},
): { html: string | undefined; text: string } => ({
  html: html === '' ? undefined : marked(html, { preview, leave, ...tracking }, places),
  text: markedText(text, leave),
})
