import { expect, test } from 'vitest'
import { at, mail, post, problemsOf, refusal, rowsOf, send } from '../support/emails.ts'
import { tenants, world } from '../support/world.ts'

const tenant = tenants()

const wrong: [what: string, more: Record<string, unknown>, paths: string[]][] = [
  ['a field that is not known', { html_body: 'x' }, ['/html_body']],
  ['no sender', { from: undefined }, ['/from']],
  ['two senders', { from: 'a@example.com, b@example.com' }, ['/from']],
  ['a sender that is no address', { from: 'Ann' }, ['/from']],
  ['a sender list', { from: ['a@example.com'] }, ['/from']],
  ['no recipient', { to: undefined }, ['/to']],
  ['an empty list of recipients', { to: [] }, ['/to']],
  ['recipients in one text', { to: `${at('a')}, ${at('b')}` }, ['/to']],
  ['wrong addresses among right ones', { to: [at('a'), 'b', at('c'), '@d'] }, ['/to/1', '/to/3']],
  ['something else than an address', { to: [at('a'), 5], cc: {} }, ['/to/1', '/cc']],
  ['wrong copies', { cc: 'x', bcc: ['y'], replyTo: [at('a'), 'z@'] }, ['/cc', '/bcc/0', '/replyTo/1']],
  ['a line break in a name', { to: 'Ann\r\nBcc: x@example.com <ann@example.com>' }, ['/to']],
  ['no subject', { subject: undefined }, ['/subject']],
  ['a line break in the subject', { subject: 'a\nb' }, ['/subject']],
  ['a long subject', { subject: 'x'.repeat(999) }, ['/subject']],
  ['no content', { html: undefined }, ['/html']],
  ['html that is no text', { html: 7 }, ['/html']],
  ['a NUL', { html: 'a\0b' }, ['/html']],
  [
    'too many attachments',
    { attachments: Array.from({ length: 21 }, () => ({ filename: 'a', content: '' })) },
    ['/attachments'],
  ],
  ['a tag with a space', { tags: { 'a b': 'x' } }, ['/tags/a b']],
  ['a tag that is no text', { tags: { a: 1 } }, ['/tags/a']],
  ['a long tag', { tags: { a: 'x'.repeat(257) } }, ['/tags/a']],
  ['too many tags', { tags: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`t${i}`, ''])) }, ['/tags']],
  ['metadata that is no text', { metadata: { a: {} } }, ['/metadata/a']],
  ['tracking of something else', { tracking: { opens: 'yes', reads: true } }, ['/tracking/reads', '/tracking/opens']],
  ['variables in a list', { variables: [] }, ['/variables']],
  ['an inReplyTo that is no Message-ID', { inReplyTo: 'yesterday' }, ['/inReplyTo']],
  ['a time without an offset', { sendAt: '2030-01-01T00:00:00' }, ['/sendAt']],
  ['a time in words', { sendAt: 'tomorrow' }, ['/sendAt']],
  ['a day that does not exist', { sendAt: '2031-02-30T00:00:00Z' }, ['/sendAt']],
]

test('what is out of shape is refused, and the answer says where', async () => {
  const { projectApi, db } = await world()
  for (const [what, more, paths] of wrong) expect(problemsOf(await post(projectApi, more)), what).toEqual(paths)
  expect(await rowsOf(db)).toEqual({})
})

test('everything that is wrong is said at once, whatever kind of mistake it is', async () => {
  const { projectApi } = await tenant()
  const body = {
    from: 'nobody',
    cc: ['x', 5],
    subject: 'a\rb',
    headers: { Date: 'now', 'X-Good': 'yes' },
    attachments: [{ filename: 'a\nb', content: '?', contentType: 'words', disposition: 'hidden' }],
    tags: { 'not good': 'x' },
    sendAt: '2001-01-01T00:00:00Z',
    extra: true,
  }
  const reply = await projectApi.post('email/send?dryRun=perhaps', body, { 'idempotency-key': 'ü' })
  expect(problemsOf(reply).toSorted()).toEqual(
    [
      '/to',
      '/cc/1',
      '/extra',
      '/tags/not good',
      '/attachments/0/disposition',
      '/query/dryRun',
      '/headers/idempotency-key',
      '/from',
      '/subject',
      '/html',
      '/headers/Date',
      '/sendAt',
    ].toSorted(),
  )
  expect(problemsOf(await projectApi.post('email/send', {})).toSorted()).toEqual(['/from', '/html', '/subject', '/to'])
})

test('more than a few problems are all listed', async () => {
  const { projectApi } = await tenant()
  const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`field${i}`, i]))
  expect(problemsOf(await post(projectApi, unknown))).toHaveLength(30)
})

test('what is no object is no email', async () => {
  const { projectApi } = await tenant()
  for (const body of ['[]', '"mail"', 'null', '7']) {
    expect(problemsOf(await projectApi.post('email/send', body)), body).toEqual(['/'])
  }
  expect(await projectApi.post('email/send', '{"from":')).toMatchObject(refusal(400, 'invalid_json'))
})

test('an Idempotency-Key is 1 to 256 printable characters', async () => {
  const { projectApi } = await tenant()
  for (const key of ['', 'x'.repeat(257), 'ü']) {
    const reply = await projectApi.post('email/send', mail(), { 'idempotency-key': key })
    expect(problemsOf(reply), key).toEqual(['/headers/idempotency-key'])
  }
  const longest = await projectApi.post('email/send', mail(), { 'idempotency-key': '~'.repeat(256) })
  expect(longest.status).toBe(202)
})

test('headers that decide who, where and how are not for clients to set, nor are names that are none', async () => {
  const { projectApi } = await tenant()
  const structural = 'From to CC Bcc Subject Date Message-ID Reply-To Sender Return-Path Received MIME-Version'
  const families = 'Content-Type Content-Foo DKIM-Signature ARC-Seal Resent-To X-Posthouse-Ref'
  for (const name of [...structural.split(' '), ...families.split(' '), 'a b', 'x:y', 'ü', 'X\r\nBcc']) {
    const reply = await post(projectApi, { headers: { 'X-Fine': 'x', [name]: 'x' } })
    expect(problemsOf(reply)).toEqual([`/headers/${name}`])
  }
})

test('forty headers can be set; their values stay in their line', async () => {
  const { projectApi } = await tenant()
  const headers = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`X-Header-${i}`, 'x']))
  await send(projectApi, { headers: headers(40) })
  expect(problemsOf(await post(projectApi, { headers: headers(41) }))).toContain('/headers')
  for (const value of ['a\r\nBcc: x@example.com', 'a\nb', 'a\rb', 'x'.repeat(4_097)]) {
    expect(problemsOf(await post(projectApi, { headers: { 'X-Bad': value } }))).toEqual(['/headers/X-Bad'])
  }
  expect(problemsOf(await post(projectApi, { headers: { 'X-Twice': 'a', 'x-twice': 'b' } }))).toEqual([
    '/headers/x-twice',
  ])
})

test('the sandbox mails the simulator and nobody else', async () => {
  const { projectApi, db } = await world()
  for (const to of ['ann@example.com', 'ann@sub.simulator.posthouse.test', 'ann@sandbox.posthouse.test']) {
    expect(await post(projectApi, { to })).toMatchObject(refusal(403, 'sandbox_only'))
    expect(await post(projectApi, { bcc: to })).toMatchObject(refusal(403, 'sandbox_only'))
  }
  expect(await rowsOf(db)).toEqual({})
  await send(projectApi, { from: 'Me <SANDBOX@sandbox.posthouse.test>', to: 'ANN@Simulator.Posthouse.TEST' })
  expect(await post(projectApi, { from: 'other@sandbox.posthouse.test' })).toMatchObject(
    refusal(403, 'domain_not_verified'),
  )
})

test('a message of more than 25 MiB as it would be sent is refused', async () => {
  const { projectApi, db } = await world()
  const content = Buffer.alloc(18.9 * 1024 * 1024, 7).toString('base64')
  const attachments = [{ filename: 'large.bin', content }]
  expect(await post(projectApi, { attachments })).toMatchObject({
    status: 413,
    body: { code: 'payload_too_large', limitBytes: 25 * 1024 * 1024 },
  })
  expect(await rowsOf(db)).toEqual({})
})
