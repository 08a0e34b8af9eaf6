import { expect, test } from 'vitest'
import { newAudience } from '../support/audiences.ts'
import { automationOf, mailStep, newAutomation, sandboxSender } from '../support/automations.ts'
import { mail, read, type Accepted } from '../support/emails.ts'
import { signIn } from '../support/people.ts'
import { accepted, created, tenants } from '../support/world.ts'

const tenant = tenants()

const mayNotSend = { status: 403, body: { code: 'may_not_send' } }

test('an email says which person sent it, also when it is sent again by another', async () => {
  const here = await tenant()
  const { projectId } = here
  const ann = await signIn(here, { role: 'marketer', project: projectId, name: 'Ann' })
  const bob = await signIn(here, { role: 'developer', project: projectId, name: 'Bob' })
  const first = accepted(await ann.client.post<Accepted>('email/send', mail()))
  const again = accepted(await bob.client.post<Accepted>(`emails/${first.id}/resend`))
  expect(await read(ann.client, first)).toMatchObject({ sentBy: { type: 'person', id: ann.id, name: 'Ann' } })
  expect(await read(ann.client, again)).toMatchObject({ sentBy: { type: 'person', id: bob.id, name: 'Bob' } })
})

test('who writes and does not send prepares an automation, and somebody else enables it', async () => {
  const here = await tenant()
  const { projectApi, projectId } = here
  const { client } = await signIn(here, { role: 'author', project: projectId })
  const audienceId = await newAudience(projectApi)
  const fields = {
    name: 'Welcome',
    trigger: { type: 'audience', audienceId },
    sender: sandboxSender,
    steps: [mailStep('Hello')],
  }
  expect(await client.post('automations', { ...fields, enabled: true })).toMatchObject(mayNotSend)
  const { id } = created(await client.post<{ id: string }>('automations', fields))
  expect((await client.patch(`automations/${id}`, { steps: [mailStep('Hello again')] })).status).toBe(200)
  expect(await client.patch(`automations/${id}`, { enabled: true })).toMatchObject(mayNotSend)
  expect((await projectApi.patch(`automations/${id}`, { enabled: true })).status).toBe(200)
})

test('what an enabled automation mails is changed by those who may send; everybody who writes can stop it', async () => {
  const here = await tenant()
  const { projectApi, projectId } = here
  const { client } = await signIn(here, { role: 'author', project: projectId })
  const trigger = { type: 'audience', audienceId: await newAudience(projectApi) }
  const { id, version } = await newAutomation(projectApi, { trigger })
  for (const change of [{ steps: [mailStep('Buy now')] }, { name: 'x' }]) {
    expect(await client.patch(`automations/${id}`, change)).toMatchObject(mayNotSend)
  }
  expect(await automationOf(projectApi, id)).toMatchObject({ enabled: true, version })
  expect((await client.patch(`automations/${id}`, { enabled: false })).status).toBe(200)
  expect(await automationOf(projectApi, id)).toMatchObject({ enabled: false })
})

test('a dry run needs the right to send mail and lets none leave; who only reads gets the source of none', async () => {
  const here = await tenant()
  const { projectApi, projectId } = here
  const { id } = accepted(await projectApi.post<Accepted>('email/send', mail()))
  const { client: marketer } = await signIn(here, { role: 'marketer', project: projectId })
  expect((await marketer.post('email/send?dryRun=true', mail())).status).toBe(200)
  for (const role of ['author', 'viewer'] as const) {
    const { client } = await signIn(here, { role, project: projectId })
    expect((await client.get(`emails/${id}`)).status, role).toBe(200)
    // It has links that work for its recipient.
    expect(await client.get(`emails/${id}/raw`), role).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    })
    for (const path of ['email/send', 'email/send?dryRun=true', `emails/${id}/resend`, `emails/${id}/retry`]) {
      expect((await client.post(path, path.startsWith('email/') ? mail() : undefined)).status, path).toBe(403)
    }
  }
})
