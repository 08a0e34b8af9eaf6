import type { EventKind } from '@posthouse/sdk'
import { words } from '../../words/words.ts'
import { eventKinds } from './search.ts'

const said: Readonly<Record<EventKind, string>> = words.webhooks.meanings

/** What an endpoint is told of unless it chooses. */
export const standardKinds: readonly EventKind[] = [
  'email.delivered',
  'email.bounced',
  'email.filteredspam',
  'email.suppressed',
  'email.quarantined',
  'email.unsubscribed',
  'email.received',
]

export const isStandard = (events: readonly string[]): boolean =>
  events.length === standardKinds.length && standardKinds.every((kind) => events.includes(kind))

/** Those that an endpoint of this installation can be told of. */
export const kindsFor = (hasSms: boolean): readonly EventKind[] =>
  eventKinds.filter((kind) => hasSms || !kind.startsWith('sms.'))

export const meaningOf = (kind: string): string | undefined =>
  Object.hasOwn(said, kind) ? said[kind as EventKind] : undefined
