/**
 * Adds to the html and text of a message what its author did not write: preview, unsubscribe footer, click links,
 * pixel.
 */
import { htmlPositionsIn, type HtmlLink, type HtmlPositions } from './html-positions.ts'
import { escapeHtml } from '../../template/escape.ts'

export interface HtmlAdditions {
  /** Mail programs show the preview beside the subject; it is hidden in the message itself. */
  preview?: string
  /** The footer is put at the end unless a link in the message already leads to the url. */
  unsubscribeFooter?: { url: string; sender: string }
  /** Returns the new target of a link to the web; undefined keeps the link as it is. */
  rewriteLink?(target: string): string | undefined
  /** The pixel is an invisible image. */
  pixel?: string
}

/** No author writes more by hand. Larger html gets only what is added at its end. */
const MAX_HTML_LENGTH = 2 * 1024 * 1024
/** Real mail has some dozens; each that leads over us makes a message longer. */
const MAX_LINKS = 1_000

/** Everything of the source stays as it is, byte by byte, but the targets of links. */
export function instrument(
  html: string,
  { preview = '', unsubscribeFooter, rewriteLink, pixel }: HtmlAdditions,
  positions?: HtmlPositions,
): string {
  if (preview === '' && unsubscribeFooter === undefined && rewriteLink === undefined && pixel === undefined) return html
  const { links, start, end } = positions ?? htmlPositionsFor(html, unsubscribeFooter?.url)
  return changed(html, [
    { start, end: start, text: preview === '' ? '' : hiddenLine(preview) },
    ...(rewriteLink === undefined ? [] : rewrittenLinks(links, rewriteLink)),
    {
      start: end,
      end,
      text: unsubscribeFooter === undefined || leadsTo(links, unsubscribeFooter.url) ? '' : footer(unsubscribeFooter),
    },
    { start: end, end, text: pixel === undefined ? '' : image(pixel) },
  ])
}

export const withTextFooter = (text: string, { url, sender }: { url: string; sender: string }): string =>
  text.includes(url)
    ? text
    : `${text.trimEnd()}\n\n--\nYou receive this because you signed up at ${sender}.\nUnsubscribe: ${url}\n`

/** Returns the positions for `instrument`. Of the links it keeps only the first to the web, and one to unsubscribe. */
export function htmlPositionsFor(html: string, unsubscribeUrl?: string): HtmlPositions {
  const { links, start, end } = html.length > MAX_HTML_LENGTH ? unread(html) : htmlPositionsIn(html)
  const web = links.filter(leadsToWeb).slice(0, MAX_LINKS)
  const unsubscribeLink =
    unsubscribeUrl === undefined ? undefined : links.find((link) => leadsTo([link], unsubscribeUrl))
  return {
    links: unsubscribeLink === undefined || web.includes(unsubscribeLink) ? web : [...web, unsubscribeLink],
    start,
    end,
  }
}

const unread = (html: string): HtmlPositions => ({ links: [], start: 0, end: html.length })

interface Change {
  start: number
  end: number
  text: string
}

function changed(html: string, changes: readonly Change[]): string {
  let [written, from] = ['', 0]
  for (const { start, end, text } of changes.toSorted((a, b) => a.start - b.start)) {
    written += `${html.slice(from, start)}${text}`
    from = end
  }
  return written + html.slice(from)
}

const hiddenLine = (preview: string): string => `<div style="${HIDDEN}">${escapeHtml(preview)}</div>`

const HIDDEN =
  'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all'

/** Links that are not web addresses stay as they were written. */
const leadsToWeb = ({ target }: HtmlLink): boolean => /^https?:\/\//i.test(target) && URL.canParse(target)

const rewrittenLinks = (links: readonly HtmlLink[], rewriteLink: (target: string) => string | undefined): Change[] =>
  links
    .filter(leadsToWeb)
    .slice(0, MAX_LINKS)
    .flatMap(({ start, end, target }) => {
      const instead = rewriteLink(target.toWellFormed())
      return instead === undefined ? [] : [{ start, end, text: `"${escapeHtml(instead)}"` }]
    })

/** To the page itself or to one below it, where the same can be done. */
const leadsTo = (links: readonly HtmlLink[], url: string): boolean =>
  links.some(({ target }) => target === url || target.startsWith(`${url}/`))

/** Its colour can be read on white and on black. */
const footer = ({ url, sender }: { url: string; sender: string }): string => {
  const style = 'margin:32px 0 0;font-family:sans-serif;font-size:12px;line-height:18px;color:#767676;text-align:center'
  const link = `<a href="${escapeHtml(url)}" style="color:inherit">Unsubscribe</a>`
  return `<p style="${style}">You receive this because you signed up at ${escapeHtml(sender)}. ${link}</p>`
}

const image = (url: string): string =>
  `<img src="${escapeHtml(url)}" width="1" height="1" alt="" style="display:block;border:0">`
