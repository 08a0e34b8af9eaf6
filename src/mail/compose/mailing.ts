import type { HtmlPositions } from './html-positions.ts'
import { instrument, withTextFooter, htmlPositionsFor, type HtmlAdditions } from './instrument-html.ts'
import type { MessageParts } from '../../template/index.ts'
import { textFromHtml } from '../text.ts'

/** What a mailing says to one person, read once more for what we put into it. */
export interface ReadMailing extends MessageParts {
  /** Where in the html our marks belong. */
  readonly positions: HtmlPositions
}

/** Filled in, it may be a hundred times as long as its template was; reading it takes as long as filling it in. */
export const readMailing = (parts: MessageParts, unsubscribeUrl: string): ReadMailing => ({
  ...parts,
  text: parts.text === '' ? textFromHtml(parts.html) : parts.text,
  positions: htmlPositionsFor(parts.html, unsubscribeUrl),
})

/** With our marks in it. Whoever gets a mailing can leave it, whether or not its author thought of that. */
export const instrumentMailing = (
  { html, text, preview, positions }: ReadMailing,
  unsubscribeFooter: { url: string; sender: string },
  tracking: Pick<HtmlAdditions, 'rewriteLink' | 'pixel'> = {},
): { html: string | undefined; text: string } => ({
  html: html === '' ? undefined : instrument(html, { preview, unsubscribeFooter, ...tracking }, positions),
  text: withTextFooter(text, unsubscribeFooter),
})
