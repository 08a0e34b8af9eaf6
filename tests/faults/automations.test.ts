import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { newAudience } from '../support/audiences.ts'
import { automationOf, mailStep, newAutomation } from '../support/automations.ts'
import { Client } from '../support/client.ts'
import { freshDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { startMailNode, type MailNode } from '../support/mail-node.ts'
import { startPosthouse } from '../support/posthouse-process.ts'
import type { Sink } from '../support/sink-mx.ts'
import { accepted } from '../support/world.ts'

const subjects = ['A', 'B', 'C']
const pause = { type: 'delay', duration: 'PT1S' }
const steps = [mailStep('A'), pause, mailStep('B'), pause, mailStep('C')]

async function joinAll(api: Client, from: string, people: readonly string[]): Promise<string> {
  const audience = await newAudience(api)
  const trigger = { type: 'audience', audienceId: audience }
  const { id } = await newAutomation(api, { trigger, sender: { from }, steps })
  const headers = { 'content-type': 'text/csv' }
  accepted(await api.post(`audiences/${audience}/contacts/import`, `email\n${people.join('\n')}\n`, headers))
  return id
}

/** The messages of each step for each person, by their Message-ID: the same one twice is a delivery twice, no more. */
function messages({ taken }: Sink): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { to, raw } of taken) {
    const field = (name: string) => new RegExp(`^${name}: (.*?)\r$`, 'im').exec(raw.toString('latin1'))?.[1] ?? ''
    const key = `${to} ${field('Subject')}`
    found.set(key, (found.get(key) ?? new Set()).add(field('Message-ID')))
  }
  return found
}

function expectOneOfEach(sink: Sink, people: readonly string[]): void {
  const found = messages(sink)
  const wanted = people.flatMap((to) => subjects.map((subject) => `${to} ${subject}`))
  expect([...found.keys()].toSorted()).toEqual(wanted.toSorted())
  expect([...found].filter(([, ids]) => ids.size !== 1)).toEqual([])
}

/** Waits until the worker has died so often. */
async function deaths({ node }: MailNode, wanted: number): Promise<void> {
  const seen = new Set<number>()
  await eventually(
    `${wanted} workers have died`,
    () => {
      const present = node.rolePid('worker')
      if (present !== undefined) seen.add(present)
      return seen.size > wanted
    },
    60_000,
  )
}

/** Of the same database, with another worker from its first to its last breath. */
const alike = ({ dns, sink }: MailNode): Record<string, string> => ({
  DNS_SERVERS: dns.address,
  SMTP_MX_PORT: String(sink.port),
  SMTP_HOSTNAME: 'posthouse.test',
  EGRESS_ALLOW: '127.0.0.0/8',
})

/** A node whose worker dies at this place, again and again, until a healthy one takes over. */
async function dyingAt(place: string, people: readonly string[], sender?: string) {
  const { url, drop } = await freshDatabase()
  onTestFinished(drop)
  const env = { DATABASE_URL: url, MASTER_KEY: randomBytes(32).toString('hex') }
  const here = await startMailNode({ ...env, POSTHOUSE_FAILPOINTS: `${place}=kill`, LOG_LEVEL: 'error' })
  const id = await joinAll(here.api, sender ?? here.from, people)
  await deaths(here, 3)
  const { stats } = await automationOf(here.api, id)
  const takeOver = async (): Promise<Client> => {
    await here.node.stop()
    const next = await startPosthouse({ env: { ...env, ...alike(here) } })
    const api = new Client(next.url, here.api.key)
    const isThrough = async () => (await automationOf(api, id)).stats['completed'] === people.length
    await eventually('all are through', isThrough)
    return api
  }
  return { ...here, stats, takeOver }
}

test('a worker that dies between the effects of steps and their commit has done nothing', async () => {
  const people = Array.from({ length: 50 }, (_, i) => `user${i}@sink.test`)
  const { sink, stats, takeOver } = await dyingAt('automations.before-commit', people)
  expect(stats).toMatchObject({ started: 50, waiting: 50, emails: 0 })
  expect(sink.taken).toEqual([])
  await takeOver()
  await eventually('everything has arrived', () => messages(sink).size === 150)
  expectOneOfEach(sink, people)
}, 240_000)

test('a worker that dies right after the commit has done everything, once', async () => {
  const people = Array.from({ length: 30 }, (_, i) => `delivered+${i}@simulator.posthouse.test`)
  const { stats, takeOver } = await dyingAt('automations.after-commit', people, 'sandbox@sandbox.posthouse.test')
  expect(stats['emails']).toBeGreaterThanOrEqual(people.length)
  const api = await takeOver()
  // What was in hand at a death takes a while to arrive; that it exists once is what this is about.
  const { body } = await api.get<{ data: { to: string[]; subject: string }[] }>('emails?limit=100')
  const found = body.data.map(({ to, subject }) => `${to[0]} ${subject}`)
  expect(found.toSorted()).toEqual(people.flatMap((to) => subjects.map((subject) => `${to} ${subject}`)).toSorted())
}, 240_000)

test('600 people, five steps, workers killed again and again: nobody gets a step twice or none', async () => {
  const here = await startMailNode()
  const { api, from, sink } = here
  const people = Array.from({ length: 600 }, (_, i) => `user${i}@sink.test`)
  const id = await joinAll(api, from, people)
  const kills = 5
  for (let kill = 0; kill < kills; kill++) {
    const before = messages(sink).size
    await eventually('there is progress', () => messages(sink).size >= Math.min(before + 150, 1_800), 90_000)
    await here.kill('worker')
  }
  await eventually('everything has arrived', () => messages(sink).size === 1_800, 120_000)
  expectOneOfEach(sink, people)
  // Past the final dot it can happen that nobody knows whether it was taken: one per connection.
  expect(sink.taken.length - 1_800).toBeLessThanOrEqual(kills * 10)
  await eventually('all are through', async () => (await automationOf(api, id)).stats['completed'] === 600)
  expect((await automationOf(api, id)).stats).toMatchObject({ started: 600, waiting: 0, emails: 1_800 })
}, 300_000)
