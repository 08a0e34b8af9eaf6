import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { eventually } from '../support/eventually.ts'
import { moveClock } from '../support/clock.ts'
import { receivingWorld, type Received, type ReceivedFile, type ReceivingWorld } from '../support/receiving.ts'

const letter = (subject: string, more = ''): string =>
  `From: Ann <ann@sender.test>\r\nTo: help@x.test\r\nSubject: ${subject}\r\n${more}\r\nHello.\r\n`

/** Without the JSON client: bytes. */
async function download({ projectApi }: ReceivingWorld, path: string) {
  const response = await fetch(`${projectApi.url}/api/v1/receiving/emails/${path}`, {
    headers: { authorization: `Bearer ${projectApi.key}` },
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

test('the raw message comes back to the byte, behind our trace field, whatever the bytes are', async () => {
  const here = await receivingWorld()
  const domain = await here.managedDomain()
  const odd = Buffer.concat([
    Buffer.from('Subject: odd\r\nX-Odd:\r\n\tfolded \r\n\r\n..dots\r\n.\r\n'),
    Buffer.from([0xff, 0xfe, 0x80, 0x09, 0x20]),
    Buffer.from('\r\nlast line without an end'),
  ])
  // RFC 5321 §4.5.2: on the wire a dot goes in front of every line that begins with one.
  const stuffed = Buffer.from(odd.toString('latin1').replaceAll(/^\./gm, '..'), 'latin1')
  await here.deliver(stuffed, { to: `odd@${domain}` })
  const { id, size } = await here.arrived(`odd@${domain}`)
  const raw = await download(here, `${id}/raw`)
  const asSent = Buffer.concat([odd, Buffer.from('\r\n')])
  const [trace = ''] = /^Received: .*\r\n(?: .*\r\n)*/.exec(raw.bytes.toString('latin1')) ?? []
  expect(raw.bytes.subarray(trace.length).equals(asSent)).toBe(true)
  expect(size).toBe(raw.bytes.length)
  expect(Object.fromEntries(raw.headers)).toMatchObject({
    'content-type': 'message/rfc822',
    'content-disposition': `attachment; filename="${id}.eml"`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': 'sandbox',
  })
})

test('attachments are listed in their order and given as files that no browser opens', async () => {
  const here = await receivingWorld()
  const domain = await here.managedDomain()
  const files = Array.from({ length: 30 }, (_, i) => ({ filename: `file ${i}.bin`, content: Buffer.alloc(100, i) }))
  const page = { filename: 'Gru\u0308ße "x"\\.html', content: '<script>alert(1)</script>', contentType: 'text/html' }
  await here.mail({ to: `files@${domain}`, text: 'see attached', attachments: [page, ...files] })
  const { id, attachmentCount } = await here.arrived(`files@${domain}`)
  expect(attachmentCount).toBe(31)
  const listed: ReceivedFile[] = []
  for (let cursor = ''; ;) {
    const { body } = await here.projectApi.get<{ data: ReceivedFile[]; nextCursor: string | null }>(
      `receiving/emails/${id}/attachments?limit=20${cursor}`,
    )
    listed.push(...body.data)
    if (body.nextCursor === null) break
    cursor = `&cursor=${body.nextCursor}`
  }
  expect(listed.map(({ filename }) => filename)).toEqual([page.filename, ...files.map(({ filename }) => filename)])
  const unasked = await here.projectApi.get<{ data: ReceivedFile[] }>(`receiving/emails/${id}/attachments`)
  expect(unasked.body.data, 'all of them without a limit').toEqual(listed)
  const [html, second] = [listed[0]!, listed[2]!]
  expect(second).toMatchObject({
    id: expect.stringMatching(/^att_/),
    size: 100,
    contentId: null,
    disposition: 'attachment',
    sha256: createHash('sha256').update(Buffer.alloc(100, 1)).digest('hex'),
  })
  const got = await download(here, `${id}/attachments/${html.id}`)
  expect(got.bytes.toString()).toBe(page.content)
  expect(Object.fromEntries(got.headers)).toMatchObject({
    'content-type': 'text/html',
    'content-disposition': `attachment; filename="Gru__e _x__.html"; filename*=UTF-8''Gru%CC%88%C3%9Fe%20%22x%22%5C.html`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': 'sandbox',
  })
  const other = await here.managedDomain()
  await here.mail({ to: `x@${other}`, text: 'nothing attached' })
  const { id: another } = await here.arrived(`x@${other}`)
  expect((await download(here, `${another}/attachments/${html.id}`)).status).toBe(404)
})

test('each recipient has an email of its own, and nobody sees those of other projects', async () => {
  const here = await receivingWorld()
  const { newProject, clientWith, arrived, list } = here
  const other = await clientWith({ scopes: ['*'], projectId: await newProject() })
  const [ours, theirs] = [await here.managedDomain(), await here.managedDomain(other)]
  const to = [`a@${ours}`, `b@${ours}`, `c@${theirs}`]
  await here.mail({ envelope: { from: 'ann@sender.test', to }, to: 'list@sender.test', subject: 'To all', text: 'x' })
  const [a, b, c] = [await arrived(to[0]!), await arrived(to[1]!), await arrived(to[2]!, other)]
  expect(new Set([a.id, b.id, c.id]).size).toBe(3)
  expect([a, b, c].map(({ envelope }) => envelope.to)).toEqual(to)
  expect((await list()).map(({ id }) => id).toSorted()).toEqual([a.id, b.id].toSorted())
  expect((await list('', other)).map(({ id }) => id)).toEqual([c.id])
  expect(JSON.stringify([a, b])).not.toContain(theirs)
  expect((await here.projectApi.get(`receiving/emails/${c.id}`)).status).toBe(404)
  expect((await other.get(`receiving/emails/${a.id}/raw`)).status).toBe(404)
})

test('the list is newest first and can be narrowed', async () => {
  const here = await receivingWorld()
  const { list, arrived } = here
  const [first, second] = [await here.managedDomain(), await here.managedDomain()]
  const mails: [string, string, string][] = [
    ['Ann <ann@sender.test>', `help@${first}`, 'one'],
    ['bob@sender.test', `Help@${first}`, 'two'],
    ['ANN@sender.test', `sales@${second}`, 'three'],
  ]
  const moments: string[] = []
  for (const [from, to, subject] of mails) {
    await here.mail({ from, to, subject, text: subject })
    moments.push(
      (await eventually(subject, async () => (await list()).find((one) => one.subject === subject))).receivedAt,
    )
  }
  const subjects = async (query: string) => (await list(query)).map(({ subject }) => subject)
  const { domainId } = await arrived(`sales@${second}`)
  expect(await subjects('')).toEqual(['three', 'two', 'one'])
  expect(await subjects(`?to=HELP@${first}`)).toEqual(['two', 'one'])
  expect(await subjects('?from=ann@sender.test')).toEqual(['three', 'one'])
  expect(await subjects(`?from=ann@sender.test&to=help@${first}`)).toEqual(['one'])
  expect(await subjects(`?domainId=${domainId}`)).toEqual(['three'])
  expect(await subjects(`?receivedAfter=${moments[1]}`)).toEqual(['three'])
  expect((await here.projectApi.get('receiving/emails?from=nobody')).status).toBe(400)
  const { body } = await here.projectApi.get<{ data: Received[]; nextCursor: string }>('receiving/emails?limit=2')
  expect(await subjects(`?limit=2&cursor=${body.nextCursor}`)).toEqual(['one'])
  await here.projectApi.delete(`receiving/domains/${domainId}`)
  expect(await subjects(`?domainId=${domainId}`)).toEqual(['three'])
})

test('the list is narrowed to what the checks said; a page ends after two thousand mails, and the next goes on', async () => {
  const here = await receivingWorld()
  const address = `help@${await here.managedDomain()}`
  for (const subject of ['true', 'forged']) {
    await here.mail({ to: address, subject, text: subject })
    await eventually(subject, async () => (await here.list()).find((one) => one.subject === subject))
  }
  const judged = (subject: string, auth: object) =>
    here.db.run(sql`update received_messages set auth = ${JSON.stringify(auth)} where letter->>'subject' = ${subject}`)
  await judged('true', { spf: 'softfail', dkim: 'pass', dmarc: 'pass', arc: 'none' })
  await judged('forged', { spf: 'softfail', dkim: 'none', dmarc: 'fail', arc: 'none' })
  const subjects = async (query: string) => (await here.list(query)).map(({ subject }) => subject)
  expect(await subjects('?dmarc=pass')).toEqual(['true'])
  expect(await subjects('?dkim=none&dmarc=fail')).toEqual(['forged'])
  expect(await subjects('?spf=softfail')).toEqual(['forged', 'true'])
  expect(await subjects('?spf=softfail&limit=1')).toEqual(['forged'])
  expect(await subjects('?dkim=pass&dmarc=fail')).toEqual([])
  expect((await here.projectApi.get('receiving/emails?dmarc=maybe')).status).toBe(400)

  // Older than both are 2,500 copies of one of them; the oldest of all are copies of the other.
  const copies = (subject: string, first: number, count: number) =>
    here.db.run(sql`
      insert into received_emails (id, project_id, domain_id, message_id, recipient, recipient_key, shown_at)
      select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, project_id, domain_id, message_id, recipient,
             recipient_key, shown_at
        from received_emails e
        join received_messages m on m.id = message_id
       cross join generate_series(${first}::int, ${first + count - 1}::int) as numbers (n)
       where letter->>'subject' = ${subject}`)
  await copies('true', 10, 2_500)
  await copies('forged', 1, 3)
  type Answer = { data: Received[]; hasMore: boolean; nextCursor: string | null }
  const ask = async (query: string) => (await here.projectApi.get<Answer>(`receiving/emails?${query}`)).body
  const first = await ask('dmarc=fail&limit=10')
  expect(first).toMatchObject({ data: [{ subject: 'forged' }], hasMore: true })
  const second = await ask(`dmarc=fail&limit=10&cursor=${first.nextCursor}`)
  expect(second.data.map(({ subject }) => subject)).toEqual(['forged', 'forged', 'forged'])
  expect(second).toMatchObject({ hasMore: false, nextCursor: null })
  const bound = await here.clientWith({ scopes: ['receiving:read'], projectId: await here.newProject() })
  expect(await here.list('?dmarc=fail', bound)).toEqual([])
})

test('who may be written to is decided at RCPT: unknown and archived 550, paused 450', async () => {
  const here = await receivingWorld()
  const { api, newProject, clientWith, projectApi } = here
  const projectId = await newProject()
  const other = await clientWith({ scopes: ['*'], projectId })
  const [ours, theirs] = [await here.managedDomain(), await here.managedDomain(other)]
  const pending = (
    await projectApi.post<{ name: string }>('receiving/domains', { type: 'custom', name: 'in.example.com' })
  ).body.name
  const rcpt = async (address: string): Promise<string> => {
    const caller = await here.call()
    await caller.hello()
    await caller.ask('MAIL FROM:<>')
    return caller.ask(`RCPT TO:<${address}>`)
  }
  expect(await rcpt(`anybody@${ours}`)).toMatch(/^250 /)
  expect(await rcpt(`anybody@${ours.toUpperCase()}`)).toMatch(/^250 /)
  expect(await rcpt(`x@sub.${ours}`)).toMatch(/^550 5\.7\.1/)
  expect(await rcpt(`x@${pending}`)).toMatch(/^550 5\.7\.1/)
  expect(await rcpt('x@in.posthouse.test')).toMatch(/^550 5\.7\.1/)
  expect(await rcpt('somebody@posthouse.test')).toMatch(/^550 5\.1\.1/)
  expect(await rcpt('postmaster@posthouse.test')).toMatch(/^250 /)
  await api.patch(`projects/${projectId}`, { status: 'paused' })
  expect(await rcpt(`x@${theirs}`)).toMatch(/^450 4\.2\.1/)
  await api.patch(`projects/${projectId}`, { status: 'active' })
  expect(await rcpt(`x@${theirs}`)).toMatch(/^250 /)
  await api.delete(`projects/${projectId}`)
  expect(await rcpt(`x@${theirs}`)).toMatch(/^550 5\.2\.1/)
})

test('a project that is paused between RCPT and the message still gets it: we had said yes', async () => {
  const here = await receivingWorld()
  const { api, projectId } = here
  const domain = await here.managedDomain()
  const caller = await here.call()
  await caller.hello()
  expect(await caller.codes('MAIL FROM:<a@b.test>', `RCPT TO:<x@${domain}>`, 'DATA')).toBe('250 250 354')
  await api.patch(`projects/${projectId}`, { status: 'paused' })
  expect(await caller.ask(`${letter('late')}.`)).toMatch(/^250 /)
  expect(await here.arrived(`x@${domain}`)).toMatchObject({ subject: 'late' })
})

test('a message whose sender did not hear our answer is stored once, within the hour', async () => {
  const here = await receivingWorld()
  const { deliver, list, db } = here
  const domain = await here.managedDomain()
  const to = `once@${domain}`
  expect(await deliver(letter('same'), { to })).toMatch(/^250 .*kept as/)
  expect(await deliver(letter('same'), { to })).toMatch(/^250 .*kept already/)
  // Another envelope, or another byte, is another message.
  expect(await deliver(letter('same'), { to, from: 'bob@sender.test' })).toMatch(/^250 .*kept as/)
  expect(await deliver(letter('same'), { to: `twice@${domain}` })).toMatch(/^250 .*kept as/)
  expect(await deliver(letter('same '), { to })).toMatch(/^250 .*kept as/)
  const together = await Promise.all(Array.from({ length: 20 }, () => deliver(letter('crowd'), { to })))
  expect(together.filter((answer) => answer.includes('kept as'))).toHaveLength(1)
  await eventually('all are read', async () => (await list()).length === 5)
  await moveClock(db, 3_700)
  expect(await deliver(letter('same'), { to })).toMatch(/^250 .*kept as/)
  await eventually('it is there again', async () => (await list()).length === 6)
})

test('headers are as they came, but nobody speaks of authentication in our name', async () => {
  const here = await receivingWorld()
  const domain = await here.managedDomain()
  const lies = ['posthouse.test; spf=pass', '(a (b) ;) PostHouse.Test. 1; dkim=pass', '"posthouse.test"; dmarc=pass']
  const others = ['mx.other.test; spf=pass', 'notposthouse.test; spf=pass']
  const fields = [...lies, ...others].map((value) => `Authentication-Results: ${value}\r\n`).join('')
  const more = `${fields}X-Twice: 1\r\nX-Twice: =?utf-8?q?zw=C3=B6lf?=\r\n`
  await here.deliver(letter('forged', more), { to: `x@${domain}` })
  const { headers } = await here.arrived(`x@${domain}`)
  expect(headers).toEqual([
    { name: 'Received', value: expect.stringContaining('from client.test') },
    { name: 'From', value: 'Ann <ann@sender.test>' },
    { name: 'To', value: 'help@x.test' },
    { name: 'Subject', value: 'forged' },
    ...others.map((value) => ({ name: 'Authentication-Results', value })),
    { name: 'X-Twice', value: '1' },
    { name: 'X-Twice', value: 'zwölf' },
  ])
})

test('received mail is forgotten when its time is over, with its bytes', async () => {
  const here = await receivingWorld({ env: { RETAIN_RECEIVED_DAYS: '7' } })
  const { list, db, services } = here
  const domain = await here.managedDomain()
  await here.mail({ to: `x@${domain}`, text: 'x', attachments: [{ filename: 'a.bin', content: Buffer.alloc(10, 7) }] })
  const { id } = await here.arrived(`x@${domain}`)
  const purge = async (days: number) => {
    await moveClock(db, days * 86_400)
    await services.receivedEmails.purge(new AbortController().signal)
  }
  const stored = async () => Array.fromAsync(services.vault.blobs.list())
  expect(await stored()).toHaveLength(2)
  expect(await services.receivedEmails.usedBlobs(await stored())).toHaveLength(2)
  await purge(6.9)
  expect(await list()).toHaveLength(1)
  await purge(7.1)
  expect(await list()).toEqual([])
  expect((await here.projectApi.get(`receiving/emails/${id}`)).status).toBe(404)
  expect(await services.receivedEmails.usedBlobs(await stored())).toEqual([])
})
