/** People who are about to be mailed, and deeds that are to prevent it in the last moment. */
import { expect } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import type { Client } from './client.ts'
import { eventually, stretched } from './eventually.ts'
import type { MailWorld } from './mail-world.ts'
import { accepted } from './world.ts'

/** How long after our yes something may still leave. */
const SECOND = 1_000

export interface Race {
  operation: string
  /** Whose mail it is about. */
  emails: readonly string[]
  /** Answers the status. */
  stop(): Promise<number>
}

/** When a deed was answered, by the clock of the sink. */
interface Stopped {
  operation: string
  at: number
  status: number
}

/**
 * Some are slow to take their mail, in different places: then it is anywhere between the queue and the last dot. A few
 * are so slow that whatever was asked before they made us wait has to be asked again.
 */
export function addressOf(name: string, i: number): string {
  const person = `${name}${String(i).padStart(3, '0')}`
  if (i % 16 === 7) return `tarpit-1700-at-data+${person}@sink.test`
  if (i % 3 === 0) return `tarpit-${100 + 25 * (i % 8)}${i % 2 === 0 ? '' : '-at-data'}+${person}@sink.test`
  return `${person}@sink.test`
}

/** Imported by the worker, all at once. */
export async function joinAll({ projectApi }: MailWorld, audience: string, emails: readonly string[]): Promise<void> {
  const { id } = accepted(
    await projectApi.request<{ id: string }>('POST', `audiences/${audience}/contacts/import`, {
      body: Buffer.from(`email\n${emails.join('\n')}\n`),
      headers: { 'content-type': 'text/csv' },
    }),
  )
  await eventually('they have joined', async () => {
    const { body } = await projectApi.get<{ rows: { created: number } }>(`audiences/${audience}/contacts/imports/${id}`)
    return body.rows.created === emails.length
  })
}

/** What a person, or somebody for them, can do against mail to them. */
export const operationsOf = (client: Client, audience: string): Record<string, (email: string) => Promise<number>> => {
  const path = (email: string) => `audiences/${audience}/contacts/${encodeURIComponent(email)}`
  return {
    unsubscribe: async (email) => (await client.patch(path(email), { subscribed: false })).status,
    suppress: async (email) => (await client.post('suppressions', { email })).status,
    delete: async (email) => (await client.delete(path(email))).status,
  }
}

/** So many of those whose turn it was have their mail when it is the turn of the next. */
const PART = 0.4
/** The first of them, a part of all, have their turn before any mail has left. */
const HEAD = 0.05
/** However little is mailed, nobody waits longer than this for their turn, on a machine with nothing else to do. */
const QUIET_MS = 100

/**
 * Runs the races in the order in which the mail leaves, as quickly as it does: for some mail to others, somebody has
 * their turn. So everybody's comes when their own message is about to leave, however busy the machine.
 */
export async function raceAll(
  { sink }: MailWorld,
  races: readonly Race[],
  startAt: number,
): Promise<Map<string, Stopped>> {
  const stopped = new Map<string, Stopped>()
  const answers: Promise<void>[] = []
  const run = async ({ operation, emails, stop }: Race): Promise<void> => {
    // Whoever is told that we are too busy tries again, and counts from the yes.
    const status = await eventually(`${operation} is answered`, async () => {
      const answer = await stop()
      return answer !== 503 && answer
    })
    const at = performance.now()
    for (const email of emails) stopped.set(email, { operation, at, status })
  }
  const all = races.reduce((sum, { emails }) => sum + emails.length, 0)
  const quietMs = stretched(QUIET_MS)
  let [before, last] = [0, startAt]
  for (const race of races) {
    const mailed = (before - all * HEAD) * PART
    await eventually('its turn', () => {
      const now = performance.now()
      return now >= startAt && (sink.taken.length > mailed || now >= last + quietMs)
    })
    last = performance.now()
    answers.push(run(race))
    before += race.emails.length
  }
  await Promise.all(answers)
  return stopped
}

/** No worker holds anything: whatever is left is in the queue, or out of it. */
export const nothingInHand = ({ db }: MailWorld): Promise<unknown> =>
  eventually(
    'no worker holds anything',
    async () => {
      const { held } = await db.one(sql<{ held: number }>`
        select count(*) as held from deliveries where state in ('ready', 'claimed', 'in_flight')`)
      return held === 0
    },
    60_000,
  )

/** By what the sink has taken, and when. */
export function expectNothingLate({ sink }: MailWorld, stopped: ReadonlyMap<string, Stopped>): void {
  const most = stretched(SECOND)
  for (const { to, at } of sink.taken) expect(at - stopped.get(to)!.at, to).toBeLessThan(most)
  const taken = new Map(sink.taken.map(({ to, at }) => [to, at]))
  expect(taken.size).toBe(sink.taken.length)
  // A race that only one side ever wins is none.
  for (const [operation, people] of Map.groupBy(stopped, ([, one]) => one.operation)) {
    for (const [email, { status }] of people) expect([200, 201], `${operation} ${email}`).toContain(status)
    const mailed = people.filter(([email]) => taken.has(email)).length
    expect(mailed, operation).toBeGreaterThan(0)
    expect(mailed, operation).toBeLessThan(people.length)
  }
  // Nor is one in which nobody was ever close.
  const close = [...stopped].filter(([email, { at }]) => Math.abs((taken.get(email) ?? Infinity) - at) < SECOND)
  expect(close.length).toBeGreaterThan(0)
}
