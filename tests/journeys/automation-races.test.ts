import { expect, test } from 'vitest'
import { addContact, newAudience, newTag } from '../support/audiences.ts'
import { automationOf, mailStep, newAutomation, overdue, runsOf } from '../support/automations.ts'
import { eventually, stretched } from '../support/eventually.ts'
import { mailWorld, steadyPauses, type MailWorld } from '../support/mail-world.ts'
import { addressOf, operationsOf, expectNothingLate, joinAll, nothingInHand, raceAll } from '../support/races.ts'
import { sql } from '../../src/storage/sql.ts'

/** Everybody is to be mailed so long after they got their tag: on a busy machine later, for tags take longer too. */
const DELAY_MS = 3_000
/** The first races are run so long before. */
const HEAD_MS = 200

async function begun() {
  const here = await mailWorld({ circumstances: steadyPauses })
  const audience = await newAudience(here.projectApi)
  const delayS = Math.ceil(stretched(DELAY_MS) / 1_000)
  const steps = [{ type: 'delay', duration: `PT${delayS}S` }, mailStep('Hello')]
  return { ...here, audience, sender: { from: here.from }, steps, delayS }
}

async function settled(here: MailWorld): Promise<void> {
  await eventually('nobody is due', async () => (await overdue(here)) === 0)
  await nothingInHand(here)
}

test('480 races: whoever unsubscribes, is suppressed, untagged or deleted in the last moment gets nothing later', async () => {
  const here = await begun()
  const { projectApi, audience, sender, steps, delayS } = here
  const tag = await newTag(projectApi, 'trial')
  const { id } = await newAutomation(projectApi, { trigger: { type: 'tag', tagId: tag }, sender, steps })
  const people = Array.from({ length: 480 }, (_, i) => addressOf('user', i))
  await joinAll(here, audience, people)
  const operations = Object.entries({
    ...operationsOf(projectApi, audience),
    untag: async (email: string) =>
      (await projectApi.delete(`contact-tags/${tag}/contacts?email=${encodeURIComponent(email)}`)).status,
  })
  const startAt = performance.now() + delayS * 1_000 - HEAD_MS
  // In portions, so that the mail leaves in about this order.
  for (let i = 0; i < people.length; i += 20) {
    await projectApi.post(`contact-tags/${tag}/contacts`, { emails: people.slice(i, i + 20) })
  }
  expect((await automationOf(projectApi, id)).stats).toMatchObject({ started: people.length, completed: 0 })
  const races = people.map((email, i) => {
    // Every deed meets every kind of address.
    const [operation, stop] = operations[(i + Math.floor(i / 48)) % operations.length]!
    return { operation, emails: [email], stop: () => stop(email) }
  })
  const stopped = await raceAll(here, races, startAt)
  await settled(here)
  expectNothingLate(here, stopped)
  const { stats } = await automationOf(projectApi, id)
  expect(stats).toMatchObject({ started: people.length, waiting: 0, failed: 0 })
  expect(stats['completed']! + stats['stopped']!).toBe(people.length)
  for (const { status, results } of await runsOf(projectApi, id, 'status=stopped')) {
    expect(status).toBe('stopped')
    expect(results.filter(({ type }) => type === 'email')).toEqual([])
  }
})

test('120 races against disabling: what is not out yet is held, and leaves once it is enabled again', async () => {
  const here = await begun()
  const { projectApi, audience, sender, steps, delayS, sink } = here
  const groups = await Promise.all(
    Array.from({ length: 24 }, async (_, g) => {
      const tagId = await newTag(projectApi, `group ${g}`)
      const { id } = await newAutomation(projectApi, { trigger: { type: 'tag', tagId }, sender, steps })
      return { id, tagId, emails: Array.from({ length: 5 }, (_, i) => addressOf('user', g * 5 + i)) }
    }),
  )
  const everybody = groups.flatMap(({ emails }) => emails)
  await joinAll(here, audience, everybody)
  const startAt = performance.now() + delayS * 1_000 - HEAD_MS
  for (const { tagId, emails } of groups) await projectApi.post(`contact-tags/${tagId}/contacts`, { emails })
  const races = groups.map(({ id, emails }) => ({
    operation: 'disable',
    emails,
    stop: async () => (await projectApi.patch(`automations/${id}`, { enabled: false })).status,
  }))
  const stopped = await raceAll(here, races, startAt)
  await settled(here)
  expectNothingLate(here, stopped)
  await Promise.all(groups.map(({ id }) => projectApi.patch(`automations/${id}`, { enabled: true })))
  await eventually('everybody has it', () => sink.taken.length >= everybody.length, 90_000)
  await nothingInHand(here)
  expect(sink.taken.map(({ to }) => to).toSorted()).toEqual(everybody.toSorted())
})

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
