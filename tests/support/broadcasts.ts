import { expect } from 'vitest'
import type { Client, Reply } from './client.ts'
import { SANDBOX } from './emails.ts'
import { accepted, created } from './world.ts'

export interface Stats extends Record<string, number> {
  recipients: number
  queued: number
  delivered: number
  deferred: number
  suppressed: number
  failed: number
  cancelled: number
}

export interface BroadcastSeen {
  id: string
  name: string
  audienceId: string
  status: string
  sendAt: string | null
  startedAt: string | null
  completedAt: string | null
  problem: string | null
  stats: Stats
  [field: string]: unknown
}

/** What everybody may send. */
export const newsletter = (audienceId: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  audienceId,
  from: SANDBOX,
  subject: 'News for {{ firstName }}',
  html: '<p>Hello {{ contact.firstName }}.</p>',
  ...more,
})

export const newBroadcast = async (
  client: Client,
  audience: string,
  more?: Record<string, unknown>,
): Promise<BroadcastSeen> => created(await client.post<BroadcastSeen>('broadcasts', newsletter(audience, more)))

export const sendBroadcast = async (client: Client, { id }: { id: string }): Promise<BroadcastSeen> =>
  accepted(await client.post<BroadcastSeen>(`broadcasts/${id}/send`))

export async function readBroadcast(client: Client, { id }: { id: string }): Promise<BroadcastSeen> {
  const { status, body, text } = await client.get<BroadcastSeen>(`broadcasts/${id}`)
  expect(status, text).toBe(200)
  return body
}

/** The numbers that have to add up, added up. */
export const accountedFor = ({ stats }: BroadcastSeen): number =>
  [
    'queued',
    'delivered',
    'deferred',
    'bounced',
    'filteredspam',
    'quarantined',
    'suppressed',
    'failed',
    'cancelled',
  ].reduce((sum, bucket) => sum + stats[bucket]!, 0)

export interface OutstandingSeen {
  contactId: string
  email: string | null
  status: string
  emailId: string | null
  attempts: number
  nextAttemptAt: string | null
}

/** Every page of it. */
export async function reconciliation(
  client: Client,
  { id }: { id: string },
  pageSize = 100,
): Promise<OutstandingSeen[]> {
  const found: OutstandingSeen[] = []
  for (let cursor = ''; ;) {
    const { body, status, text }: Reply<{ data: OutstandingSeen[]; nextCursor: string | null }> = await client.get(
      `broadcasts/${id}/reconciliation?limit=${pageSize}${cursor}`,
    )
    expect(status, text).toBe(200)
    found.push(...body.data)
    if (body.nextCursor === null) return found
    cursor = `&cursor=${body.nextCursor}`
  }
}
