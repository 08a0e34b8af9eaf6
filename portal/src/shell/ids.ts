import type { Session } from '@posthouse/sdk'
import { problemOf } from '../kit/problem.ts'
import { call } from './api.ts'
import { lastProject } from './session.ts'
import { to } from './to.ts'

/** Kinds of ids that lead somewhere: the page of a thing, in its project. */
const finders: Readonly<Record<string, Finder>> = {
  prj: async (_project, id) => to.overview(id),
  em: async (project, id) => {
    await call('GET /emails/:id', { project, params: { id } })
    return to.email(project, id)
  },
  whk: async (project, id) => {
    await call('GET /webhooks/:id', { project, params: { id } })
    return to.webhook(project, id)
  },
  key: async (project, id) => {
    await call('GET /api-keys/:id', { project, params: { id } })
    return to.keys(project)
  },
  rcv: async (project, id) => {
    await call('GET /receiving/emails/:id', { project, params: { id } })
    return to.received(project, id)
  },
  rdm: async (project, id) => {
    await call('GET /receiving/domains/:id', { project, params: { id } })
    return to.receivingDomain(project, id)
  },
  whd: findDelivery,
  req: async (project, id) => `${to.projectLog(project)}?requestId=${id}`,
}

/** Where an id leads in a project; it throws `not_found` where it is not there. */
type Finder = (project: string, id: string) => Promise<string | undefined>

const MAX_ENDPOINTS = 100

/** A delivery is known by its endpoint, which its id does not name. */
async function findDelivery(project: string, deliveryId: string): Promise<string | undefined> {
  const { data } = await call('GET /webhooks', { project, query: { limit: MAX_ENDPOINTS } })
  for (const { id } of data) {
    const isThere = await call('GET /webhooks/:id/deliveries/:deliveryId', {
      project,
      params: { id, deliveryId },
    }).then(() => true, isMissing)
    if (isThere) return to.delivery(project, id, deliveryId)
  }
  return undefined
}

/** Whether a text has the form of an id that leads somewhere. */
export const isId = (text: string): boolean => {
  const [, prefix = ''] = /^([a-z]+)_[0-9a-z]{20,40}$/.exec(text) ?? []
  return prefix in finders
}

/** The page of an id, in whichever project it is; undefined when this person can see none. */
export async function addressOf(session: Session, id: string): Promise<string | undefined> {
  const find = finders[id.split('_')[0] ?? '']
  if (find === undefined) return undefined
  if (id.startsWith('prj_')) return session.projects.some((project) => project.id === id) ? to.overview(id) : undefined
  const last = lastProject(session)
  const projects = session.projects.toSorted((one, other) => Number(other.id === last) - Number(one.id === last))
  for (const project of projects) {
    const address = await find(project.id, id).catch((error: unknown) => {
      isMissing(error)
      return undefined
    })
    if (address !== undefined) return address
  }
  return undefined
}

/** False for what is not there or not for this person; anything else is a failure. */
function isMissing(error: unknown): false {
  const { status } = problemOf(error)
  if (status === 404 || status === 403 || status === 400) return false
  throw error
}
