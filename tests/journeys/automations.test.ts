import { expect, test } from 'vitest'
import { addContact, newAudience, newTag } from '../support/audiences.ts'
import {
  automationOf,
  jobsWaiting,
  mailStep,
  newAutomation,
  overdue,
  parked,
  runBecomes,
  runsOf,
  type AutomationSeen,
} from '../support/automations.ts'
import { sql } from '../../src/storage/sql.ts'
import { eventually, stretched } from '../support/eventually.ts'
import { mailWorld, steadyPauses, type MailWorld } from '../support/mail-world.ts'
import { accepted } from '../support/world.ts'

async function begun() {
  const here = await mailWorld({ circumstances: steadyPauses })
  const audience = await newAudience(here.projectApi)
  return { ...here, audience, trigger: { type: 'audience', audienceId: audience }, sender: { from: here.from } }
}

const subjectOf = (raw: Buffer): string => /^Subject: (.*?)\r$/m.exec(raw.toString('latin1'))?.[1] ?? ''

/** What the mail host has taken: the subjects for each address, in order. */
function ledger({ sink }: Pick<MailWorld, 'sink'>): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const { to, raw } of sink.taken) (found[to] ??= []).push(subjectOf(raw))
  return found
}

test('what a simulation says is what happens', async () => {
  const here = await begun()
  const { projectApi, audience, trigger, sender, advance, sink } = here
  const tag = await newTag(projectApi, 'keen')
  const { id } = await newAutomation(projectApi, {
    trigger,
    sender,
    steps: [
      { ...mailStep('Welcome'), subject: 'Welcome, {{ contact.firstName }}' },
      { type: 'delay', id: 'day', duration: 'P1D' },
      {
        type: 'condition',
        id: 'plan',
        if: { and: [{ field: 'properties.seats', operator: 'greaterThan', value: 9 }] },
        then: [
          { type: 'tag', id: 'mark', tagId: tag, action: 'apply' },
          { type: 'delay', id: 'hours', amount: 3, unit: 'hours' },
        ],
        else: [{ type: 'exit', id: 'out' }],
      },
      {
        type: 'condition',
        id: 'keen',
        if: { field: 'tags', operator: 'contains', value: tag },
        then: [mailStep('Keen')],
        else: [mailStep('Not keen')],
      },
      { type: 'delay', id: 'week', duration: 'P1W' },
      mailStep('Bye'),
    ],
  })
  const email = 'ann@sink.test'
  const disabled = await projectApi.patch(`automations/${id}`, { enabled: false })
  expect(disabled.status).toBe(200)
  const fields = { firstName: 'Ann', properties: { seats: '12' } }
  const contact = await addContact(projectApi, audience, email, fields)
  const simulated = await projectApi.post<{ timeline: Record<string, unknown>[]; status: string; finishedAt: string }>(
    `automations/${id}/simulate`,
    { contactId: contact.id, at: '2030-01-01T00:00:00Z' },
  )
  expect(simulated.status).toBe(200)
  expect(simulated.body).toMatchObject({ status: 'completed', finishedAt: '2030-01-09T03:00:00.000Z' })
  expect(await runsOf(projectApi, id)).toEqual([])

  await projectApi.delete(`audiences/${audience}/contacts/${contact.id}`)
  await projectApi.patch(`automations/${id}`, { enabled: true })
  await addContact(projectApi, audience, email, fields)
  for (const [delay, hours] of [
    ['day', 24],
    ['hours', 3],
    ['week', 168],
  ] as const) {
    await runBecomes(projectApi, id, `it is in the ${delay}`, ({ stepId }) => stepId === delay)
    await advance({ hours, seconds: 1 })
  }
  const run = await runBecomes(projectApi, id, 'it is completed', ({ status }) => status === 'completed')
  const told = ({ stepId, type, result }: Record<string, unknown>) => ({ stepId, type, result })
  expect(run.results.map(told)).toEqual(simulated.body.timeline.map(told))
  // The delays are those of the simulation; a real clock adds the moments in between.
  const start = Date.parse(run.startedAt)
  simulated.body.timeline.forEach(({ at }, i) => {
    const late = Date.parse(run.results[i]!.at) - start - (Date.parse(String(at)) - Date.parse('2030-01-01T00:00:00Z'))
    expect(late).toBeGreaterThanOrEqual(0)
    expect(late).toBeLessThan(60_000)
  })
  const subjects = simulated.body.timeline.flatMap(({ subject }) => subject ?? [])
  expect(subjects).toEqual(['Welcome, Ann', 'Keen', 'Bye'])
  await eventually('the last has arrived', () => ledger(here)[email]?.length === 3)
  expect(ledger(here)).toEqual({ [email]: subjects })
  for (const { raw } of sink.taken) expect(raw.toString('latin1')).toMatch(/^List-Unsubscribe: </m)
})

test('a simulation says why somebody gets nothing, and writes nothing', async () => {
  const { projectApi, audience, trigger, sender } = await begun()
  const { id } = await newAutomation(projectApi, {
    trigger,
    sender,
    steps: [{ type: 'delay', duration: 'P1D' }, mailStep('x')],
  })
  const email = 'ann@sink.test'
  await addContact(projectApi, await newAudience(projectApi, 'Others'), 'other@sink.test')
  await projectApi.patch(`automations/${id}`, { enabled: false })
  await addContact(projectApi, audience, email)
  const ask = async (body: object) => projectApi.post<Record<string, unknown>>(`automations/${id}/simulate`, body)
  expect((await ask({ email })).body).toMatchObject({ status: 'completed', timeline: [{}, { result: 'sent' }] })
  await projectApi.post('suppressions', { email })
  expect((await ask({ email })).body).toMatchObject({ status: 'stopped', stopReason: 'suppressed', timeline: [] })
  await projectApi.patch(`audiences/${audience}/contacts/${email}`, { subscribed: false })
  expect((await ask({ email })).body).toMatchObject({ status: 'stopped', stopReason: 'unsubscribed' })
  expect((await ask({ email: 'other@sink.test' })).status).toBe(404)
  expect((await ask({ email: 'never@sink.test' })).status).toBe(404)
  expect((await ask({ contactId: 'con_01hzy3v7q8e9x6c5b4a3m2k1j0' })).status).toBe(404)
  expect((await ask({})).status).toBe(400)
  expect((await ask({ email, at: '2030-02-31T00:00:00Z' })).status).toBe(400)
  expect(await automationOf(projectApi, id)).toMatchObject({ stats: { started: 0 }, recentRuns: [] })
})

interface Made {
  to: string[]
  subject: string
  createdAt: string
}

test('delays of seconds are kept', async () => {
  const here = await begun()
  const { projectApi, audience, trigger, sender, sink } = here
  const steps = [mailStep('A'), { type: 'delay', duration: 'PT2S' }, mailStep('B')]
  await newAutomation(projectApi, { trigger, sender, steps })
  await Promise.all(Array.from({ length: 20 }, (_, i) => addContact(projectApi, audience, `user${i}@sink.test`)))
  await eventually('all have both', () => sink.taken.length === 40)
  const { data } = (await projectApi.get<{ data: Made[] }>('emails?limit=100')).body
  const most = stretched(12_000)
  for (const person of Object.keys(ledger(here))) {
    // By the clock of the database, and when they were made: each was under way for as long as the machine took.
    const [second, first] = data.filter(({ to }) => to[0] === person)
    expect([first?.subject, second?.subject]).toEqual(['A', 'B'])
    const between = Date.parse(second!.createdAt) - Date.parse(first!.createdAt)
    expect(between).toBeGreaterThanOrEqual(2_000)
    expect(between).toBeLessThan(most)
  }
})

test(
  '1,000 people inside an automation that is edited twice get exactly the steps of their version',
  { timeout: 180_000 },
  async () => {
    const here = await begun()
    const { projectApi, audience, trigger, sender, sink, advance } = here
    const delay = (id: string) => ({ type: 'delay', id, duration: 'PT1H' })
    const versions = [
      [mailStep('A'), delay('one'), mailStep('B'), delay('two'), mailStep('C')],
      // One removed, one new, the others in another order.
      [mailStep('C'), delay('two'), mailStep('X'), delay('one'), mailStep('A')],
      [delay('one'), mailStep('B'), mailStep('A'), delay('new'), mailStep('Y')],
    ]
    const { id } = await newAutomation(projectApi, { trigger, sender, steps: versions[0]! })
    const join = async (name: string, count: number, started: number): Promise<void> => {
      const rows = Array.from({ length: count }, (_, i) => `${name}${i}@sink.test`)
      const headers = { 'content-type': 'text/csv' }
      accepted(await projectApi.post(`audiences/${audience}/contacts/import`, `email\n${rows.join('\n')}\n`, headers))
      await eventually(
        'all of them are inside',
        async () => (await automationOf(projectApi, id)).stats['started'] === started,
      )
    }
    const taken = (count: number): Promise<unknown> =>
      eventually(`${count} mails have arrived`, () => sink.taken.length >= count)
    const edit = async (steps: unknown[], version: number): Promise<void> => {
      expect((await projectApi.patch<AutomationSeen>(`automations/${id}`, { steps })).body.version).toBe(version)
    }
    await join('first', 400, 400)
    await taken(400)
    await edit(versions[1]!, 2)
    await join('second', 400, 800)
    await taken(800)
    await advance({ hours: 1, seconds: 1 })
    // While the runs move: some of them have done their second step by now, some have not.
    await edit(versions[2]!, 3)
    await join('third', 200, 1_000)
    await taken(1_600)
    for (let hour = 0; hour < 3; hour++) {
      await eventually('nobody is due', async () => (await overdue(here)) === 0)
      await advance({ hours: 1, seconds: 1 })
    }
    await eventually(
      'all are through',
      async () => (await automationOf(projectApi, id)).stats['completed'] === 1_000,
      60_000,
    )
    await taken(3_000)
    const found = ledger(here)
    const wanted = { first: ['A', 'B', 'C'], second: ['C', 'X', 'A'], third: ['B', 'A', 'Y'] }
    for (const [name, subjects] of Object.entries(wanted)) {
      const people = Object.entries(found).filter(([to]) => to.startsWith(name))
      expect(people).toHaveLength(name === 'third' ? 200 : 400)
      // Two that leave in the same moment may arrive in either order.
      for (const [to, got] of people) expect(got.toSorted(), to).toEqual(subjects.toSorted())
    }
    expect(sink.taken).toHaveLength(3_000)
    expect((await automationOf(projectApi, id)).stats).toEqual({
      started: 1_000,
      waiting: 0,
      completed: 1_000,
      stopped: 0,
      failed: 0,
      emails: 3_000,
    })
  },
)

test('a thousand who are due in the same moment are served within seconds', async () => {
  const here = await begun()
  const { projectApi, audience, trigger, sender, advance } = here
  const steps = [{ type: 'delay', duration: 'PT1H' }, { ...mailStep('A') }, { type: 'delay', duration: 'PT1H' }]
  const { id } = await newAutomation(projectApi, { trigger, sender, steps })
  const rows = Array.from({ length: 1_000 }, (_, i) => `user${i}@sink.test`)
  const headers = { 'content-type': 'text/csv' }
  accepted(await projectApi.post(`audiences/${audience}/contacts/import`, `email\n${rows.join('\n')}\n`, headers))
  await eventually('all wait', async () => (await automationOf(projectApi, id)).stats['waiting'] === 1_000)
  await eventually('nobody is due', async () => (await overdue(here)) === 0)
  const start = performance.now()
  await advance({ hours: 1, seconds: 1 })
  await eventually('all have been mailed', async () => (await automationOf(projectApi, id)).stats['emails'] === 1_000)
  const took = performance.now() - start
  console.log(`1,000 runs were moved on in ${Math.round(took)} ms`)
  expect(took).toBeLessThan(stretched(10_000))
})

test('while it is disabled nobody goes on and what is queued is held; afterwards everybody goes on', async () => {
  const here = await begun()
  const { api, projectId, projectApi, audience, trigger, sender, sink, advance } = here
  const steps = [mailStep('A'), { type: 'delay', duration: 'PT1H' }, mailStep('B')]
  const { id } = await newAutomation(projectApi, { trigger, sender, steps })
  // Put off at first, so that it is in the queue for a while.
  await addContact(projectApi, audience, 'greylist-1@sink.test')
  await addContact(projectApi, audience, 'ann@sink.test')
  await eventually('the first are sent', async () => (await automationOf(projectApi, id)).stats['emails'] === 2)
  await eventually('one has arrived', () => sink.taken.length === 1)
  const putOff = sql`select from deliveries where attempts > 0 and state = 'waiting'`
  await eventually('the other is put off', async () => (await here.db.all(putOff)).length === 1)
  const switches = [
    (on: boolean) => projectApi.patch(`automations/${id}`, { enabled: on }),
    (on: boolean) => api.patch(`projects/${projectId}`, { status: on ? 'active' : 'paused' }),
  ]
  expect((await switches[0]!(false)).status).toBe(200)
  await advance({ hours: 2 })
  await eventually('what is due is held', async () => (await parked(here)) === 2)
  expect(await runsOf(projectApi, id)).toMatchObject([{ status: 'waiting' }, { status: 'waiting' }])
  expect(ledger(here)).toEqual({ 'ann@sink.test': ['A'] })
  expect((await switches[1]!(false)).status).toBe(200)
  expect((await switches[0]!(true)).status).toBe(200)
  await eventually('the job has looked', async () => (await jobsWaiting(here)) === 0)
  expect(await parked(here)).toBe(2)
  expect(sink.taken).toHaveLength(1)
  expect((await switches[1]!(true)).status).toBe(200)
  await eventually('everything has arrived', () => sink.taken.length === 4)
  expect(ledger(here)).toEqual({
    'ann@sink.test': ['A', 'B'],
    'greylist-1@sink.test': expect.arrayContaining(['A', 'B']),
  })
})
