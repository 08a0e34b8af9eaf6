import { expect } from 'vitest'
import { allJobs } from '../../src/app/jobs.ts'
import { sql } from '../../src/storage/sql.ts'
import { runnerOf } from '../jobs/world.ts'
import type { Client } from './client.ts'
import { created, type World } from './world.ts'

export interface ContactSeen {
  id: string
  audienceId: string
  email: string
  firstName: string | null
  lastName: string | null
  subscribed: boolean
  properties: Record<string, unknown>
  tags: string[]
  consent: Record<string, string | null> | null
  createdAt: string
  updatedAt: string
  unsubscribedAt: string | null
}

export interface Listed<T> {
  data: T[]
  hasMore: boolean
  nextCursor: string | null
}

export interface Counts {
  total: number
  subscribed: number
  unsubscribed: number
}

export const newAudience = async (client: Client, name = 'Readers'): Promise<string> =>
  created(await client.post<{ id: string }>('audiences', { name })).id

export const newTag = async (client: Client, name: string): Promise<string> =>
  created(await client.post<{ id: string }>('contact-tags', { name })).id

export async function addContact(
  client: Client,
  audience: string,
  email: string,
  more: object = {},
): Promise<ContactSeen> {
  return created(await client.post<ContactSeen>(`audiences/${audience}/contacts`, { email, ...more }))
}

export async function contactsOf(client: Client, audience: string, query = ''): Promise<Listed<ContactSeen>> {
  const { status, body, text } = await client.get<Listed<ContactSeen>>(`audiences/${audience}/contacts?${query}`)
  expect(status, text).toBe(200)
  return body
}

export const namesOf = ({ data }: Listed<ContactSeen>): string[] => data.map(({ email }) => email.replace(/@.*/, ''))

export const countsOf = async (client: Client, audience: string): Promise<Counts> =>
  (await client.get<{ counts: Counts }>(`audiences/${audience}`)).body.counts

/** As the rows themselves have it, whatever the counters say. */
export const recounted = (db: World['db'], audience: string): Promise<Counts> =>
  db.one(sql<Counts>`
    select count(*) as total, count(*) filter (where subscribed) as subscribed,
           count(*) filter (where not subscribed) as unsubscribed
      from contacts join audiences on audiences.id = audience_id
     where audiences.name = ${audience}`)

export const runJobs = ({ db, services }: Pick<World, 'db' | 'services'>): Promise<void> =>
  runnerOf(db, allJobs(db, services)).runOnce()

export function expectRefused({ status, body }: { status: number; body: Record<string, unknown> }, path: string): void {
  expect({ status, code: body['code'] }, JSON.stringify(body)).toEqual({ status: 400, code: 'validation_error' })
  expect((body['details'] as { path: string }[]).map((detail) => detail.path)).toContain(path)
}
