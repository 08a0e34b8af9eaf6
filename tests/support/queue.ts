import type { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Client } from './client.ts'

export interface Destination {
  destination: string
  name: string
  waiting: number
  oldestAt: string | null
  state: string
  needsLook: boolean
  since: string | null
  pace: { connections: number; limit: number; usualLimit: number; perMinute: number | null }
  nextTryAt: string | null
  lastReply: { code: number | null; enhanced: string | null; text: string | null; stage: string | null } | null
  explanation: { cause: string; title: string; sentence: string } | null
  paused: { by: { type: string; id: string | null }; since: string; because: string | null; everywhere: boolean } | null
}

export interface DestinationDetail extends Destination {
  asOf: string
  ages: Record<string, number | boolean>
  replies: { code: number | null; text: string; count: number; explanation: object }[]
  hosts: { host: string; address: string | null; tls: string | null; attempts: number; accepted: number }[]
}

export interface QueueAnswer {
  asOf: string
  waiting: number
  oldestAt: string | null
  leavingPerSecond: number
  lastLeftAt: string | null
  destinations: { all: number; needsLook: number }
  data: Destination[]
  hasMore: boolean
  nextCursor: string | null
}

/** The next look counts anew, however little time has passed. */
const countAnew = (db: Database) => db.run(sql`delete from queue_picture_times`)

export async function queueOf(db: Database, client: Client, query = ''): Promise<QueueAnswer> {
  await countAnew(db)
  const { status, text, body } = await client.get<QueueAnswer>(`queue${query}`)
  if (status !== 200) throw new Error(`${status} ${text}`)
  return body
}

export async function destinationOf(db: Database, client: Client, name: string): Promise<DestinationDetail> {
  await countAnew(db)
  const { status, text, body } = await client.get<DestinationDetail>(`queue/${encodeURIComponent(name)}`)
  if (status !== 200) throw new Error(`${status} ${text}`)
  return body
}
