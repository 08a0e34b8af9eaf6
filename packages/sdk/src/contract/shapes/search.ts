// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  Explanation,
} from './emails.ts'

export interface SearchHit {
  type:
    | 'address'
    | 'project'
    | 'key'
    | 'person'
    | 'domain'
    | 'email'
    | 'batch'
    | 'template'
    | 'suppression'
    | 'audience'
    | 'contact'
    | 'tag'
    | 'broadcast'
    | 'automation'
    | 'run'
    | 'webhook'
    | 'delivery'
    | 'receiving_domain'
    | 'received'
    | 'sms'
  /** The id of the thing; of an address, the address. */
  id: string
  projectId: string | null
  title: string
  subtitle: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  at: string | null
  /** Where the portal shows it; null where it has no page. */
  link: string | null
}

export interface SearchResult {
  data: SearchHit[]
}

/** Everything that a project knows of an address. */
export interface Address {
  email: string
  contacts: AddressContact[]
  tags: AddressTag[]
  suppression: AddressSuppression | null
  emails: AddressEmails
  /** Mail from the address, the newest 25. */
  received: AddressReceived[]
  /** Of automations, the newest 25. */
  runs: AddressRun[]
  /** Parts that are empty because the caller may not read them. */
  hidden: ('contacts' | 'tags' | 'suppression' | 'emails' | 'received' | 'runs')[]
}

export interface AddressConsent {
  source: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  at: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  recordedAt: string
}

export interface AddressContact {
  id: string
  audienceId: string
  audienceName: string
  firstName: string | null
  lastName: string | null
  subscribed: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  unsubscribedAt: string | null
  consent: AddressConsent | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface AddressEmail {
  id: string
  /** Of this recipient. */
  status:
    | 'scheduled'
    | 'queued'
    | 'deferred'
    | 'sending'
    | 'delivered'
    | 'bounced'
    | 'filteredspam'
    | 'quarantined'
    | 'suppressed'
    | 'failed'
    | 'cancelled'
  from: string
  subject: string
  contentHidden: boolean
  source: 'transactional' | 'broadcast' | 'automation'
  broadcastId: string | null
  explanation: Explanation | null
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface AddressEmails {
  /** The newest 25. */
  last: AddressEmail[]
  /** How many are in each state, of the newest 1000. */
  counts: Record<string, number>
}

export interface AddressReceived {
  id: string
  to: string
  subject: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  receivedAt: string
}

export interface AddressRun {
  id: string
  automationId: string
  automationName: string
  status: string
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  finishedAt: string | null
}

export interface AddressSuppression {
  id: string
  email: string
  reason: 'bounce' | 'spam' | 'manual'
  messageId: string | null
  note: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface AddressTag {
  id: string
  name: string
}
