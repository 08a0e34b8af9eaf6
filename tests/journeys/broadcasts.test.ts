import { expect, test } from 'vitest'
import { makeAllDue } from '../jobs/world.ts'
import { readMessage } from '../mail/reading.ts'
import { addContact, newAudience } from '../support/audiences.ts'
import {
  accountedFor,
  newBroadcast,
  readBroadcast,
  reconciliation,
  sendBroadcast,
  type BroadcastSeen,
} from '../support/broadcasts.ts'
import type { Client } from '../support/client.ts'
import { at } from '../support/emails.ts'
import { eventually, stretched } from '../support/eventually.ts'
import { mailWorld, steadyPauses, type MailWorld } from '../support/mail-world.ts'

async function audienceOf(client: Client, emails: readonly string[]): Promise<string> {
  const audience = await newAudience(client)
  await Promise.all(emails.map((email) => addContact(client, audience, email, { firstName: email.split('@')[0]! })))
  return audience
}

/** The broadcast once it has this status; whatever it was on the way, its numbers added up. */
const becomes = (client: Client, broadcast: { id: string }, status: string): Promise<BroadcastSeen> =>
  eventually(
    `the broadcast is ${status}`,
    async () => {
      const seen = await readBroadcast(client, broadcast)
      if (accountedFor(seen) !== seen.stats.recipients) throw new Error(JSON.stringify(seen.stats))
      return seen.status === status && seen
    },
    60_000,
  )

const people = (count: number): string[] => Array.from({ length: count }, (_, i) => `user${i}@sink.test`)

const recipientsIn = ({ sink }: MailWorld): string[] => sink.taken.map(({ to }) => to).toSorted()

test('everybody gets a message of their own, and can leave by its signed headers', async () => {
  const here = await mailWorld()
  const { projectApi, sink, from } = here
  const audience = await newAudience(projectApi)
  for (const [name, city] of [
    ['Ann', 'Łódź'],
    ['Bob', '<Rome>'],
  ] as const) {
    const more = { firstName: name, lastName: 'Reader', properties: { city } }
    await addContact(projectApi, audience, `${name.toLowerCase()}@sink.test`, more)
  }
  const draft = await newBroadcast(projectApi, audience, {
    from,
    replyTo: 'Desk <desk@posts.example>',
    subject: '{{ firstName }}, news of {{ month }}',
    html: '<p>Dear {{ contact.firstName }} in {{ contact.properties.city }}: <a href="{{ unsubscribeUrl }}">out</a></p>',
    previewText: 'For {{ email }}',
    variables: { month: 'May' },
  })
  const broadcast = await sendBroadcast(projectApi, draft)
  const sent = await becomes(projectApi, broadcast, 'sent')
  expect(sent).toMatchObject({ stats: { recipients: 2, delivered: 2 }, completedAt: expect.any(String) })
  expect(recipientsIn(here)).toEqual(['ann@sink.test', 'bob@sink.test'])
  for (const { to, raw } of sink.taken) {
    const message = readMessage(raw)
    const header = (name: string) => message.headers.find((one) => one.name === name)?.value ?? ''
    const [name, city] = to.startsWith('ann') ? ['Ann', 'Łódź'] : ['Bob', '&lt;Rome&gt;']
    expect(header('Subject')).toBe(`${name}, news of May`)
    expect(header('To')).toBe(`${name} Reader <${to}>`)
    expect(header('Reply-To')).toBe('Desk <desk@posts.example>')
    const html = message.parts.find(({ type }) => type === 'text/html')!.content.toString()
    const link = /<(https?:[^>]*\/u\/[^>]*)>/.exec(header('List-Unsubscribe'))![1]!
    expect(html).toContain(`<p>Dear ${name} in ${city}: <a href="${link}">out</a></p>`)
    expect(html).toContain(`For ${to}`)
    expect(header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    const covered = /h=([^;]*)/.exec(header('DKIM-Signature'))![1]!.toLowerCase().replaceAll(' ', '').split(':')
    expect(covered).toEqual(expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']))
  }
  const messageIds = sink.taken.map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw.toString('latin1'))![1])
  expect(new Set(messageIds).size).toBe(2)
})

test('the numbers add up at every moment, whatever becomes of people', async () => {
  const { projectApi } = await mailWorld({ bare: true })
  const wanted = { delivered: 30, bounced: 4, complained: 3, suppressed: 2, quarantined: 5, deferred: 6 }
  const emails = Object.entries(wanted).flatMap(([name, count]) =>
    Array.from({ length: count }, (_, i) => at(`${name}+${i}`)),
  )
  const audience = await audienceOf(projectApi, emails)
  const broadcast = await sendBroadcast(projectApi, await newBroadcast(projectApi, audience))
  const seen: BroadcastSeen[] = []
  await eventually('it is sent', async () => {
    const now = await readBroadcast(projectApi, broadcast)
    seen.push(now)
    return now.status === 'sent'
  })
  for (const one of seen) expect(accountedFor(one), JSON.stringify(one.stats)).toBe(one.stats.recipients)
  // Not only at the beginning and the end.
  expect(new Set(seen.map(({ stats }) => JSON.stringify(stats))).size).toBeGreaterThan(3)
  expect(seen.some(({ stats }) => stats.deferred > 0)).toBe(true)
  expect(seen.at(-1)!.stats).toEqual({
    recipients: 50,
    queued: 0,
    delivered: 36,
    deferred: 0,
    bounced: 4,
    filteredspam: 3,
    quarantined: 5,
    suppressed: 2,
    failed: 0,
    cancelled: 0,
    unsubscribed: 0,
    opens: 0,
    clicks: 0,
  })
  expect(await reconciliation(projectApi, broadcast)).toEqual([])
})

test('a paused broadcast stands still within a second, and goes on with everybody who is left', async () => {
  const here = await mailWorld()
  const { projectApi, sink, from } = here
  const slow = Array.from({ length: 40 }, (_, i) => `tarpit-${100 + 20 * i}+${i}@sink.test`)
  const broadcast = await sendBroadcast(
    projectApi,
    await newBroadcast(projectApi, await audienceOf(projectApi, slow), { from }),
  )
  await eventually('the first are through', () => sink.taken.length > 3)
  expect((await projectApi.post(`broadcasts/${broadcast.id}/pause`)).body).toMatchObject({ status: 'paused' })
  const paused = performance.now()
  const held = await eventually('nothing is in anybody’s hands', async () => {
    const outstanding = await reconciliation(projectApi, broadcast)
    return outstanding.every(({ status }) => status === 'held' || status === 'waiting') && outstanding
  })
  const most = stretched(1_000)
  for (const { to, at: when } of sink.taken) expect(when - paused, to).toBeLessThan(most)
  const stats = (await readBroadcast(projectApi, broadcast)).stats
  expect(held.length).toBe(stats.queued)
  expect(held.length).toBeGreaterThan(0)
  expect(stats.delivered + held.length).toBe(slow.length)
  // Somebody leaves while it stands still.
  const left = held[0]!.email!
  const { audienceId } = broadcast
  await projectApi.patch(`audiences/${audienceId}/contacts/${encodeURIComponent(left)}`, { subscribed: false })
  expect((await projectApi.post(`broadcasts/${broadcast.id}/resume`)).body).toMatchObject({ status: 'sending' })
  const sent = await becomes(projectApi, broadcast, 'sent')
  expect(sent.stats).toMatchObject({ recipients: 40, delivered: 39, suppressed: 1 })
  expect(recipientsIn(here)).toEqual(slow.filter((email) => email !== left).toSorted())
})

test('whoever unsubscribes, is suppressed or is deleted in the last moment gets nothing more', async () => {
  const here = await mailWorld()
  const { projectApi, sink, from } = here
  const slow = Array.from({ length: 30 }, (_, i) => `tarpit-${150 + 30 * i}-at-data+${i}@sink.test`)
  const audience = await audienceOf(projectApi, slow)
  const broadcast = await sendBroadcast(projectApi, await newBroadcast(projectApi, audience, { from }))
  await eventually('the first are through', () => sink.taken.length > 3)
  const since = new Map<string, number>()
  const leave = async (email: string, i: number): Promise<void> => {
    const path = `audiences/${audience}/contacts/${encodeURIComponent(email)}`
    const reply = await [
      () => projectApi.patch(path, { subscribed: false }),
      () => projectApi.post('suppressions', { email }),
      () => projectApi.delete(path),
    ][i % 3]!()
    expect(reply.status).toBeLessThan(300)
    since.set(email, performance.now())
  }
  await Promise.all(slow.map(leave))
  const { stats } = await becomes(projectApi, broadcast, 'sent')
  expect(stats.delivered + stats.suppressed).toBe(30)
  expect(stats.suppressed).toBeGreaterThan(10)
  expect(sink.taken).toHaveLength(stats.delivered)
  const most = stretched(1_000)
  for (const { to, at: when } of sink.taken) expect(when - since.get(to)!, to).toBeLessThan(most)
})

test('a scheduled broadcast leaves when its time has come', async () => {
  const here = await mailWorld({ circumstances: steadyPauses })
  const { projectApi, from, db, advance } = here
  const everybody = people(5)
  const { id } = await newBroadcast(projectApi, await audienceOf(projectApi, everybody), { from })
  const sendAt = new Date(Date.now() + 3_600_000).toISOString()
  const { body } = await projectApi.post(`broadcasts/${id}/schedule`, { sendAt })
  expect(body).toMatchObject({ status: 'scheduled', sendAt })
  await advance({ minutes: 59 })
  await makeAllDue(db)
  await advance({ minutes: 2 })
  await eventually('its job is due', async () => {
    await makeAllDue(db)
    return (await readBroadcast(projectApi, { id })).status !== 'scheduled'
  })
  const sent = await becomes(projectApi, { id }, 'sent')
  expect(sent.sendAt).toBe(sendAt)
  expect(Date.parse(sent.startedAt!)).toBeGreaterThanOrEqual(Date.parse(sendAt))
  expect(recipientsIn(here)).toEqual(everybody)
})

test('a throttled broadcast leaves as slowly as it was told', async () => {
  const here = await mailWorld()
  const { projectApi, sink, from } = here
  const everybody = people(6)
  const audience = await audienceOf(projectApi, everybody)
  const draft = await newBroadcast(projectApi, audience, { from, throttle: { perMinute: 120 } })
  await sendBroadcast(projectApi, draft)
  await becomes(projectApi, draft, 'sent')
  expect(recipientsIn(here)).toEqual(everybody)

  const slow = await newBroadcast(projectApi, audience, { from, throttle: { perMinute: 12 } })
  const start = performance.now()
  await sendBroadcast(projectApi, slow)
  await eventually('the first four are through', () => sink.taken.length >= 10)
  // Two at a time; the second two ten seconds after the first.
  expect(performance.now() - start).toBeGreaterThan(10_000)
  const waiting = (await reconciliation(projectApi, slow)).filter(({ status }) => status === 'waiting')
  expect(waiting).toHaveLength(2)
})
