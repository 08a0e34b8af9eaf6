import { expect, test } from 'vitest'
import { addContact, newAudience, newTag, runJobs } from '../support/audiences.ts'
import { automationOf, newAutomation, sandboxSender } from '../support/automations.ts'
import { newBroadcast } from '../support/broadcasts.ts'
import type { Client } from '../support/client.ts'
import { moveClock } from '../support/clock.ts'
import { verifiedDomain, worldWithDns } from '../support/domains.ts'
import { at, hoursFromNow, read } from '../support/emails.ts'
import { created, tenants, world } from '../support/world.ts'

const tenant = tenants()

const newTemplate = async (client: Client): Promise<string> =>
  created(await client.post<{ id: string }>('templates', { name: 'Letter', subject: 'Hello', html: '<p>Hi</p>' })).id

async function peopled(client: Client): Promise<string> {
  const audience = await newAudience(client)
  await addContact(client, audience, at('ann'))
  return audience
}

const named = (templateId: string) => ({ templateId, subject: null, html: null })

test('a template is not deleted while a broadcast that is scheduled names it', async () => {
  const { projectApi } = await tenant()
  const [template, audience] = [await newTemplate(projectApi), await peopled(projectApi)]
  const { id } = await newBroadcast(projectApi, audience, { ...named(template), name: 'Spring' })
  const draft = await newBroadcast(projectApi, audience, named(template))
  await projectApi.post(`broadcasts/${id}/schedule`, { sendAt: hoursFromNow(2) })
  const refused = await projectApi.delete(`templates/${template}`)
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'in_use', usedBy: [{ type: 'broadcast', id, name: 'Spring' }] },
  })
  expect(refused.body['error']).toContain('Spring')
  expect((await projectApi.get(`templates/${template}`)).status).toBe(200)
  await projectApi.post(`broadcasts/${id}/cancel`)
  expect((await projectApi.delete(`templates/${template}`)).status).toBe(200)
  // What nobody was about to send says it when it is to be sent.
  const late = await projectApi.post(`broadcasts/${draft.id}/send`)
  expect(late).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test.each([{ way: ['send'] }, { way: ['send', 'pause'] }])(
  'a broadcast that is begun ($way) goes on with what it says when its template is deleted',
  async ({ way }) => {
    const here = await world()
    const { projectApi } = here
    const [template, audience] = [await newTemplate(projectApi), await peopled(projectApi)]
    const { id } = await newBroadcast(projectApi, audience, named(template))
    for (const verb of way) expect((await projectApi.post(`broadcasts/${id}/${verb}`)).status).toBeLessThan(300)
    expect((await projectApi.delete(`templates/${template}`)).status).toBe(200)
    if (way.includes('pause')) expect((await projectApi.post(`broadcasts/${id}/resume`)).status).toBe(200)
    await runJobs(here)
    const { body } = await projectApi.get<{ data: { id: string }[] }>('emails')
    expect(await read(projectApi, body.data[0]!)).toMatchObject({ subject: 'Hello', broadcastId: id })
  },
)

test('nor while an enabled automation has a step that was written with it', async () => {
  const { projectApi } = await world()
  const [template, audience] = [await newTemplate(projectApi), await newAudience(projectApi)]
  const trigger = { type: 'audience', audienceId: audience }
  const steps = [
    { type: 'delay', duration: 'P1D' },
    { type: 'email', templateId: template },
  ]
  const { id } = await newAutomation(projectApi, { name: 'Drip', trigger, steps })
  expect(await projectApi.delete(`templates/${template}`)).toMatchObject({
    status: 409,
    body: { code: 'in_use', usedBy: [{ type: 'automation', id, name: 'Drip' }] },
  })
  await projectApi.patch(`automations/${id}`, { enabled: false })
  expect((await projectApi.delete(`templates/${template}`)).status).toBe(200)
})

test('of many that need it, twenty are named', async () => {
  const { projectApi } = await tenant()
  const [template, audience] = [await newTemplate(projectApi), await peopled(projectApi)]
  for (let i = 0; i < 22; i++) {
    const { id } = await newBroadcast(projectApi, audience, named(template))
    await projectApi.post(`broadcasts/${id}/schedule`, { sendAt: hoursFromNow(2) })
  }
  const { body } = await projectApi.delete(`templates/${template}`)
  expect(body['usedBy']).toHaveLength(20)
})

test('an audience that a broadcast needs says which one that is', async () => {
  const { projectApi } = await tenant()
  const audience = await peopled(projectApi)
  const { id } = await newBroadcast(projectApi, audience, { name: 'Spring' })
  await projectApi.post(`broadcasts/${id}/schedule`, { sendAt: hoursFromNow(2) })
  expect(await projectApi.delete(`audiences/${audience}`)).toMatchObject({
    status: 409,
    body: { code: 'invalid_state', state: 'in_use', usedBy: [{ type: 'broadcast', id, name: 'Spring' }] },
  })
})

test('whoever schedules or enables in the moment of the deletion finds the template, or it is not deleted', async () => {
  const { projectApi } = await tenant()
  const audience = await peopled(projectApi)
  const trigger = { type: 'audience', audienceId: audience }
  const seen = new Set<string>()
  for (let round = 0; round < 20 || (seen.size < 4 && round < 200); round++) {
    const [one, other] = [await newTemplate(projectApi), await newTemplate(projectApi)]
    const { id } = await newBroadcast(projectApi, audience, named(one))
    const steps = [{ type: 'email', templateId: other }]
    const look = async (times: number): Promise<void> => {
      for (let i = 0; i < times; i++) await projectApi.get(`templates/${one}`)
    }
    const late = (path: string) => look(round % 5).then(() => projectApi.delete(path))
    const [scheduled, deleted, enabled, removed] = await Promise.all([
      projectApi.post(`broadcasts/${id}/schedule`, { sendAt: hoursFromNow(2) }),
      late(`templates/${one}`),
      projectApi.post('automations', {
        name: 'Drip',
        sender: sandboxSender,
        enabled: true,
        trigger,
        steps,
      }),
      late(`templates/${other}`),
    ])
    expect([scheduled.status, deleted.status].toSorted(), scheduled.text).toEqual(
      deleted.status === 200 ? [200, 404] : [200, 409],
    )
    expect([enabled.status, removed.status], enabled.text).toEqual(removed.status === 200 ? [404, 200] : [201, 409])
    seen.add(`schedule ${deleted.status}`).add(`enable ${removed.status}`)
  }
  // A race that only one side ever wins is none.
  expect([...seen].toSorted()).toEqual(['enable 200', 'enable 409', 'schedule 200', 'schedule 409'])
})

test('an automation whose audience, tag or template is gone says so, in the list as when it is read', async () => {
  const { projectApi } = await tenant()
  const [audience, tag, spare] = [
    await newAudience(projectApi),
    await newTag(projectApi, 'vip'),
    await newAudience(projectApi, 'Spare'),
  ]
  const [template, stepTag] = [await newTemplate(projectApi), await newTag(projectApi, 'later')]
  const joining = { type: 'audience', audienceId: spare }
  const ids = {
    audience_deleted: (await newAutomation(projectApi, { trigger: { type: 'audience', audienceId: audience } })).id,
    tag_deleted: (await newAutomation(projectApi, { trigger: { type: 'tag', tagId: tag } })).id,
    step_tag_deleted: (
      await newAutomation(projectApi, {
        trigger: joining,
        steps: [{ type: 'tag', id: 'mark', tagId: stepTag, action: 'apply' }],
      })
    ).id,
    template_deleted: (
      await newAutomation(projectApi, {
        trigger: joining,
        enabled: false,
        steps: [{ type: 'email', id: 'hello', templateId: template }],
      })
    ).id,
    fine: (await newAutomation(projectApi, { trigger: joining })).id,
  }
  for (const id of Object.values(ids)) expect((await automationOf(projectApi, id))['problem']).toBeNull()
  await projectApi.delete(`audiences/${audience}`)
  for (const id of [tag, stepTag]) await projectApi.delete(`contact-tags/${id}`)
  await projectApi.delete(`templates/${template}`)

  const { body } = await projectApi.get<{ data: { id: string; problem: unknown }[] }>('automations')
  const problemOf = async (id: string) => {
    const read = (await automationOf(projectApi, id))['problem']
    expect(body.data.find((one) => one.id === id)!.problem).toEqual(read)
    return read
  }
  const says = (code: string, words: string) => ({ code, message: expect.stringContaining(words) })
  expect(await problemOf(ids.audience_deleted)).toEqual(says('audience_deleted', 'nobody starts'))
  expect(await problemOf(ids.tag_deleted)).toEqual(says('tag_deleted', 'nobody starts'))
  expect(await problemOf(ids.step_tag_deleted)).toEqual(says('tag_deleted', 'mark'))
  expect(await problemOf(ids.template_deleted)).toEqual(says('template_deleted', 'hello'))
  expect(await problemOf(ids.fine)).toBeNull()

  // What could not do its work is not enabled again; a step has a copy of its template and goes on.
  for (const id of [ids.audience_deleted, ids.tag_deleted]) {
    await projectApi.patch(`automations/${id}`, { enabled: false })
    expect((await projectApi.patch(`automations/${id}`, { enabled: true })).status).toBe(404)
    const { status, body: mended } = await projectApi.patch(`automations/${id}`, { enabled: true, trigger: joining })
    expect({ status, problem: mended['problem'] }).toEqual({ status: 200, problem: null })
  }
  const { status } = await projectApi.patch(`automations/${ids.template_deleted}`, { enabled: true })
  expect(status).toBe(200)
})

test('an automation whose sender is not verified any more says so, and sends again once it is', async () => {
  const { projectApi, dns, db, services } = await worldWithDns()
  const audience = await newAudience(projectApi)
  await verifiedDomain(projectApi, dns, 'example.com')
  const { id } = await newAutomation(projectApi, {
    trigger: { type: 'audience', audienceId: audience },
    sender: { from: 'Ann <ann@example.com>' },
  })
  const problem = async () => (await automationOf(projectApi, id))['problem']
  expect(await problem()).toBeNull()
  const lost = dns.zones['bounce.example.com']!
  delete dns.zones['bounce.example.com']
  for (const hours of [1, 26]) {
    await moveClock(db, hours * 3_600)
    await services.domains.checkDue(new AbortController().signal)
  }
  expect(await problem()).toEqual({ code: 'domain_not_verified', message: expect.stringContaining('example.com') })
  dns.zones['bounce.example.com'] = lost
  await moveClock(db, 52 * 3_600)
  await services.domains.checkDue(new AbortController().signal)
  expect(await problem()).toBeNull()
})
