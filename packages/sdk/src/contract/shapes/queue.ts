// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  Explanation,
} from './emails.ts'

export interface DestinationPace {
  /** Of all nodes, now. */
  connections: number
  /** How many there may be now. */
  limit: number
  /** How many there may be when nothing speaks against it. */
  usualLimit: number
  /** Mails a minute at most; null without such a limit. */
  perMinute: number | null
}

export interface DestinationPause {
  by: Pauser
  /** ISO 8601 in UTC, with milliseconds. */
  since: string
  because: string | null
  /** For the whole installation. */
  everywhere: boolean
}

export interface DestinationReply {
  /** Null where no server answered. */
  code: number | null
  enhanced: string | null
  /** Addresses are left out. Null where it answered to mail of another project. */
  text: string | null
  /** How far the conversation had come. */
  stage: string | null
  host: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
}

export interface Pauser {
  type: 'key' | 'person'
  /** Null for a person or key of another workspace. */
  id: string | null
  name: string | null
}

export interface Queue {
  /** ISO 8601 in UTC, with milliseconds. */
  asOf: string
  waiting: number
  /** ISO 8601 in UTC, with milliseconds. */
  oldestAt: string | null
  leavingPerSecond: number
  /** When a server last took mail of the project; null where none did in the last 24 hours. */
  lastLeftAt: string | null
  destinations: QueueCounts
  data: QueueDestination[]
  hasMore: boolean
  nextCursor: string | null
}

/** How many there are. */
export interface QueueCounts {
  all: number
  needsLook: number
}

export interface QueueDestination {
  /** As `recipients[].destination` of an email names it. */
  destination: string
  /** For people. */
  name: string
  /** Recipients of the project whose mail has not left and is not scheduled. */
  waiting: number
  /** ISO 8601 in UTC, with milliseconds. */
  oldestAt: string | null
  state: 'flows' | 'slowed' | 'suspended' | 'unreachable' | 'paused'
  needsLook: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  since: string | null
  pace: DestinationPace
  /** ISO 8601 in UTC, with milliseconds. */
  nextTryAt: string | null
  lastReply: DestinationReply | null
  explanation: Explanation | null
  paused: DestinationPause | null
}

/**
 * Recipients of the project whose mail waits, by how long ago it was accepted; without those that are being sent right
 * now.
 */
export interface DestinationAges {
  under5Minutes: number
  under1Hour: number
  under6Hours: number
  under24Hours: number
  older: number
  /** True where there is too much to look at all of it: then there may be more. */
  isMore: boolean
}

export interface DestinationHost {
  host: string | null
  address: string | null
  tls: string | null
  attempts: number
  accepted: number
  last: 'accepted' | 'refused' | 'declined' | 'lost' | null
  /** ISO 8601 in UTC, with milliseconds. */
  lastAt: string
  /** Why we do not go there, where we do not. */
  refused: string | null
}

export interface DestinationReplyGroup {
  code: number | null
  enhanced: string | null
  /** The last one of those that differ in numbers and addresses only. Addresses are left out. */
  text: string
  stage: string | null
  count: number
  /** ISO 8601 in UTC, with milliseconds. */
  lastAt: string
  explanation: Explanation
}

export interface QueueDestinationDetail {
  /** ISO 8601 in UTC, with milliseconds. */
  asOf: string
  /** As `recipients[].destination` of an email names it. */
  destination: string
  /** For people. */
  name: string
  /** Recipients of the project whose mail has not left and is not scheduled. */
  waiting: number
  /** ISO 8601 in UTC, with milliseconds. */
  oldestAt: string | null
  state: 'flows' | 'slowed' | 'suspended' | 'unreachable' | 'paused'
  needsLook: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  since: string | null
  pace: DestinationPace
  /** ISO 8601 in UTC, with milliseconds. */
  nextTryAt: string | null
  lastReply: DestinationReply | null
  explanation: Explanation | null
  paused: DestinationPause | null
  ages: DestinationAges
  /** What was answered to mail of the project in the last 24 hours, the most frequent first. */
  replies: DestinationReplyGroup[]
  /** Where mail of the project went, or was to go, in the last 24 hours. */
  hosts: DestinationHost[]
}

export interface RetriedDestination {
  recipients: number
}

export interface PauseDestination {
  /** Why, in words for colleagues. */
  because?: string
  /**
   * For the mail of the whole installation. Needs the workspace role owner or admin, or a full-access workspace key.
   */
  everywhere?: boolean
}

export interface ResumeDestination {
  /** Why, in words for colleagues. */
  because?: string
  /**
   * For the mail of the whole installation. Needs the workspace role owner or admin, or a full-access workspace key.
   */
  everywhere?: boolean
}
