import { expect, test } from 'vitest'
import { at, mail, post, read, refusal, rowsOf, send } from '../support/emails.ts'
import { created, tenants, world } from '../support/world.ts'

const tenant = tenants()

test('whom the project must not mail is not mailed: where that is everybody, the send is refused', async () => {
  const { projectApi, db } = await tenant()
  const first = created(await projectApi.post('suppressions', { email: at('gone') }))
  const second = created(await projectApi.post('suppressions', { email: at('left') }))
  const reply = await post(projectApi, { to: at('GONE'), bcc: [`Left <${at('left')}>`] })
  expect(reply).toMatchObject({
    status: 422,
    body: {
      code: 'recipient_suppressed',
      recipients: [
        { email: at('gone'), reason: 'manual', since: first['createdAt'] },
        { email: at('left'), reason: 'manual', since: second['createdAt'] },
      ],
    },
  })
  expect(await rowsOf(db)).toEqual({})
})

test('where it is some of them, the others are mailed and only they count', async () => {
  const { projectApi, db } = await world()
  created(await projectApi.post('suppressions', { email: at('gone') }))
  const sent = await send(projectApi, { to: at('gone'), cc: [at('ann'), at('bob')] })
  expect(sent).toMatchObject({ status: 'queued', to: [at('gone')] })
  expect((await read(projectApi, sent)).recipients.map(({ status }) => status)).toEqual([
    'suppressed',
    'queued',
    'queued',
  ])
  expect(await rowsOf(db)).toMatchObject({ deliveries: 2, recipients: 1, events: 1, used: 2 })
})

test('a suppression is of its project and ends with its removal', async () => {
  const { projectApi, clientWith, newProject } = await tenant()
  created(await projectApi.post('suppressions', { email: at('ann') }))
  const other = await clientWith({ scopes: ['*'], projectId: await newProject() })
  await send(other)
  expect(await post(projectApi)).toMatchObject(refusal(422, 'recipient_suppressed'))
  await projectApi.delete(`suppressions?email=${at('ann')}`)
  await send(projectApi)
})

test('a quota of 100 lets exactly 100 of 200 concurrent sends through, over two processes', async () => {
  const { api, projectApi, projectId, anotherApi, db } = await world()
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: 100 } })
  const processes = [projectApi, (await anotherApi()).with(projectApi.key)]
  const replies = await Promise.all(Array.from({ length: 200 }, (_, i) => post(processes[i % 2]!, { to: at(`p${i}`) })))
  expect(replies.filter(({ status }) => status === 202)).toHaveLength(100)
  const refused = replies.filter(({ status }) => status !== 202)
  for (const reply of refused) expect(reply).toMatchObject(refusal(403, 'quota_exceeded'))
  expect(await rowsOf(db)).toMatchObject({ emails: 100, deliveries: 100, used: 100 })
})

test('the refusal says which quota it is, how much of it is used and when it is fresh again', async () => {
  const { api, projectApi, projectId } = await world()
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: 3, emailsPerMonth: 4 } })
  await send(projectApi, { to: [at('a'), at('b')] })
  const now = new Date()
  const tomorrow = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString()
  const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString()
  expect(await post(projectApi, { to: [at('a'), at('b')] })).toMatchObject({
    status: 403,
    body: { code: 'quota_exceeded', quota: 'emailsPerDay', limit: 3, used: 2, resetsAt: tomorrow },
  })
  // What does not fit takes nothing.
  await send(projectApi)
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: null } })
  await send(projectApi)
  expect(await post(projectApi)).toMatchObject({
    body: { code: 'quota_exceeded', quota: 'emailsPerMonth', limit: 4, used: 4, resetsAt: nextMonth },
  })
})

test('scheduled mail counts when it is accepted', async () => {
  const { api, projectApi, projectId } = await world()
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: 1 } })
  await send(projectApi, { sendAt: new Date(Date.now() + 172_800_000).toISOString() })
  expect(await post(projectApi)).toMatchObject(refusal(403, 'quota_exceeded'))
})

test('a project whose quota is used up does not hinder its neighbour, not in the same moment either', async () => {
  const { api, projectApi, projectId, clientWith, newProject } = await world()
  const other = await clientWith({ scopes: ['*'], projectId: await newProject() })
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: 0 } })
  const replies = await Promise.all(Array.from({ length: 40 }, (_, i) => post(i % 2 ? other : projectApi)))
  expect(replies.map(({ status }) => status)).toEqual(replies.map((_, i) => (i % 2 ? 202 : 403)))
})

test('batches count with everything else', async () => {
  const { api, projectApi, projectId, db } = await world()
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: 50 } })
  const emails = Array.from({ length: 30 }, (_, i) => mail({ to: at(`p${i}`) }))
  const replies = await Promise.all([
    ...[0, 1].map(() => projectApi.post<{ accepted?: number }>('email/batch', { emails })),
    ...Array.from({ length: 30 }, () => post(projectApi)),
  ])
  const inBatches = replies.slice(0, 2).reduce((sum, { body }) => sum + Number(body['accepted']), 0)
  const alone = replies.slice(2).filter(({ status }) => status === 202).length
  expect(inBatches + alone).toBe(50)
  expect(await rowsOf(db)).toMatchObject({ emails: 50, used: 50 })
})
