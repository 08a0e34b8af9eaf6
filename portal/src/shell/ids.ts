import type { Session } from '@posthouse/sdk'
import { call } from './api.ts'
import { lastProject } from './session.ts'
import { to } from './to.ts'

/** The kinds of ids that lead somewhere, each with the page that shows what it names. */
const patterns: Readonly<Record<string, string>> = {
  prj: '/p/$projectId/overview',
  key: '/p/$projectId/keys',
  per: '/settings/people',
  dom: '/p/$projectId/domains/$domainId',
  em: '/p/$projectId/emails/$emailId',
  bat: '/p/$projectId/emails',
  tpl: '/p/$projectId/templates/$templateId',
  sup: '/p/$projectId/addresses/$email',
  aud: '/p/$projectId/audiences/$audienceId',
  con: '/p/$projectId/addresses/$email',
  tag: '/p/$projectId/tags',
  brd: '/p/$projectId/broadcasts/$broadcastId',
  aut: '/p/$projectId/automations/$automationId',
  run: '/p/$projectId/automations/$automationId',
  whk: '/p/$projectId/webhooks/$webhookId',
  whd: '/p/$projectId/webhooks/$webhookId/deliveries/$deliveryId',
  rdm: '/p/$projectId/inbox/domains/$receivingDomainId',
  rcv: '/p/$projectId/inbox/$receivedId',
  sms: '/p/$projectId/sms',
  req: '/p/$projectId/log',
}

/** The page that an id leads to, by the form of the id; undefined for what is no id. */
export function patternOf(text: string): string | undefined {
  const [, prefix = ''] = /^([a-z]+)_[0-9a-z]{20,40}(?:\.\d{1,2})?$/.exec(text) ?? []
  return Object.hasOwn(patterns, prefix) ? patterns[prefix] : undefined
}

/** Whether a text has the form of an id that leads somewhere. */
export const isId = (text: string): boolean => patternOf(text) !== undefined

/** Whether a text has the form of an address. */
export const isAddress = (text: string): boolean => /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/.test(text)

/** The page of an id, in whichever project it is; undefined when this person can see none. */
export async function addressOf(session: Session, id: string): Promise<string | undefined> {
  const projectId = lastProject(session)
  if (id.startsWith('prj_')) return session.projects.some((project) => project.id === id) ? to.overview(id) : undefined
  if (projectId === undefined) return undefined
  if (id.startsWith('req_')) return `${to.projectLog(projectId)}?requestId=${id}`
  const { data } = await call('GET /search', { query: { q: id, projectId, limit: 1 } })
  return data[0]?.link ?? undefined
}
