import { encodeId, type Id, type IdPrefix, type ProjectId } from '../../core/ids.ts'
import type { FoundKind } from './kinds.ts'
import type { FoundRow } from './schema.ts'

/** The prefix of the ids of each kind. */
export const prefixes: Readonly<Record<FoundKind, IdPrefix>> = {
  project: 'prj',
  key: 'key',
  person: 'per',
  domain: 'dom',
  email: 'em',
  batch: 'bat',
  template: 'tpl',
  suppression: 'sup',
  audience: 'aud',
  contact: 'con',
  tag: 'tag',
  broadcast: 'brd',
  automation: 'aut',
  run: 'run',
  webhook: 'whk',
  delivery: 'whd',
  receiving_domain: 'rdm',
  received: 'rcv',
  sms: 'sms',
}

const written = (prefix: IdPrefix, id: string): string => encodeId(prefix, id as Id<IdPrefix>)

export const idOf = (kind: FoundKind, { id }: FoundRow): string => written(prefixes[kind], id)

export const addressLink = (project: ProjectId, email: string): string =>
  `/p/${encodeId('prj', project)}/addresses/${encodeURIComponent(email)}`

/** Behind the project; a thing without a page of its own is in the list of its kind. */
const places: Readonly<Record<Exclude<FoundKind, 'person'>, (id: string, row: FoundRow) => string>> = {
  project: () => 'overview',
  key: () => 'keys',
  domain: (id) => `domains/${id}`,
  email: (id) => `emails/${id}`,
  batch: (id) => `emails?batch=${id}`,
  template: (id) => `templates/${id}`,
  suppression: (_, { title }) => `addresses/${encodeURIComponent(title)}`,
  audience: (id) => `audiences/${id}`,
  contact: (_, { title }) => `addresses/${encodeURIComponent(title)}`,
  tag: () => 'tags',
  broadcast: (id) => `broadcasts/${id}`,
  automation: (id) => `automations/${id}`,
  run: (_, { parentId }) => `automations/${written('aut', parentId ?? '')}`,
  webhook: (id) => `webhooks/${id}`,
  delivery: (id, { parentId }) => `webhooks/${written('whk', parentId ?? '')}/deliveries/${id}`,
  receiving_domain: (id) => `inbox/domains/${id}`,
  received: (id) => `inbox/${id}`,
  sms: () => 'sms',
}

/** Where the portal shows a thing. A key of the whole workspace is listed in every project. */
export function linkOf(kind: FoundKind, row: FoundRow, near: ProjectId | undefined): string | null {
  if (kind === 'person') return '/settings/people'
  const project = row.projectId ?? near
  return project === undefined ? null : `/p/${encodeId('prj', project)}/${places[kind](idOf(kind, row), row)}`
}
