import type { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Client, Reply } from './client.ts'
import { pathsOf } from './templates.ts'
import { accepted } from './world.ts'

export const SANDBOX = 'sandbox@sandbox.posthouse.test'

/** Somebody in the simulator. */
export const at = (local: string): string => `${local}@simulator.posthouse.test`

/** An email that everybody may send. */
export const mail = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  from: SANDBOX,
  to: at('ann'),
  subject: 'Hello',
  html: '<p>Hello there.</p>',
  ...more,
})

export interface Accepted {
  id: string
  projectId: string
  status: string
  from: string
  to: string[]
  subject: string
  sendAt: string | null
  createdAt: string
}

export interface Batch {
  id: string
  accepted: number
  rejected: number
  data: { index: number; id?: string; status?: string; error?: string; code?: string; [extra: string]: unknown }[]
}

export interface ShownEmail extends Accepted {
  cc: string[]
  bcc: string[]
  replyTo: string[]
  html: string | null
  text: string | null
  recipients: { email: string; kind: string; status: string; attempts: number; nextAttemptAt: string | null }[]
  events: { type: string; recipient: string; detail: string }[]
  attachments: { id: string; filename: string; contentType: string; size: number }[]
  [field: string]: unknown
}

export const post = (client: Client, more: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  client.post<Accepted & Record<string, unknown>>('email/send', mail(more), headers)

export const send = async (client: Client, more?: Record<string, unknown>): Promise<Accepted> =>
  accepted(await post(client, more))

export const read = async (client: Client, { id }: { id: string }): Promise<ShownEmail> =>
  (await client.get<ShownEmail>(`emails/${id}`)).body

export const sentAndRead = async (client: Client, more?: Record<string, unknown>): Promise<ShownEmail> =>
  read(client, await send(client, more))

/** Where a request is not valid. */
export const problemsOf = (reply: Reply<unknown>): string[] => pathsOf(reply as Reply, 400, 'validation_error')

export const refusal = (status: number, code: string) => ({ status, body: { code } })

const HOUR_MS = 3_600_000

export const hoursFromNow = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString()

/** How many rows an email has left where. Tables without any are left out. */
export async function rowsOf(db: Database): Promise<Record<string, number>> {
  const found = await db.all(sql<{ name: string; n: number }>`
    select 'emails' as name, count(*) as n from emails
    union all select 'contents', count(*) from contents
    union all select 'deliveries', count(*) from deliveries
    union all select 'recipients', count(*) from recipients
    union all select 'attachments', count(*) from content_attachments
    union all select 'blobs', count(*) from blobs
    union all select 'events', count(*) from events
    union all select 'keys', count(*) from idempotency_keys
    union all select 'used', coalesce(sum(used), 0) from quota_usage where period = 'day'`)
  return Object.fromEntries(found.map(({ name, n }) => [name, Number(n)] as const).filter(([, n]) => n > 0))
}
