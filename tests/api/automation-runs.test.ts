import { expect, test } from 'vitest'
import { moveClock } from '../support/clock.ts'
import { addContact, expectRefused, newAudience, newTag, runJobs } from '../support/audiences.ts'
import { automationOf, mailsOf, mailStep, moveOn, newAutomation, runsOf } from '../support/automations.ts'
import { sql } from '../../src/storage/sql.ts'
import { world } from '../support/world.ts'

const ann = 'delivered+ann@simulator.posthouse.test'

async function begun() {
  const here = await world()
  const audience = await newAudience(here.projectApi)
  return { ...here, audience, trigger: { type: 'audience', audienceId: audience } }
}

test('whoever joins goes through the steps, and each leaves its result', async () => {
  const here = await begun()
  const { projectApi, audience, trigger, db } = here
  const tag = await newTag(projectApi, 'greeted')
  const { id } = await newAutomation(projectApi, {
    trigger,
    steps: [
      mailStep('Hello'),
      { type: 'tag', id: 'mark', tagId: tag, action: 'apply' },
      { type: 'delay', id: 'pause', duration: 'P1D' },
      {
        type: 'condition',
        id: 'ask',
        if: { field: 'tags', operator: 'contains', value: tag },
        then: [mailStep('Inside')],
      },
      { type: 'exit', id: 'end' },
      mailStep('Never'),
    ],
  })
  const contact = await addContact(projectApi, audience, ann)
  await moveOn(here)
  const [waiting] = await runsOf(projectApi, id)
  expect(waiting).toMatchObject({ contactId: contact.id, email: ann, status: 'waiting', stepId: 'pause', version: 1 })
  expect(Date.parse(waiting!.nextDueAt!) - Date.parse(waiting!.startedAt)).toBeGreaterThanOrEqual(86_400_000)
  await moveClock(db, 86_402)
  await moveOn(here)
  const seen = await automationOf(projectApi, id)
  expect(seen.stats).toEqual({ started: 1, waiting: 0, completed: 1, stopped: 0, failed: 0, emails: 2 })
  const [run] = seen.recentRuns
  expect(run).toMatchObject({ status: 'completed', stepId: 'end', nextDueAt: null, stopReason: null })
  expect(run!.results.map(({ stepId, result }) => `${stepId} ${result}`)).toEqual([
    'Hello sent',
    'mark applied',
    'pause delayed',
    'ask then',
    'Inside sent',
    'end exited',
  ])
  expect((await mailsOf(db)).map(({ step }) => step)).toEqual(['Hello', 'Inside'])
  const { body } = await projectApi.get(`emails/${run!.results[0]!.emailId}`)
  expect(body).toMatchObject({ subject: 'Hello', automationRunId: run!.id, to: [ann] })
})

test('only joining starts it, and only while it is enabled', async () => {
  const here = await begun()
  const { projectApi, audience, trigger } = here
  await addContact(projectApi, audience, 'delivered+before@simulator.posthouse.test')
  const { id } = await newAutomation(projectApi, { trigger, enabled: false })
  await addContact(projectApi, audience, 'delivered+early@simulator.posthouse.test')
  await projectApi.patch(`automations/${id}`, { enabled: true })
  const other = await newAudience(projectApi, 'Others')
  await addContact(projectApi, other, 'delivered+other@simulator.posthouse.test')
  await addContact(projectApi, audience, ann)
  await projectApi.post(`audiences/${audience}/contacts`, { email: ann, firstName: 'Ann' })
  await projectApi.patch(`automations/${id}`, { enabled: false })
  await addContact(projectApi, audience, 'delivered+late@simulator.posthouse.test')
  expect((await runsOf(projectApi, id)).map(({ email }) => email)).toEqual([ann])
})

test('whether somebody starts again is the automation’s to say, and nobody is inside twice', async () => {
  const here = await begun()
  const { projectApi, audience, trigger } = here
  const steps = [{ type: 'delay', duration: 'PT1H' }]
  const once = await newAutomation(projectApi, { trigger, steps })
  const often = await newAutomation(projectApi, { trigger, steps, reentry: 'always' })
  const { id } = await addContact(projectApi, audience, ann)
  const subscribe = (subscribed: boolean) => projectApi.patch(`audiences/${audience}/contacts/${id}`, { subscribed })
  for (let i = 0; i < 12; i++) {
    await subscribe(false)
    await subscribe(true)
  }
  expect((await runsOf(projectApi, once.id)).map(({ status }) => status)).toEqual(['stopped'])
  const again = await runsOf(projectApi, often.id)
  expect(again.filter(({ status }) => status === 'stopped')).toHaveLength(10)
  expect(again).toHaveLength(10)
  expect((await runsOf(projectApi, often.id, 'status=waiting')).length).toBe(0)
  await moveClock(here.db, 3_700)
  await subscribe(false)
  await subscribe(true)
  expect((await runsOf(projectApi, often.id, 'status=waiting')).length).toBe(1)
})

test('a tag starts it for the contact that is subscribed, and its removal stops it', async () => {
  const here = await begun()
  const { projectApi, audience } = here
  const tag = await newTag(projectApi, 'trial')
  const { id } = await newAutomation(projectApi, {
    trigger: { type: 'tag', tagId: tag },
    steps: [{ type: 'delay', duration: 'PT1H' }, mailStep('Hello')],
  })
  const first = await addContact(projectApi, audience, ann)
  await projectApi.patch(`audiences/${audience}/contacts/${first.id}`, { subscribed: false })
  const second = await addContact(projectApi, await newAudience(projectApi, 'Others'), ann)
  await addContact(projectApi, audience, 'delivered+gone@simulator.posthouse.test')
  await projectApi.patch(`audiences/${audience}/contacts/delivered+gone@simulator.posthouse.test`, {
    subscribed: false,
  })
  const emails = [ann, 'delivered+gone@simulator.posthouse.test']
  await projectApi.post(`contact-tags/${tag}/contacts`, { emails })
  expect(await runsOf(projectApi, id)).toMatchObject([{ email: ann, contactId: second.id, status: 'waiting' }])
  await moveOn(here)
  await projectApi.delete(`contact-tags/${tag}/contacts?email=${encodeURIComponent(ann)}`)
  expect(await runsOf(projectApi, id)).toMatchObject([
    { status: 'stopped', stopReason: 'tag_removed', nextDueAt: null },
  ])
})

test('a run may take away the very tag that it began with: what it sent is sent, and what follows is not done', async () => {
  const here = await begun()
  const { projectApi, audience, db } = here
  const tag = await newTag(projectApi, 'to greet')
  const trigger = { type: 'tag', tagId: tag }
  const remove = { type: 'tag', tagId: tag, action: 'remove' }
  const short = await newAutomation(projectApi, { trigger, steps: [mailStep('Hello'), remove] })
  await addContact(projectApi, audience, ann)
  await projectApi.post(`contact-tags/${tag}/contacts`, { email: ann })
  await moveOn(here)
  expect(await runsOf(projectApi, short.id)).toMatchObject([{ status: 'completed' }])
  await projectApi.delete(`automations/${short.id}`)
  const long = await newAutomation(projectApi, { trigger, steps: [mailStep('Hello'), remove, mailStep('Never')] })
  await projectApi.post(`contact-tags/${tag}/contacts`, { email: ann })
  await moveOn(here)
  expect(await runsOf(projectApi, long.id)).toMatchObject([{ status: 'stopped', stopReason: 'tag_removed' }])
  expect((await mailsOf(db)).map(({ step }) => step)).toEqual(['Hello', 'Hello'])
})

test('a deleted contact is forgotten by its runs', async () => {
  const here = await begun()
  const { projectApi, audience, trigger } = here
  const { id } = await newAutomation(projectApi, {
    trigger,
    steps: [mailStep('Hello'), { type: 'delay', duration: 'P1D' }],
  })
  await addContact(projectApi, audience, ann)
  await moveOn(here)
  await projectApi.delete(`audiences/${audience}/contacts/${encodeURIComponent(ann)}`)
  expect(await runsOf(projectApi, id)).toMatchObject([
    { status: 'stopped', stopReason: 'contact_deleted', email: null },
  ])
  expect(JSON.stringify(await automationOf(projectApi, id))).not.toContain('ann@')
})

test('the world is looked at before every step', async () => {
  const here = await begun()
  const { projectApi, audience, trigger, db } = here
  const { id } = await newAutomation(projectApi, {
    trigger,
    steps: [{ type: 'delay', duration: 'PT1M' }, mailStep('Hello')],
  })
  for (const name of ['suppressed-one', 'fine']) {
    await addContact(projectApi, audience, `delivered+${name}@simulator.posthouse.test`)
  }
  await moveOn(here)
  await projectApi.post('suppressions', { email: 'delivered+suppressed-one@simulator.posthouse.test' })
  await moveClock(db, 61)
  await moveOn(here)
  const reasons = (await runsOf(projectApi, id)).map(({ stopReason, status }) => `${status} ${stopReason}`)
  expect(reasons.toSorted()).toEqual(['completed null', 'stopped suppressed'])
  expect(await mailsOf(db)).toEqual([{ to: 'delivered+fine@simulator.posthouse.test', step: 'Hello' }])
})

test('a deleted automation is gone, and its runs stop', async () => {
  const here = await begun()
  const { projectApi, audience, trigger, db } = here
  const { id } = await newAutomation(projectApi, { trigger })
  await addContact(projectApi, audience, ann)
  expect((await projectApi.delete(`automations/${id}`)).body).toEqual({ id, deleted: true })
  expect((await projectApi.get(`automations/${id}`)).status).toBe(404)
  expect((await projectApi.get(`automations/${id}/runs`)).status).toBe(404)
  expect((await projectApi.delete(`automations/${id}`)).status).toBe(404)
  await runJobs(here)
  await moveOn(here)
  expect(await mailsOf(db)).toEqual([])
  await addContact(projectApi, audience, 'delivered+late@simulator.posthouse.test')
  await moveClock(db, 31 * 86_400)
  await here.services.automations.forgetOld(new AbortController().signal)
  const left = await db.all(sql`
    select from automation_runs union all select from automation_versions union all select from automations
    union all select from automation_mailings union all select from automation_counts`)
  expect(left).toEqual([])
})

test('runs are listed newest first, by status and by address', async () => {
  const here = await begun()
  const { projectApi, audience, trigger } = here
  const { id } = await newAutomation(projectApi, { trigger, steps: [{ type: 'delay', duration: 'PT1H' }] })
  const people = Array.from({ length: 30 }, (_, i) => `delivered+${i}@simulator.posthouse.test`)
  for (const email of people) await addContact(projectApi, audience, email)
  await projectApi.patch(`audiences/${audience}/contacts/${people[3]!}`, { subscribed: false })
  const seen: string[] = []
  for (let cursor = ''; ;) {
    const { body } = await projectApi.get<{ data: { email: string }[]; nextCursor: string | null }>(
      `automations/${id}/runs?limit=7${cursor}`,
    )
    seen.push(...body.data.map(({ email }) => email))
    if (body.nextCursor === null) break
    cursor = `&cursor=${body.nextCursor}`
  }
  expect(seen).toEqual(people.toReversed())
  expect((await automationOf(projectApi, id)).recentRuns.map(({ email }) => email)).toEqual(seen.slice(0, 20))
  expect((await runsOf(projectApi, id, 'status=stopped')).map(({ email }) => email)).toEqual([people[3]])
  const found = await runsOf(projectApi, id, `email=${encodeURIComponent('Delivered+5@simulator.posthouse.test')}`)
  expect(found.map(({ email }) => email)).toEqual([people[5]])
  expectRefused(await projectApi.get(`automations/${id}/runs?email=nobody`), '/query/email')
})

test('a quota that is used up lets people wait until there is a new one', async () => {
  const here = await begun()
  const { api, projectId, projectApi, audience, trigger, db } = here
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: 2 } })
  const { id } = await newAutomation(projectApi, { trigger })
  for (let i = 0; i < 5; i++) await addContact(projectApi, audience, `delivered+${i}@simulator.posthouse.test`)
  await moveOn(here)
  expect(await mailsOf(db)).toHaveLength(2)
  const [held] = await runsOf(projectApi, id, 'status=waiting')
  expect(held).toMatchObject({
    problem: expect.stringContaining('quota'),
    nextDueAt: expect.stringContaining('T00:00:00'),
  })
  await moveClock(db, 86_400)
  await moveOn(here)
  expect(await mailsOf(db)).toHaveLength(4)
})

test('mail that the sender may not send ends the run with a reason', async () => {
  const here = await begun()
  const { projectApi, audience, trigger } = here
  const { id } = await newAutomation(projectApi, { trigger })
  await addContact(projectApi, audience, 'somebody@example.com')
  await moveOn(here)
  expect(await runsOf(projectApi, id)).toMatchObject([
    {
      status: 'failed',
      stopReason: 'error',
      problem: expect.stringContaining('sandbox'),
      results: [{ result: 'refused' }],
    },
  ])
})

test('nobody is left behind when many join in one import', async () => {
  const here = await begun()
  const { projectApi, audience, trigger, db } = here
  const { id } = await newAutomation(projectApi, { trigger })
  const rows = Array.from({ length: 3_000 }, (_, i) => `delivered+${i}@simulator.posthouse.test`)
  const csv = `email\n${rows.join('\n')}\n`
  await projectApi.request('POST', `audiences/${audience}/contacts/import`, {
    body: csv,
    headers: { 'content-type': 'text/csv' },
  })
  await runJobs(here)
  await moveOn(here)
  expect((await automationOf(projectApi, id)).stats).toMatchObject({ started: 3_000, completed: 3_000, emails: 3_000 })
  expect(new Set((await mailsOf(db)).map(({ to }) => to))).toEqual(new Set(rows))
})
