import { expect, test } from 'vitest'
import { addContact, newAudience, newTag } from '../support/audiences.ts'
import { automationOf, mailStep, newAutomation, overdue, runsOf } from '../support/automations.ts'
import { eventually } from '../support/eventually.ts'
import { mailWorld, steadyPauses, type MailWorld } from '../support/mail-world.ts'
import { sql } from '../../src/storage/sql.ts'

/** How long after our yes something may still leave. */
const SECOND = 1_000

/** Everybody is to be mailed so long after they joined. */
const DELAY_S = 4

/** Some are slow to take their mail, in different places: then it is anywhere between the queue and the last dot. */
const addressOf = (name: string, i: number): string =>
  i % 3 === 0
    ? `tarpit-${150 + 25 * (i % 10)}${i % 2 === 0 ? '' : '-at-data'}+${name}${i}@sink.test`
    : `${name}${i}@sink.test`

interface Race {
  email: string
  /** What is done about it in the last moment; throws unless it is answered with a yes. */
  stop(): Promise<void>
}

/**
 * Runs every race around the moment in which its step is due: from a little before, when nothing has been sent, to
 * after it, when mail may be in the queue or on the wire. Says when each was answered.
 */
async function raceAll(races: readonly Race[], dueAt: number): Promise<Map<string, number>> {
  const answered = new Map<string, number>()
  await Promise.all(
    races.map(async ({ email, stop }, i) => {
      const moment = dueAt - 200 + (i * 1_200) / races.length
      await eventually('its moment', () => performance.now() >= moment)
      await stop()
      answered.set(email, performance.now())
    }),
  )
  return answered
}

async function settled(here: MailWorld): Promise<void> {
  await eventually('nobody is due', async () => (await overdue(here)) === 0, 60_000)
  await eventually(
    'no worker holds anything',
    async () => {
      const { held } = await here.db.one(sql<{ held: number }>`
        select count(*) as held from deliveries where state in ('ready', 'claimed', 'in_flight')`)
      return held === 0
    },
    60_000,
  )
}

function expectNothingLate({ sink }: MailWorld, answered: ReadonlyMap<string, number>): void {
  for (const { to, at } of sink.taken) expect(at - answered.get(to)!, to).toBeLessThan(SECOND)
  expect(new Set(sink.taken.map(({ to }) => to)).size).toBe(sink.taken.length)
  // A race that only one side ever wins is none.
  const won = [...answered.keys()].filter((to) => !sink.taken.some((mail) => mail.to === to))
  expect(won.length).toBeGreaterThan(0)
  expect(sink.taken.length).toBeGreaterThan(0)
}

async function begun() {
  const here = await mailWorld({ circumstances: steadyPauses })
  const audience = await newAudience(here.projectApi)
  const steps = [{ type: 'delay', duration: `PT${DELAY_S}S` }, mailStep('Hello')]
  return { ...here, audience, trigger: { type: 'audience', audienceId: audience }, sender: { from: here.from }, steps }
}

test('240 races: whoever unsubscribes, is suppressed, untagged or deleted in the last moment gets nothing later', async () => {
  const here = await begun()
  const { projectApi, audience, sender, steps } = here
  const tag = await newTag(projectApi, 'trial')
  const { id } = await newAutomation(projectApi, { trigger: { type: 'tag', tagId: tag }, sender, steps })
  const people = Array.from({ length: 240 }, (_, i) => addressOf('user', i))
  const path = (email: string) => `audiences/${audience}/contacts/${encodeURIComponent(email)}`
  const ways: ((email: string) => Promise<number>)[] = [
    async (email) => (await projectApi.patch(path(email), { subscribed: false })).status,
    async (email) => (await projectApi.post('suppressions', { email })).status,
    async (email) =>
      (await projectApi.delete(`contact-tags/${tag}/contacts?email=${encodeURIComponent(email)}`)).status,
    async (email) => (await projectApi.delete(path(email))).status,
  ]
  for (let at = 0; at < people.length; at += 20) {
    await Promise.all(people.slice(at, at + 20).map((email) => addContact(projectApi, audience, email)))
  }
  await projectApi.post(`contact-tags/${tag}/contacts`, { emails: people })
  const dueAt = performance.now() + DELAY_S * 1_000
  await eventually('all wait', async () => (await automationOf(projectApi, id)).stats['waiting'] === people.length)
  const races = people.map((email, i) => ({
    email,
    stop: async () => expect([200, 201]).toContain(await ways[i % ways.length]!(email)),
  }))
  // In another order than that of joining, so that every way meets every moment.
  const answered = await raceAll(
    races.toSorted((a, b) => a.email.length - b.email.length),
    dueAt,
  )
  await settled(here)
  expectNothingLate(here, answered)
  const { stats } = await automationOf(projectApi, id)
  expect(stats).toMatchObject({ started: people.length, waiting: 0, failed: 0 })
  expect(stats['completed']! + stats['stopped']!).toBe(people.length)
  for (const { status, results } of await runsOf(projectApi, id, 'status=stopped')) {
    expect(status).toBe('stopped')
    expect(results.filter(({ type }) => type === 'email')).toEqual([])
  }
}, 120_000)

test('60 races against disabling: what is not out yet is held, and leaves once it is enabled again', async () => {
  const here = await begun()
  const { projectApi, sender, steps, sink } = here
  const groups = await Promise.all(
    Array.from({ length: 12 }, async (_, g) => {
      const audienceId = await newAudience(projectApi, `group ${g}`)
      const { id } = await newAutomation(projectApi, { trigger: { type: 'audience', audienceId }, sender, steps })
      const emails = Array.from({ length: 5 }, (_, i) => addressOf(`g${g}-`, i))
      await Promise.all(emails.map((email) => addContact(projectApi, audienceId, email)))
      return { id, emails, joinedAt: performance.now() }
    }),
  )
  const answered = new Map<string, number>()
  await Promise.all(
    groups.map(async ({ id, emails, joinedAt }, g) => {
      await eventually('its moment', () => performance.now() >= joinedAt + DELAY_S * 1_000 - 200 + g * 90)
      expect((await projectApi.patch(`automations/${id}`, { enabled: false })).status).toBe(200)
      for (const email of emails) answered.set(email, performance.now())
    }),
  )
  await settled(here)
  expectNothingLate(here, answered)
  await Promise.all(groups.map(({ id }) => projectApi.patch(`automations/${id}`, { enabled: true })))
  await eventually('everybody has it', () => sink.taken.length >= answered.size, 90_000)
  expect(sink.taken.map(({ to }) => to).toSorted()).toEqual([...answered.keys()].toSorted())
}, 150_000)

test('mail that waits for another attempt is called back as well', async () => {
  const here = await begun()
  const { projectApi, audience, sender, advance, sink, db } = here
  const tag = await newTag(projectApi, 'trial')
  const { id } = await newAutomation(projectApi, {
    trigger: { type: 'tag', tagId: tag },
    sender,
    steps: [mailStep('Hello')],
  })
  const people = ['unsubscribed', 'suppressed', 'untagged', 'deleted'].map((name) => `greylist-1+${name}@sink.test`)
  for (const email of people) await addContact(projectApi, audience, email)
  await projectApi.post(`contact-tags/${tag}/contacts`, { emails: people })
  await eventually('all were put off', async () => {
    const { n } = await db.one(sql<{ n: number }>`select count(*) as n from deliveries where attempts = 1`)
    return n === people.length
  })
  expect((await automationOf(projectApi, id)).stats).toMatchObject({ completed: people.length })
  const [unsubscribed, suppressed, untagged, deleted] = people.map(encodeURIComponent)
  await projectApi.patch(`audiences/${audience}/contacts/${unsubscribed}`, { subscribed: false })
  await projectApi.post('suppressions', { email: decodeURIComponent(suppressed!) })
  await projectApi.delete(`contact-tags/${tag}/contacts?email=${untagged}`)
  await projectApi.delete(`audiences/${audience}/contacts/${deleted}`)
  await advance({ hours: 2 })
  await eventually('nothing is left to send', async () => {
    const { n } = await db.one(sql<{ n: number }>`select count(*) as n from deliveries`)
    return n === 0
  })
  expect(sink.taken).toEqual([])
})
