import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { addContact, expectRefused, newAudience, runJobs, type Listed } from '../support/audiences.ts'
import {
  accountedFor,
  newBroadcast,
  newsletter,
  readBroadcast,
  reconciliation,
  sendBroadcast,
  type BroadcastSeen,
} from '../support/broadcasts.ts'
import { at, hoursFromNow, read, refusal, SANDBOX } from '../support/emails.ts'
import { moveClock } from '../support/clock.ts'
import { makeAllDue } from '../jobs/world.ts'
import { accepted, created, world, type World } from '../support/world.ts'

/** An audience of these in the simulator. */
async function readersOf({ projectApi }: World, ...names: string[]): Promise<string> {
  const audience = await newAudience(projectApi)
  for (const name of names) await addContact(projectApi, audience, at(name), { firstName: name })
  return audience
}

test('a draft comes back whole, is named after its subject, and is listed by state and audience', async () => {
  const here = await world()
  const { projectApi, projectId } = here
  const audience = await readersOf(here, 'ann')
  const other = await readersOf(here)
  const template = created(await projectApi.post<{ id: string }>('templates', { name: 'T', alias: 'news', html: 'x' }))
  const draft = await newBroadcast(projectApi, audience, {
    from: 'Anybody <anybody@unknown.example>',
    replyTo: 'desk@unknown.example',
    previewText: 'This week',
    text: 'Hello.',
    templateId: 'news',
    variables: { week: 12 },
    tracking: { opens: true },
    throttle: { perMinute: 600 },
  })
  expect(draft).toEqual({
    id: expect.stringMatching(/^brd_/),
    projectId,
    name: 'News for {{ firstName }}',
    audienceId: audience,
    from: 'Anybody <anybody@unknown.example>',
    replyTo: ['desk@unknown.example'],
    subject: 'News for {{ firstName }}',
    previewText: 'This week',
    html: '<p>Hello {{ contact.firstName }}.</p>',
    text: 'Hello.',
    templateId: template.id,
    variables: { week: 12 },
    tracking: { opens: true, clicks: null },
    throttle: { perMinute: 600 },
    status: 'draft',
    sendAt: null,
    createdAt: expect.any(String),
    startedAt: null,
    completedAt: null,
    problem: null,
    stats: {
      recipients: 0,
      queued: 0,
      delivered: 0,
      deferred: 0,
      bounced: 0,
      filteredspam: 0,
      quarantined: 0,
      suppressed: 0,
      failed: 0,
      cancelled: 0,
      unsubscribed: 0,
      opens: 0,
      clicks: 0,
    },
  })
  expect(await readBroadcast(projectApi, draft)).toEqual(draft)
  const elsewhere = await newBroadcast(projectApi, other, { name: 'Elsewhere' })
  const listed = async (query: string) =>
    (await projectApi.get<Listed<BroadcastSeen>>(`broadcasts?${query}`)).body.data.map(({ id }) => id)
  expect(await listed('')).toEqual([elsewhere.id, draft.id])
  expect(await listed(`audienceId=${audience}`)).toEqual([draft.id])
  expect((await projectApi.get('broadcasts?audienceId=nonsense')).status).toBe(404)
  expect(await listed('status=draft&limit=1')).toEqual([elsewhere.id])
  expect(await listed('status=sent')).toEqual([])
  expect((await projectApi.get('broadcasts?status=lost')).status).toBe(400)
})

test('a change of a draft replaces what it names and leaves the rest', async () => {
  const here = await world()
  const { projectApi } = here
  const draft = await newBroadcast(projectApi, await readersOf(here), { throttle: { perMinute: 5 }, text: 'Hello.' })
  const change = { name: 'Spring', text: null, tracking: { clicks: false }, throttle: null, replyTo: ['a@b.example'] }
  const { status, body } = await projectApi.patch<BroadcastSeen>(`broadcasts/${draft.id}`, change)
  expect(status).toBe(200)
  expect(body).toEqual({
    ...draft,
    name: 'Spring',
    text: null,
    tracking: { opens: null, clicks: false },
    throttle: { perMinute: null },
    replyTo: ['a@b.example'],
  })
})

test('what cannot be a broadcast is refused with everything that is wrong', async () => {
  const here = await world()
  const { projectApi } = here
  const audience = await readersOf(here, 'ann')
  const post = (more: Record<string, unknown>) => projectApi.post('broadcasts', newsletter(audience, more))
  expectRefused(await post({ from: 'not an address' }), '/from')
  expectRefused(await post({ replyTo: ['a@b.example', 'nobody'] }), '/replyTo/1')
  expectRefused(await post({ throttle: { perMinute: 0 } }), '/throttle/perMinute')
  expectRefused(await post({ subject: 'two\nlines' }), '/subject')
  expectRefused(await post({ sendAt: hoursFromNow(1) }), '/sendAt')
  for (const part of ['subject', 'html', 'text', 'previewText']) {
    const reply = await post({ [part]: 'Hello {{ name' })
    expect(reply).toMatchObject({ status: 422, body: { code: 'template_error', details: [{ path: `/${part}` }] } })
  }
  expect(await post({ templateId: 'nowhere' })).toMatchObject(refusal(404, 'not_found'))
  expect(await post({ audienceId: 'aud_nonsense' })).toMatchObject(refusal(404, 'not_found'))
  const gone = await newAudience(projectApi)
  const draft = await newBroadcast(projectApi, gone)
  await projectApi.delete(`audiences/${gone}`)
  expect(await post({ audienceId: gone })).toMatchObject(refusal(404, 'not_found'))
  expect(await projectApi.post(`broadcasts/${draft.id}/send`)).toMatchObject(refusal(404, 'not_found'))
})

test('send, schedule and test want everything that a message needs', async () => {
  const here = await world()
  const { projectApi, api, projectId } = here
  const audience = await readersOf(here, 'ann')
  const actions: [string, unknown][] = [
    ['send', {}],
    ['schedule', { sendAt: hoursFromNow(1) }],
    ['test', { to: at('me') }],
  ]
  const strange = await newBroadcast(projectApi, audience, { from: 'a@unknown.example' })
  const empty = await newBroadcast(projectApi, audience, { subject: null, html: null })
  const fine = await newBroadcast(projectApi, audience)
  for (const [action, body] of actions) {
    const attempt = (id: string) => projectApi.post(`broadcasts/${id}/${action}`, body)
    expect(await attempt(strange.id), action).toMatchObject(refusal(403, 'domain_not_verified'))
    const refused = await attempt(empty.id)
    expectRefused(refused, '/subject')
    expectRefused(refused, '/html')
  }
  await api.patch(`projects/${projectId}`, { status: 'paused' })
  for (const [action, body] of actions) {
    const reply = await projectApi.post(`broadcasts/${fine.id}/${action}`, body)
    expect(reply, action).toMatchObject(refusal(403, 'project_paused'))
  }
  await api.patch(`projects/${projectId}`, { status: 'active' })
  for (const sendAt of [hoursFromNow(-1), hoursFromNow(366 * 24), '2031-02-30T00:00:00Z']) {
    expectRefused(await projectApi.post(`broadcasts/${fine.id}/schedule`, { sendAt }), '/sendAt')
  }
  expect((await readBroadcast(projectApi, fine)).status).toBe('draft')
})

test('the sandbox sends a broadcast to the simulator only', async () => {
  const here = await world()
  const { projectApi } = here
  const audience = await readersOf(here, 'ann')
  await addContact(projectApi, audience, 'someone@example.com')
  const draft = await newBroadcast(projectApi, audience)
  for (const [action, body] of [['send'], ['schedule', { sendAt: hoursFromNow(1) }]] as const) {
    const reply = await projectApi.post(`broadcasts/${draft.id}/${action}`, body)
    expect(reply).toMatchObject(refusal(403, 'sandbox_only'))
  }
})

test('a broadcast is sent only to as many as were expected, and never to nobody', async () => {
  const here = await world()
  const { projectApi } = here
  const audience = await readersOf(here, 'ann', 'bob', 'cleo', 'dan')
  await projectApi.patch(`audiences/${audience}/contacts/${at('bob')}`, { subscribed: false })
  await projectApi.post('suppressions', { email: at('cleo') })
  const draft = await newBroadcast(projectApi, audience)
  const send = (body: unknown) => projectApi.post(`broadcasts/${draft.id}/send`, body)
  expect(await send({ expectedRecipients: 4 })).toMatchObject({
    status: 409,
    body: { code: 'audience_changed', expected: 4, actual: 2 },
  })
  const nobody = await newBroadcast(projectApi, await readersOf(here))
  expect(await projectApi.post(`broadcasts/${nobody.id}/send`)).toMatchObject({
    status: 409,
    body: { code: 'invalid_state', state: 'draft', error: expect.stringContaining('has no contacts') },
  })
  expect((await readBroadcast(projectApi, nobody)).status).toBe('draft')
  const gone = await readersOf(here, 'bob')
  await projectApi.patch(`audiences/${gone}/contacts/${at('bob')}`, { subscribed: false })
  const listed = await readersOf(here, 'cleo')
  for (const [to, words] of [
    [gone, 'everybody in the audience has unsubscribed'],
    [listed, 'suppression list'],
  ] as const) {
    const { id } = await newBroadcast(projectApi, to)
    const { body } = await projectApi.post(`broadcasts/${id}/send`)
    expect(body['error']).toContain(words)
  }
  const sending = accepted((await send({ expectedRecipients: 2 })) as never) as BroadcastSeen
  expect(sending).toMatchObject({ status: 'sending', sendAt: null, completedAt: null })
  await runJobs(here)
  expect((await readBroadcast(projectApi, draft)).stats).toMatchObject({ recipients: 2, queued: 2 })
})

test('whoever is suppressed in another spelling of the address is none of the recipients', async () => {
  const here = await world()
  const { projectApi } = here
  for (const email of ['straße', 'oδοσ', 'ısık']) await projectApi.post('suppressions', { email: at(email) })
  const listed = ['strasse', 'oδος', 'isik']
  const nobody = await newBroadcast(projectApi, await readersOf(here, ...listed, 'ısık'))
  expect(await projectApi.post(`broadcasts/${nobody.id}/send`)).toMatchObject(refusal(409, 'invalid_state'))
  const draft = await newBroadcast(projectApi, await readersOf(here, ...listed, 'ann', 'groß'))
  expect(await projectApi.post(`broadcasts/${draft.id}/send`, { expectedRecipients: 2 })).toMatchObject({ status: 202 })
  await runJobs(here)
  expect((await readBroadcast(projectApi, draft)).stats).toMatchObject({ recipients: 2, queued: 2, suppressed: 0 })
})

test('recipients are fixed when sending starts', async () => {
  const here = await world()
  const { projectApi } = here
  const audience = await readersOf(here, 'ann', 'bob', 'cleo')
  const broadcast = await sendBroadcast(projectApi, await newBroadcast(projectApi, audience))
  await addContact(projectApi, audience, at('late'))
  await runJobs(here)
  await addContact(projectApi, audience, at('later'))
  await runJobs(here)
  expect((await readBroadcast(projectApi, broadcast)).stats.recipients).toBe(3)
  const outstanding = await reconciliation(projectApi, broadcast, 2)
  expect(outstanding.map(({ email }) => email).toSorted()).toEqual([at('ann'), at('bob'), at('cleo')])
  expect(outstanding.map(({ status }) => status)).toEqual(['queued', 'queued', 'queued'])
  const email = await read(projectApi, { id: outstanding[0]!.emailId! })
  expect(email).toMatchObject({ broadcastId: broadcast.id, to: [expect.stringContaining(outstanding[0]!.email!)] })
})

test('whoever is deleted before their email is made counts as suppressed', async () => {
  const here = await world()
  const { projectApi, db } = here
  const audience = await readersOf(here, 'ann', 'bob')
  const broadcast = await sendBroadcast(projectApi, await newBroadcast(projectApi, audience))
  await projectApi.post(`broadcasts/${broadcast.id}/pause`)
  await runJobs(here)
  expect(await reconciliation(projectApi, broadcast)).toMatchObject([{ status: 'waiting' }, { status: 'waiting' }])
  await projectApi.delete(`audiences/${audience}/contacts/${at('ann')}`)
  expect((await reconciliation(projectApi, broadcast)).map(({ email }) => email)).toContain(null)
  await projectApi.post(`broadcasts/${broadcast.id}/resume`)
  await runJobs({ db, services: here.services })
  const seen = await readBroadcast(projectApi, broadcast)
  expect(seen.stats).toMatchObject({ recipients: 2, queued: 1, suppressed: 1 })
  expect(accountedFor(seen)).toBe(2)
})

test('a quota counts, and what does not fit waits for the next day', async () => {
  const here = await world()
  const { projectApi, api, projectId, db } = here
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: 2 } })
  const broadcast = await sendBroadcast(
    projectApi,
    await newBroadcast(projectApi, await readersOf(here, 'ann', 'bob', 'cleo')),
  )
  await runJobs(here)
  const statuses = async () => (await reconciliation(projectApi, broadcast)).map(({ status }) => status).toSorted()
  expect(await statuses()).toEqual(['queued', 'queued', 'waiting'])
  const refused = await projectApi.post('email/send', { from: SANDBOX, to: at('x'), subject: 'x', text: 'x' })
  expect(refused).toMatchObject(refusal(403, 'quota_exceeded'))
  await moveClock(db, 86_400)
  await makeAllDue(db)
  await runJobs(here)
  expect(await statuses()).toEqual(['queued', 'queued', 'queued'])
})

test('a throttled broadcast makes no more emails than its minute allows', async () => {
  const here = await world()
  const { projectApi, db } = here
  const names = Array.from({ length: 9 }, (_, i) => `user${i}`)
  const draft = await newBroadcast(projectApi, await readersOf(here, ...names), { throttle: { perMinute: 12 } })
  const broadcast = await sendBroadcast(projectApi, draft)
  const queued: number[] = []
  for (let seconds = 0; seconds <= 40; seconds += 5) {
    await moveClock(db, seconds)
    await makeAllDue(db)
    await runJobs(here)
    queued.push((await reconciliation(projectApi, broadcast)).filter(({ status }) => status === 'queued').length)
  }
  // Two at a time, and ten seconds between.
  expect(queued).toEqual([2, 2, 4, 4, 6, 6, 8, 8, 9])
})

test('what a slow broadcast says is kept for as long as it takes', async () => {
  const here = await world()
  const { projectApi, db, services, config } = here
  const broadcast = await sendBroadcast(projectApi, await newBroadcast(projectApi, await readersOf(here, 'ann')))
  await projectApi.post(`broadcasts/${broadcast.id}/pause`)
  await runJobs(here)
  const kept = async () => {
    await services.retention.purgeContents(new AbortController().signal)
    return (await db.one(sql<{ kept: boolean }>`select purged_at is null as kept from contents`)).kept
  }
  await moveClock(db, (config.retainBodiesDays + 1) * 86_400)
  expect(await kept()).toBe(true)
  await projectApi.delete(`audiences/${broadcast.audienceId}/contacts/${at('ann')}`)
  await projectApi.post(`broadcasts/${broadcast.id}/resume`)
  await runJobs(here)
  expect((await readBroadcast(projectApi, broadcast)).status).toBe('sent')
  expect(await kept()).toBe(false)
})

test('an audience cannot be deleted while a broadcast to it is planned or under way', async () => {
  const here = await world()
  const { projectApi } = here
  const audience = await readersOf(here, 'ann')
  const draft = await newBroadcast(projectApi, audience)
  const remove = () => projectApi.delete(`audiences/${audience}`)
  const act = (action: string, body?: unknown) => projectApi.post(`broadcasts/${draft.id}/${action}`, body)
  for (const [action, body] of [['schedule', { sendAt: hoursFromNow(1) }], ['cancel'], ['send'], ['pause']] as const) {
    expect((await act(action, body)).status, action).toBeLessThan(300)
    if (action !== 'cancel') expect(await remove(), action).toMatchObject(refusal(409, 'invalid_state'))
  }
})

test('a test is an ordinary email, filled in for whoever gets it', async () => {
  const here = await world()
  const { projectApi } = here
  const audience = await readersOf(here, 'ann')
  const draft = await newBroadcast(projectApi, audience, { previewText: 'For {{ email }}', replyTo: 'desk@b.example' })
  const test = async (to: unknown) =>
    read(projectApi, accepted(await projectApi.post<{ id: string }>(`broadcasts/${draft.id}/test`, { to })))
  expect(await test(at('ann'))).toMatchObject({
    subject: 'News for ann',
    html: expect.stringContaining('<p>Hello ann.</p>'),
    replyTo: ['desk@b.example'],
    broadcastId: null,
  })
  const stranger = await test([at('boss'), at('desk')])
  expect(stranger.to).toEqual([at('boss'), at('desk')])
  expect(stranger.html).toContain(`For ${at('boss')}`)
  expect(stranger.html).not.toContain('ann')
  expect((await readBroadcast(projectApi, draft)).status).toBe('draft')
  expectRefused(await projectApi.post(`broadcasts/${draft.id}/test`, { to: 'nobody' }), '/to/0')
})
