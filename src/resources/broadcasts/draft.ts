import type { ProjectContext } from '../../core/caller.ts'
import { invalid, notFound, type Problem } from '../../core/errors.ts'
import { decodeId, encodeId, type AudienceId } from '../../core/ids.ts'
import { parseAddress } from '../../mail/address.ts'
import type { Db } from '../../storage/postgres.ts'
import type { MailingFields } from '../emails/index.ts'
import { askedBy, type Templates } from '../templates/index.ts'
import type { Broadcast, CreateBroadcast, UpdateBroadcast } from './schema.ts'
import type { Draft } from './store/broadcasts.ts'

/** What somebody wrote into a draft, understood. Not whether it could be sent: a draft may lack anything. */
export async function readDraft(
  { audienceId, from, replyTo, templateId, tracking, throttle, ...rest }: CreateBroadcast | UpdateBroadcast,
  { templates, db, project }: { templates: Templates; db: Db; project: ProjectContext },
): Promise<Draft> {
  refuseBadAddresses(from, replyTo ?? [])
  const template = templateId ? await templates.findNamed(db, project.id, templateId) : undefined
  await refuseBrokenTemplates(templates, rest, project)
  return {
    ...rest,
    ...(audienceId === undefined ? {} : { audienceId: audienceOf(audienceId) }),
    ...(from === undefined ? {} : { from }),
    ...(replyTo === undefined ? {} : { replyTo: [replyTo ?? []].flat() }),
    ...(templateId === undefined ? {} : { templateId: template?.id ?? null }),
    ...(tracking === undefined ? {} : { trackOpens: tracking?.opens ?? null, trackClicks: tracking?.clicks ?? null }),
    ...(throttle === undefined ? {} : { perMinute: throttle?.perMinute ?? null }),
  }
}

/** The draft as a mailing that is to be sent. */
export const mailingFieldsOf = (broadcast: Broadcast): MailingFields => ({
  from: broadcast.from,
  replyTo: broadcast.replyTo,
  subject: broadcast.subject,
  html: broadcast.html,
  text: broadcast.text,
  previewText: broadcast.previewText,
  templateId: broadcast.templateId && encodeId('tpl', broadcast.templateId),
  variables: broadcast.variables,
  tracking: { opens: broadcast.trackOpens ?? undefined, clicks: broadcast.trackClicks ?? undefined },
})

export function audienceOf(text: string): AudienceId {
  const id = decodeId('aud', text)
  if (id === undefined) throw notFound('audience')
  return id
}

function refuseBadAddresses(from: string | undefined, replyTo: string | readonly string[]): void {
  const written =
    typeof replyTo === 'string'
      ? [{ path: '/replyTo', text: replyTo }]
      : replyTo.map((text, i) => ({ path: `/replyTo/${i}`, text }))
  if (from !== undefined) written.unshift({ path: '/from', text: from })
  const problems: Problem[] = written.flatMap(({ path, text }) => {
    const parsed = parseAddress(text)
    return parsed.ok ? [] : [{ path, message: parsed.problem }]
  })
  if (problems.length > 0) throw invalid(problems)
}

async function refuseBrokenTemplates(
  templates: Templates,
  parts: Partial<CreateBroadcast>,
  project: ProjectContext,
): Promise<void> {
  await templates.fill(templateIn(parts), parts.variables ?? {}, askedBy(project))
}

const templateIn = ({ subject, html, text, previewText }: Partial<CreateBroadcast>) => ({
  subject: subject ?? '',
  html: html ?? '',
  text: text ?? '',
  preview: previewText ?? '',
  variables: [],
})
