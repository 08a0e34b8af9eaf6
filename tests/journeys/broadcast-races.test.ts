import { expect, test } from 'vitest'
import { newAudience } from '../support/audiences.ts'
import { accountedFor, newBroadcast, readBroadcast, reconciliation, sendBroadcast } from '../support/broadcasts.ts'
import { eventually } from '../support/eventually.ts'
import { mailWorld, steadyPauses, type MailWorld } from '../support/mail-world.ts'
import { addressOf, operationsOf, expectNothingLate, joinAll, nothingInHand, raceAll } from '../support/races.ts'

const isSent = ({ projectApi }: MailWorld, broadcast: { id: string }) =>
  eventually(
    'it is sent',
    async () => {
      const seen = await readBroadcast(projectApi, broadcast)
      return seen.status === 'sent' && seen
    },
    90_000,
  )

test('300 races: whoever unsubscribes, is suppressed or deleted in the last moment gets nothing later', async () => {
  const here = await mailWorld({ circumstances: steadyPauses })
  const { projectApi, from, sink } = here
  const audience = await newAudience(projectApi)
  const people = Array.from({ length: 300 }, (_, i) => addressOf('user', i))
  await joinAll(here, audience, people)
  const operations = Object.entries(operationsOf(projectApi, audience))
  const races = people.map((email, i) => {
    // Every deed meets every kind of address.
    const [operation, stop] = operations[(i + Math.floor(i / 48)) % operations.length]!
    return { operation, emails: [email], stop: () => stop(email) }
  })
  const broadcast = await sendBroadcast(projectApi, await newBroadcast(projectApi, audience, { from }))
  await eventually('its recipients are written down', async () => {
    return (await readBroadcast(projectApi, broadcast)).stats.recipients === people.length
  })
  await eventually('the first mail has left', () => sink.taken.length > 0)
  const stopped = await raceAll(here, races, performance.now())
  const { stats } = await isSent(here, broadcast)
  expectNothingLate(here, stopped)
  expect(stats).toMatchObject({
    recipients: people.length,
    delivered: sink.taken.length,
    suppressed: people.length - sink.taken.length,
  })
})

/** Twenty broadcasts to five people each. */
const twentyGroups = (here: MailWorld) =>
  Promise.all(
    Array.from({ length: 20 }, async (_, g) => {
      const emails = Array.from({ length: 5 }, (_, i) => addressOf('user', g * 5 + i))
      const audience = await newAudience(here.projectApi, `group ${g}`)
      await joinAll(here, audience, emails)
      return { emails, broadcast: await newBroadcast(here.projectApi, audience, { from: here.from }) }
    }),
  )

test('100 races against a pause: what is not out yet is held, and leaves once it is resumed', async () => {
  const here = await mailWorld({ circumstances: steadyPauses })
  const { projectApi, sink } = here
  const groups = await twentyGroups(here)
  const everybody = groups.flatMap(({ emails }) => emails)
  for (const { broadcast } of groups) await sendBroadcast(projectApi, broadcast)
  const paused = new Set<string>()
  const races = groups.map(({ emails, broadcast }) => ({
    operation: 'pause',
    emails,
    stop: async () => {
      const { status, body } = await projectApi.post(`broadcasts/${broadcast.id}/pause`)
      if (status === 200) paused.add(broadcast.id)
      // It may be over already: then there is nothing to hold.
      return status === 409 && body['state'] === 'sent' ? 200 : status
    },
  }))
  const stopped = await raceAll(here, races, performance.now())
  await nothingInHand(here)
  expectNothingLate(here, stopped)
  for (const id of paused) {
    const outstanding = await reconciliation(projectApi, { id })
    for (const { status } of outstanding) expect(['held', 'waiting']).toContain(status)
    await projectApi.post(`broadcasts/${id}/resume`)
  }
  for (const { broadcast } of groups) await isSent(here, broadcast)
  expect(sink.taken.map(({ to }) => to).toSorted()).toEqual(everybody.toSorted())
})

test('100 races against a cancel: what is not out yet never leaves, and everybody is counted once', async () => {
  const here = await mailWorld({ circumstances: steadyPauses })
  const { projectApi, sink } = here
  const groups = await twentyGroups(here)
  for (const { broadcast } of groups) await sendBroadcast(projectApi, broadcast)
  const races = groups.map(({ emails, broadcast }) => ({
    operation: 'cancel',
    emails,
    stop: async () => {
      const { status, body } = await projectApi.post(`broadcasts/${broadcast.id}/cancel`)
      // It may be over already: then there is nothing to cancel.
      return status === 409 && body['state'] === 'sent' ? 200 : status
    },
  }))
  const stopped = await raceAll(here, races, performance.now())
  await eventually(
    'everybody has come to an end',
    async () => {
      const seen = await Promise.all(groups.map(({ broadcast }) => readBroadcast(projectApi, broadcast)))
      for (const one of seen) expect(accountedFor(one), JSON.stringify(one.stats)).toBe(one.stats.recipients)
      return seen.every(({ stats }) => stats.recipients === 5 && stats.queued + stats.deferred === 0)
    },
    90_000,
  )
  await nothingInHand(here)
  expectNothingLate(here, stopped)
  const seen = await Promise.all(groups.map(({ broadcast }) => readBroadcast(projectApi, broadcast)))
  for (const [i, { status, stats }] of seen.entries()) {
    const delivered = sink.taken.filter(({ to }) => groups[i]!.emails.includes(to)).length
    expect(stats).toMatchObject({ delivered, cancelled: 5 - delivered })
    if (delivered < 5) expect(status).toBe('cancelled')
  }
  const { body } = await projectApi.get<{ data: unknown[]; hasMore: boolean }>('emails?status=cancelled&limit=100')
  expect(body.data.length).toBeGreaterThan(0)
})
