import type { ProjectContext } from '../../core/caller.ts'
import { addressKey, parseAddress } from '../../mail/address.ts'
import { instrumentMailing } from '../../mail/compose/mailing.ts'
import type { Db } from '../../storage/postgres.ts'
import type { Mailings, SendEmail } from '../emails/index.ts'
import type { Projects } from '../projects/index.ts'
import { mailingFieldsOf } from './draft.ts'
import type { Broadcast } from './schema.ts'
import { findPerson } from './store/broadcasts.ts'

export interface TestMailOptions {
  mailings: Mailings
  projects: Projects
}

/** The targets of links that only a recipient's own message can have. */
const links = { unsubscribeUrl: '#unsubscribe', preferencesUrl: '#preferences' }

/** What the broadcast would say to the first of these; nobody else's data is shown to whoever tests. */
export async function testMail(
  db: Db,
  project: ProjectContext,
  broadcast: Broadcast,
  to: string[],
  { mailings, projects }: TestMailOptions,
): Promise<SendEmail> {
  const fields = mailingFieldsOf(broadcast)
  const mailing = await mailings.read(db, project, fields)
  await mailings.senderOf(project, mailing, fields.tracking)
  const { name } = await projects.findIn(db, { workspaceId: project.workspaceId, projectIds: null }, project.id)
  const parsed = parseAddress(to[0] ?? '')
  const email = parsed.ok ? addressKey(parsed.value) : ''
  const person = (await findPerson(db, project.id, broadcast.audienceId, email)) ?? {
    email,
    firstName: null,
    lastName: null,
    properties: {},
  }
  const parts = await mailings.fill(project, mailing, person, links, name)
  const { html, text } = instrumentMailing(parts, { url: links.unsubscribeUrl, sender: name })
  return {
    from: broadcast.from,
    to,
    subject: parts.subject,
    ...(broadcast.replyTo.length === 0 ? {} : { replyTo: broadcast.replyTo }),
    ...(html === undefined ? {} : { html }),
    text,
    tracking: { opens: false, clicks: false },
  }
}
