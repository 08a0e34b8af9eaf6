/**
 * Everything that can be watched, each with the scope that reads it, and the statement that looks at all that is watched
 * of its kind. A topic that is to say more is changed here and in the store, and nowhere else.
 */
import type { IdPrefix } from '../../core/ids.ts'
import type { Scope } from '../../core/scopes.ts'
import type { Db } from '../../storage/postgres.ts'
import { flowOf } from '../queue/index.ts'
import { presentMinute } from '../statistics/index.ts'
import type { Asked, Found } from './schema.ts'
import * as store from './store.ts'

export interface Topic {
  scope: Scope
  /** What the id behind the colon names; without it the topic is about the whole project. */
  names?: IdPrefix
  /** What the newest id names, where the topic tells one. */
  newest?: IdPrefix
  /** It is looked at every so many seconds; each one if it is left out. */
  everySeconds?: number
  look(db: Db, asked: readonly Asked[]): Promise<Found[]>
}

export const topics = {
  overview: { scope: 'stats:read', look: (db, asked) => store.overviews(db, asked, { flowOf, presentMinute }) },
  queue: { scope: 'stats:read', look: store.queues },
  notices: { scope: 'stats:read', everySeconds: 5, look: store.notices },
  inbox: { scope: 'receiving:read', newest: 'rcv', look: store.inboxes },
  emails: { scope: 'email:send', newest: 'em', look: store.emailLists },
  email: { scope: 'email:send', names: 'em', look: store.emails },
  broadcast: { scope: 'broadcasts:write', names: 'brd', look: store.broadcasts },
  import: { scope: 'audiences:write', names: 'imp', look: store.imports },
  automation: { scope: 'automations:write', names: 'aut', everySeconds: 2, look: store.automations },
  webhook: { scope: 'webhooks:write', names: 'whk', look: store.webhooks },
  domain: { scope: 'domains:read', names: 'dom', everySeconds: 2, look: store.domains },
} as const satisfies Record<string, Topic>

export type TopicKind = keyof typeof topics

export const topicKinds = Object.keys(topics) as readonly TopicKind[]

export const topicOf = (kind: TopicKind): Topic => topics[kind]
