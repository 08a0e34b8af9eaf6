import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import type { Database } from '../../src/storage/postgres.ts'
import { documentedMoves } from '../support/documented-states.ts'
import { eventually } from '../support/eventually.ts'
import { mailWorld } from '../support/mail-world.ts'
import { seedFor } from '../support/seed.ts'
import { accepted } from '../support/world.ts'

const moves = documentedMoves('Email')
const unfinished = new Set(['scheduled', 'queued', 'sending', 'deferred'])

/** Writes down every state that any recipient ever has, in the transaction in which it gets it. */
async function watch(db: Database): Promise<void> {
  await db.withClient((client) =>
    client.query(`
      create table seen (no bigserial, email_id uuid, position smallint, state text);
      create function see() returns trigger language plpgsql as $$
      begin
        insert into seen (email_id, position, state)
        select email_id, position, state from recipient_states
         where email_id = new.email_id and position = new.position;
        return null;
      end $$;
      create trigger see after insert or update on deliveries for each row execute function see();
      create trigger see after insert or update on recipients for each row execute function see();`),
  )
}

const people = ['delivered', 'bounced', 'complained', 'suppressed', 'quarantined', 'deferred', 'delivered+x']

/** What happens to one email: who gets it, when, and what its owner does then. */
const sequence = fc.record({
  to: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...people).map((who) => [who]) },
    { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom(...people), { minLength: 2, maxLength: 3 }) },
  ),
  plan: fc.oneof(
    { weight: 3, arbitrary: fc.constant({ inMs: undefined, steps: [] }) },
    {
      weight: 1,
      arbitrary: fc.record({
        inMs: fc.integer({ min: 0, max: 3_000 }),
        steps: fc.array(fc.constantFrom('cancel', 'sooner', 'later'), { maxLength: 2 }),
      }),
    },
  ),
})

test('10,000 generated stories: states move only along the documented graph', async () => {
  const { projectApi, api, projectId, db } = await mailWorld({ bare: true })
  await watch(db)
  const sequences = fc.sample(sequence, { numRuns: 10_000, seed: seedFor('stories') })
  const soon = (ms: number): string => new Date(Date.now() + ms).toISOString()
  let label = 0
  for (let at = 0; at < sequences.length; at += 100) {
    const some = sequences.slice(at, at + 100)
    const emails = some.map(({ to, plan: { inMs } }) => ({
      from: 'sandbox@sandbox.posthouse.test',
      // A label of its own: whoever bounces is not mailed again.
      to: to.map((who) => `${who.replace('+x', '')}+${label++}@simulator.posthouse.test`),
      subject: 'A story',
      text: 'Once upon a time.',
      ...(inMs === undefined ? {} : { sendAt: soon(inMs) }),
    }))
    const { data } = accepted(await projectApi.post<{ data: { id: string }[] }>('email/batch', { emails }))
    const ask = async ({ id }: { id: string }, i: number): Promise<void> => {
      for (const step of some[i]!.plan.steps) {
        if (step === 'cancel') await projectApi.post(`emails/${id}/cancel`)
        if (step === 'sooner') await projectApi.post(`emails/${id}/reschedule`, { sendAt: soon(0) })
        if (step === 'later') await projectApi.post(`emails/${id}/reschedule`, { sendAt: soon(2_000) })
      }
    }
    await Promise.all(data.filter(({ id }) => id !== undefined).map(ask))
    // Now and then the whole project stands still for a moment.
    if (at % 1_000 === 500) await api.patch(`projects/${projectId}`, { status: 'paused' })
    if (at % 1_000 === 500) await api.patch(`projects/${projectId}`, { status: 'active' })
  }
  await eventually(
    'everything has ended',
    async () => (await count(db, sql`select count(*) as n from deliveries`)) === 0,
    120_000,
  )
  const steps = await db.all(sql<{ before: string; after: string; n: number }>`
    select coalesce(before, '(new)') as before, state as after, count(*) as n
      from (select state, lag(state) over (partition by email_id, position order by no) as before from seen) walk
     group by 1, 2`)
  const isDrawn = (before: string, after: string): boolean => moves.get(before)?.has(after) === true
  // A row that is written again may be in the state in which it was.
  const isStanding = (before: string, after: string): boolean => before === after && unfinished.has(before)
  const wrong = steps.filter(({ before, after }) => !isDrawn(before, after) && !isStanding(before, after))
  expect(wrong).toEqual([])
  // All of it was really walked.
  const walked = new Set(steps.map(({ before, after }) => `${before} → ${after}`))
  for (const way of [
    'scheduled → cancelled',
    'scheduled → queued',
    'queued → sending',
    'sending → delivered',
    'sending → deferred',
    'deferred → sending',
    'sending → filteredspam',
  ]) {
    expect(walked).toContain(way)
  }
  expect(await count(db, sql`select count(distinct (email_id, position)) as n from seen`)).toBeGreaterThan(10_000)
}, 300_000)

const count = async (db: Database, query: ReturnType<typeof sql>): Promise<number> =>
  Number((await db.one(query as ReturnType<typeof sql<{ n: number }>>)).n)
