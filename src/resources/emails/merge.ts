import type { ReadMailing } from '../../mail/compose/mailing.ts'
import type { Variables } from '../../template/index.ts'
import type { RenderContext, Templates } from '../templates/index.ts'
import type { Merge } from './schema.ts'
import type { ContentRow } from './store/deliver.ts'

/** The fields of a contact that mail to it can use, as they were when the mail was made for it. */
export interface MergedContact {
  email: string
  firstName: string | null
  lastName: string | null
  properties: Record<string, unknown>
}

export interface MergeLinks {
  unsubscribeUrl: string
  preferencesUrl: string
}

/** Variables that every mail to a contact has by itself: none of them can be missing. */
const ownNames = new Set(['contact', 'email', 'firstName', 'lastName', 'unsubscribeUrl', 'preferencesUrl', 'project'])

const isOwn = (name: string): boolean => ownNames.has(name.split('.')[0] ?? '')

/** Fills a mailing in for one contact. Throws `template_error` where that cannot be done. */
export async function mergedParts(
  templates: Templates,
  content: Pick<ContentRow, 'subject' | 'html' | 'text' | 'variables'> & { merge: Merge },
  contact: MergedContact,
  links: MergeLinks,
  projectName: string,
  context: RenderContext,
): Promise<ReadMailing> {
  const { declared, preview } = content.merge
  const { email, firstName, lastName } = contact
  const own = { contact, email, firstName, lastName, ...links, project: { name: projectName } }
  const known: Variables = Object.assign({}, content.variables, own)
  const variables = declared.map((one) => (isOwn(one.name) ? { ...one, required: false } : one))
  const template = { subject: content.subject, html: content.html ?? '', text: content.text ?? '', preview, variables }
  return templates.fillMailing(template, known, links.unsubscribeUrl, context)
}
