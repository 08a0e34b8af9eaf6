import { DomainError } from '../../core/errors.ts'
import { instrumentMailing } from '../../mail/compose/mailing.ts'
import { askedBy, type Templates } from '../templates/index.ts'
import { mergedParts } from './merge.ts'
import type { EmailRow } from './store/read.ts'

export interface AsSentOptions {
  templates: Templates
  /** The base URL of links. */
  publicUrl: string
}

/**
 * Of a broadcast or an automation one content is stored for all; here it becomes what it says to the recipient of this
 * email, from what was kept of the contact when the email was made. Every other email is stored as it is sent.
 *
 * Two things are not as they went. Nothing is tracked, so that reading a mail is no visit to what it links to. And the
 * links by which the person can leave, or choose what to get, work for nobody: whoever may read mail may not therefore
 * change what people are subscribed to.
 */
export async function asSent(email: EmailRow, { templates, publicUrl }: AsSentOptions): Promise<EmailRow> {
  const { merge, projectName, options } = email
  if (merge === null || email.purgedAt !== null) return email
  const { contact = { firstName: null, lastName: null, properties: {} } } = options
  const unsubscribeUrl = `${publicUrl.replace(/\/$/, '')}/u/hidden`
  const links = { unsubscribeUrl, preferencesUrl: `${unsubscribeUrl}/preferences` }
  const person = { ...contact, email: email.addresses.recipients[0]?.email ?? '' }
  try {
    const context = { ...askedBy({ id: email.projectId }), now: dateOf(email).getTime() }
    const parts = await mergedParts(templates, { ...email, merge }, person, links, projectName, context)
    const { html, text } = instrumentMailing(parts, { url: unsubscribeUrl, sender: projectName })
    return { ...email, subject: parts.subject, html: html ?? null, text }
  } catch (error) {
    // The caller gets the email as its author wrote it: the status must not depend on whether the content can be filled in.
    if (error instanceof DomainError) return email
    throw error
  }
}

/** The Date of the message. */
const dateOf = ({ sendAt, createdAt }: EmailRow): Date => (sendAt !== null && sendAt > createdAt ? sendAt : createdAt)
