/** What a message says to one recipient, where that is not what it says to all. */
import { HIDDEN_TOKEN } from '../../core/mail-reference.ts'
import { instrumentMailing } from '../../mail/compose/mailing.ts'
import { instrument, type HtmlAdditions } from '../../mail/compose/instrument-html.ts'
import type { Content, Deliveries, DueDelivery, MergeContent } from '../../resources/emails/index.ts'
import type { Links } from './links.ts'

export interface Parts {
  subject: string
  html: string | undefined
  text: string | undefined
}

export const isPersonal = (due: DueDelivery, content: Content): boolean =>
  isMailing(content) || isTracked(due, content) || due.options.accountLink !== undefined

export const isMailing = (content: Content): content is MergeContent => content.merge !== null

const isTracked = ({ options: { tracking } }: DueDelivery, { html }: Content): boolean =>
  html !== null && (tracking.opens || tracking.clicks)

export async function personalParts(
  due: DueDelivery,
  content: Content,
  deliveries: Deliveries,
  links: Links,
): Promise<Parts> {
  if (isMailing(content)) return mailingParts(due, content, deliveries, links)
  const { subject, html } = content
  const text = withAccountLink(due, content.text, links)
  const followed = html === null ? undefined : instrument(html, trackingAdditions(due, links))
  return { subject, html: followed, text: text ?? undefined }
}

async function mailingParts(
  due: DueDelivery,
  content: MergeContent,
  deliveries: Deliveries,
  links: Links,
): Promise<Parts> {
  const urls = { unsubscribeUrl: links.unsubscribe(due), preferencesUrl: links.preferences(due) }
  const parts = await deliveries.merged(due, content, urls)
  const unsubscribeFooter = { url: urls.unsubscribeUrl, sender: due.projectName }
  return { subject: parts.subject, ...instrumentMailing(parts, unsubscribeFooter, trackingAdditions(due, links)) }
}

function withAccountLink(due: DueDelivery, text: string | null, links: Links): string | null {
  const { accountLink } = due.options
  return accountLink === undefined ? text : (text?.replace(HIDDEN_TOKEN, () => links.account(due, accountLink)) ?? null)
}

function trackingAdditions(due: DueDelivery, links: Links): HtmlAdditions {
  const { opens, clicks } = due.options.tracking
  return {
    ...(clicks ? { rewriteLink: (target: string) => links.click(due, target) } : {}),
    ...(opens ? { pixel: links.open(due) } : {}),
  }
}
