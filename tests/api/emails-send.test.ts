import { expect, test } from 'vitest'
import { at, mail, post, problemsOf, read, rowsOf, SANDBOX, send, sentAndRead } from '../support/emails.ts'
import { worldWithDns, verifiedDomain } from '../support/domains.ts'
import { tenants, world } from '../support/world.ts'

const tenant = tenants()

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

test('an email is queued and comes back as it was understood', async () => {
  const { projectApi, projectId } = await tenant()
  const { status, body } = await post(projectApi)
  expect(status).toBe(202)
  expect(body).toEqual({
    id: expect.stringMatching(/^em_[0-9a-hjkmnp-tv-z]{26}$/),
    projectId,
    status: 'queued',
    from: SANDBOX,
    to: [at('ann')],
    subject: 'Hello',
    sendAt: null,
    createdAt: time,
  })
})

test('one address or several: everybody is a recipient, in the order of to, cc, bcc', async () => {
  const { projectApi } = await tenant()
  const email = await sentAndRead(projectApi, { to: [at('a'), at('b')], cc: at('c'), bcc: [at('d')] })
  expect(email).toMatchObject({ to: [at('a'), at('b')], cc: [at('c')], bcc: [at('d')] })
  expect(email.recipients.map((one) => [one.kind, one.email, one.status, one.attempts])).toEqual([
    ['to', at('a'), 'queued', 0],
    ['to', at('b'), 'queued', 0],
    ['cc', at('c'), 'queued', 0],
    ['bcc', at('d'), 'queued', 0],
  ])
  expect(email['counts']).toEqual({ queued: 4 })
})

test('who is named several times is mailed once, for the first place, whatever the letter case', async () => {
  const { projectApi, db } = await world()
  const email = await sentAndRead(projectApi, {
    to: ['Ann <Ann@Simulator.posthouse.test>', at('ann')],
    cc: [at('ANN'), at('bob')],
    bcc: [at('Bob'), 'ANN@SIMULATOR.POSTHOUSE.TEST'],
  })
  expect(email).toMatchObject({ to: [`Ann <${at('Ann')}>`], cc: [at('bob')], bcc: [] })
  expect(email.recipients).toHaveLength(2)
  expect((await rowsOf(db))['deliveries']).toBe(2)
})

test('fifty recipients are a message, fifty-one are not, and duplicates do not count', async () => {
  const { projectApi } = await tenant()
  const people = (n: number) => Array.from({ length: n }, (_, i) => at(`p${i}`))
  expect((await sentAndRead(projectApi, { to: people(50), cc: people(50), bcc: people(20) })).recipients).toHaveLength(
    50,
  )
  expect((await sentAndRead(projectApi, { to: [...people(25), ...people(25)] })).recipients).toHaveLength(25)
  expect(problemsOf(await post(projectApi, { to: people(51) }))).toEqual(['/to'])
  expect(problemsOf(await post(projectApi, { to: people(30), cc: at('x'), bcc: people(50) }))).toEqual(['/to'])
})

const names = [
  'Ann Example',
  "Dr. Ann O'Hara",
  'Jürgen Größe',
  '山田太郎',
  '📮 Post',
  '"Example, Ann"',
  String.raw`"Ann \"the Post\" \\ Example"`,
  '"ann@example.com"',
  '"Ann (Post) [1]: <;>"',
  '"=?utf-8?q?literally?="',
]

test('names come back as they were written: with quotation marks, commas, umlauts, in any script', async () => {
  const { projectApi } = await tenant()
  for (const name of names) {
    const [from, to] = [`${name} <${SANDBOX}>`, `${name} <${at('ann')}>`]
    const sent = await send(projectApi, { from, to })
    expect(sent).toMatchObject({ from, to: [to] })
    const email = await read(projectApi, sent)
    expect(email).toMatchObject({ from, to: [to], recipients: [{ email: at('ann') }] })
  }
})

test('the domain of an address is written in lower case and ASCII, the part before it is left alone', async () => {
  const { projectApi, dns } = await worldWithDns()
  await verifiedDomain(projectApi, dns, 'shop.example')
  const sent = await send(projectApi, {
    from: 'News@SHOP.Example',
    to: 'Jörg@Bücher.EXAMPLE',
    replyTo: 'Help@Shop.example',
  })
  expect(sent).toMatchObject({ from: 'News@shop.example', to: ['Jörg@xn--bcher-kva.example'] })
  expect(await read(projectApi, sent)).toMatchObject({ replyTo: ['Help@shop.example'] })
})

test('a text is made from the html where there is none, and left alone where there is', async () => {
  const { projectApi } = await tenant()
  const html = '<h1>Welcome</h1><p>Read <a href="https://example.com/x">this</a> &amp; that.</p>'
  const derived = await sentAndRead(projectApi, { html })
  expect(derived.html).toBe(html)
  expect(derived.text).toMatch(/welcome/i)
  expect(derived.text).toContain('https://example.com/x')
  expect(derived.text).toContain('& that.')
  expect(derived.text).not.toContain('<')
  expect(await sentAndRead(projectApi, { html, text: 'Mine.' })).toMatchObject({ html, text: 'Mine.' })
  expect(await sentAndRead(projectApi, { html: undefined, text: 'Only text.' })).toMatchObject({
    html: null,
    text: 'Only text.',
  })
})

test('everything else that was asked for can be read again', async () => {
  const { projectApi } = await tenant()
  const given = {
    replyTo: ['Help <help@example.com>', 'second@example.com'],
    headers: { 'X-Order': '4711', 'List-Id': 'Grüße <x.example.com>' },
    tags: { kind: 'welcome', 'order-1_B': '' },
    metadata: { 'any key at all': 'ünï' },
    tracking: { opens: true, clicks: false },
    inReplyTo: '<first@example.com>',
    variables: { deep: [1, { two: null }] },
  }
  const email = await sentAndRead(projectApi, given)
  expect(email).toMatchObject(given)
  expect(email['messageIdHeader']).toBe(`<${email.id}@sandbox.posthouse.test>`)
})

test('a dry run checks and renders everything and leaves no trace', async () => {
  const { projectApi, projectId, db } = await world()
  await projectApi.post('suppressions', { email: at('gone') })
  const attachments = [{ filename: 'a.txt', content: 'YQ==' }]
  const body = mail({ to: ['Ann <ann@simulator.posthouse.test>', at('gone')], cc: at('c'), attachments })
  const reply = await projectApi.post('email/send?dryRun=true', body, { 'idempotency-key': 'dry' })
  expect(reply.status).toBe(200)
  expect(reply.body).toEqual({
    dryRun: true,
    projectId,
    status: 'queued',
    from: SANDBOX,
    to: ['Ann <ann@simulator.posthouse.test>', at('gone')],
    cc: [at('c')],
    bcc: [],
    subject: 'Hello',
    html: '<p>Hello there.</p>',
    text: expect.stringContaining('Hello there.'),
    sendAt: null,
    suppressed: [at('gone')],
  })
  expect(await rowsOf(db)).toEqual({})
  // The key is still there for the real thing.
  const real = await projectApi.post('email/send?dryRun=false', body, { 'idempotency-key': 'dry' })
  expect(real.status).toBe(202)
  expect(real.headers.has('idempotency-replayed')).toBe(false)
})

test('a dry run is refused for what a send would be refused for', async () => {
  const { projectApi, api, projectId } = await world()
  const dry = (more: Record<string, unknown>) => projectApi.post('email/send?dryRun=true', mail(more))
  expect(await dry({ to: 'ann@example.com' })).toMatchObject({ status: 403, body: { code: 'sandbox_only' } })
  expect(await dry({ templateId: 'none' })).toMatchObject({ status: 404 })
  expect(problemsOf(await dry({ to: 'ann' }))).toEqual(['/to'])
  await projectApi.post('suppressions', { email: at('ann') })
  expect(await dry({})).toMatchObject({ status: 422, body: { code: 'recipient_suppressed' } })
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: 0 } })
  expect(await dry({ to: at('bob') })).toMatchObject({ status: 403, body: { code: 'quota_exceeded' } })
  await api.patch(`projects/${projectId}`, { status: 'paused' })
  expect(await dry({})).toMatchObject({ status: 403, body: { code: 'project_paused' } })
})
