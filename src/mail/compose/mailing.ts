import type { HtmlPositions } from './html-positions.ts'
import { instrument, withTextFooter, htmlPositionsFor, type HtmlAdditions } from './instrument-html.ts'
import type { MessageParts } from '../../template/index.ts'
import { textFromHtml } from '../text.ts'

/** A ReadMailing is a mailing filled in for one person, with the positions for our additions. */
export interface ReadMailing extends MessageParts {
  /** Our additions are inserted at these positions. */
  readonly positions: HtmlPositions
}

/** Filled in, it may be a hundred times as long as its template was; reading it takes as long as filling it in. */
export const readMailing = (parts: MessageParts, unsubscribeUrl: string): ReadMailing => ({
  ...parts,
  text: parts.text === '' ? textFromHtml(parts.html) : parts.text,
  positions: htmlPositionsFor(parts.html, unsubscribeUrl),
})

/** Adds preview, footer, links and pixel. Every mailing has a way to unsubscribe, even where its author forgot it. */
export const instrumentMailing = (
  { html, text, preview, positions }: ReadMailing,
  unsubscribeFooter: { url: string; sender: string },
  tracking: Pick<HtmlAdditions, 'rewriteLink' | 'pixel'> = {},
): { html: string | undefined; text: string } => ({
  html: html === '' ? undefined : instrument(html, { preview, unsubscribeFooter, ...tracking }, positions),
  text: withTextFooter(text, unsubscribeFooter),
})
