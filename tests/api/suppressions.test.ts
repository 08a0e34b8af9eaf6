import { expect, test } from 'vitest'
import { decodeId, encodeId, newId, type EmailId, type ProjectId } from '../../src/core/ids.ts'
import { addressKey } from '../../src/mail/address.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { created, tenants, world, type World } from '../support/world.ts'

const tenant = tenants()

interface View {
  id: string
  email: string
}
interface Listed {
  data: View[]
  hasMore: boolean
  nextCursor: string | null
}

test('an address is put on the list by hand and found there', async () => {
  const { projectApi, projectId } = await tenant()
  const { status, body } = await projectApi.post('suppressions', { email: 'ann@example.com', note: 'She called.' })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^sup_[0-9a-hjkmnp-tv-z]{26}$/),
    projectId,
    email: 'ann@example.com',
    reason: 'manual',
    messageId: null,
    note: 'She called.',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
  expect((await projectApi.get('suppressions')).body).toEqual({ data: [body], hasMore: false, nextCursor: null })
})

test('one that is there already is answered as it is, however the address is written', async () => {
  const { projectApi, db } = await world()
  const first = created(await projectApi.post('suppressions', { email: 'Ann@Example.COM', note: 'first' }))
  expect(first['email']).toBe('ann@example.com')
  for (const email of ['ann@example.com', ' ANN@example.com ', '<ann@EXAMPLE.com>']) {
    expect(await projectApi.post('suppressions', { email, note: 'second' })).toMatchObject({ status: 200, body: first })
  }
  expect(await auditOf(db, 'suppression.added')).toHaveLength(1)
})

test('two who add one address in the same moment make one entry, and one of them is told that it is new', async () => {
  const { projectApi, anotherApi, db } = await world()
  const other = (await anotherApi()).with(projectApi.key)
  for (let round = 0; round < 10; round++) {
    const email = `race${round}@example.com`
    const replies = await Promise.all(
      [projectApi, other, projectApi, other].map((client) => client.post<View>('suppressions', { email })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201])
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
  }
  expect(await auditOf(db, 'suppression.added')).toHaveLength(10)
})

test('what is no single plain address is refused, wherever it stands', async () => {
  const { projectApi } = await tenant()
  const wrong = ['', 'ann', 'ann@', '@example.com', 'Ann <ann@example.com>', 'a@example.com, b@example.com']
  for (const email of [...wrong, 'ann@example.com\r\nx: y', `${'x'.repeat(400)}@example.com`, 7, null]) {
    const reply = await projectApi.post('suppressions', { email })
    expectRefused(reply, '/email')
    expectRefused(await projectApi.request('DELETE', 'suppressions', { body: { email } }), '/email')
    const query = encodeURIComponent(String(email))
    if (typeof email !== 'string') continue
    expectRefused(await projectApi.get(`suppressions?email=${query}`), '/query/email')
    expectRefused(await projectApi.delete(`suppressions?email=${query}`), '/query/email')
  }
  expectRefused(await projectApi.post('suppressions', { email: 'ann@example.com', reason: 'spam' }), '/reason')
  expectRefused(await projectApi.post('suppressions', { email: 'ann@example.com', note: 'x'.repeat(1_001) }), '/note')
})

test('the list is newest first, a page at a time, and narrows to an address, a reason or a time', async () => {
  const here = await world()
  const { projectApi, db } = here
  for (const name of ['a', 'b', 'c']) await projectApi.post('suppressions', { email: `${name}@example.com` })
  await suppress(here, 'bounce', 'd@example.com')
  await suppress(here, 'spam', 'e@example.com')
  const first = await listed(projectApi, 'limit=2')
  expect(namesOf(first)).toEqual(['e', 'd'])
  expect(first.hasMore).toBe(true)
  await projectApi.post('suppressions', { email: 'f@example.com' })
  const second = await listed(projectApi, `limit=3&cursor=${first.nextCursor}`)
  expect(namesOf(second)).toEqual(['c', 'b', 'a'])
  expect(second).toMatchObject({ hasMore: false, nextCursor: null })

  expect(namesOf(await listed(projectApi, 'email=B@Example.com'))).toEqual(['b'])
  expect(namesOf(await listed(projectApi, 'email=nobody@example.com'))).toEqual([])
  expect(namesOf(await listed(projectApi, 'reason=bounce'))).toEqual(['d'])
  expect(namesOf(await listed(projectApi, 'reason=manual&limit=2'))).toEqual(['f', 'c'])
  expect(namesOf(await listed(projectApi, 'reason=spam&email=d@example.com'))).toEqual([])
  await db.run(sql`update suppressions set created_at = '2030-01-01T12:00:00Z' where email = 'b@example.com'`)
  expect(namesOf(await listed(projectApi, 'createdAfter=2030-01-01T12:59:59%2B01:00'))).toEqual(['b'])
  expect(namesOf(await listed(projectApi, 'createdAfter=2030-01-01T12:00:00Z'))).toEqual([])
})

test('filters out of shape are refused', async () => {
  const { projectApi } = await tenant()
  for (const [name, value] of [
    ['reason', 'boredom'],
    ['createdAfter', '2030-01-01'],
    ['createdAfter', '2030-02-31T00:00:00Z'],
    ['since', '2030-01-01T00:00:00Z'],
  ]) {
    expectRefused(await projectApi.get(`suppressions?${name}=${value}`), `/query/${name}`)
  }
})

test('an address is taken off the list once, by body or by query', async () => {
  const { projectApi } = await tenant()
  const missing = { status: 404, body: { code: 'not_found' } }
  const ways = [
    (email: string) => projectApi.request('DELETE', 'suppressions', { body: { email } }),
    (email: string) => projectApi.delete(`suppressions?email=${encodeURIComponent(email)}`),
    (email: string) =>
      projectApi.request('DELETE', `suppressions?email=${encodeURIComponent(email)}`, {
        body: { confirmedOptIn: true },
      }),
    (email: string) =>
      projectApi.request('DELETE', `suppressions?email=${encodeURIComponent(email)}`, {
        body: { email: email.toLowerCase() },
      }),
  ]
  for (const remove of ways) {
    const { id } = created(await projectApi.post<View>('suppressions', { email: 'ann+news@example.com' }))
    expect(await remove('Ann+News@example.com')).toMatchObject({ status: 200, body: { id, deleted: true } })
    expect(await remove('Ann+News@example.com')).toMatchObject(missing)
  }
  expect((await listed(projectApi)).data).toEqual([])
})

test('a removal that names no address, or two, removes nothing', async () => {
  const { projectApi } = await tenant()
  for (const name of ['ann', 'bob']) await projectApi.post('suppressions', { email: `${name}@example.com` })
  expectRefused(await projectApi.delete('suppressions'), '/email')
  expectRefused(await projectApi.request('DELETE', 'suppressions', { body: {} }), '/email')
  expectRefused(
    await projectApi.request('DELETE', 'suppressions?email=ann@example.com', { body: { email: 'bob@example.com' } }),
    '/email',
  )
  expect(namesOf(await listed(projectApi))).toEqual(['bob', 'ann'])
})

test('who added and who removed somebody stays in the audit log, with what was said, but without the address', async () => {
  const { projectApi, db } = await world()
  const added = await projectApi.post<View>('suppressions', { email: 'Ann@example.com', note: 'asked by phone' })
  const removed = await projectApi.request('DELETE', 'suppressions', {
    body: { email: 'ann@example.com', confirmedOptIn: true, note: 'signed up again' },
  })
  const { address } = (await auditOf(db, 'suppression.added'))[0]!.details as { address: string }
  expect(address).toMatch(/^[\da-f]{32}$/)
  // The same person is the same mark, and somebody else is another one.
  const about = { address, reason: 'manual' }
  await projectApi.post('suppressions', { email: 'bob@example.com', note: 'not ann@example.com' })
  const [, bob] = await auditOf(db, 'suppression.added')
  expect(bob!.details).toEqual({
    address: expect.not.stringContaining(address),
    reason: 'manual',
    note: 'not [address]',
  })
  expect((await auditOf(db, 'suppression.added'))[0]).toEqual({
    subject: added.body.id,
    request: added.headers.get('x-request-id'),
    details: { ...about, note: 'asked by phone' },
  })
  expect(await auditOf(db, 'suppression.removed')).toEqual([
    {
      subject: added.body.id,
      request: removed.headers.get('x-request-id'),
      details: { ...about, confirmedOptIn: true, note: 'signed up again' },
    },
  ])
})

test('a removal without a word about consent is remembered as one without', async () => {
  const here = await world()
  await suppress(here, 'bounce', 'ann@example.com')
  await here.projectApi.delete('suppressions?email=ann@example.com')
  expect(await auditOf(here.db, 'suppression.removed')).toMatchObject([
    { details: { reason: 'bounce', confirmedOptIn: false, note: null } },
  ])
})

test('each project has a list of its own', async () => {
  const { api, projectApi, newProject } = await world()
  const headers = { 'x-service-project-id': await newProject() }
  created(await projectApi.post('suppressions', { email: 'ann@example.com' }))
  expect((await api.get<Listed>('suppressions', { headers })).body.data).toEqual([])
  const gone = await api.request('DELETE', 'suppressions', { headers, body: { email: 'ann@example.com' } })
  expect(gone.status).toBe(404)
  created(await api.post('suppressions', { email: 'ann@example.com' }, headers))
  expect((await listed(projectApi)).data).toHaveLength(1)
})

test('reality adds many at once, for many projects, each address once and for its first reason', async () => {
  const here = await world()
  const { projectApi, db, services, projectId, newProject } = here
  const [ours, theirs] = [idOf(projectId), idOf(await newProject())]
  const messageId = newId<'em'>()
  created(await projectApi.post('suppressions', { email: 'bob@example.com', note: 'by hand' }))
  await db.transaction((tx) =>
    services.suppressions.addAutomatic(tx, [
      entry(theirs, 'cid@example.com', 'spam', messageId),
      entry(ours, 'cid@example.com', 'bounce', messageId),
      entry(ours, 'ann@example.com', 'bounce', messageId),
      entry(ours, 'bob@example.com', 'spam', messageId),
      entry(ours, 'ann@example.com', 'spam', messageId),
    ]),
  )
  const found = await services.suppressions.among(
    db,
    wanting(ours, ['ann@example.com', 'bob@example.com', 'dan@example.com']),
  )
  expect(found.toSorted((a, b) => (a.email < b.email ? -1 : 1))).toMatchObject([
    { email: 'ann@example.com', reason: 'bounce', messageId, note: 'said so' },
    { email: 'bob@example.com', reason: 'manual', messageId: null, note: 'by hand' },
  ])
  expect(await services.suppressions.among(db, wanting(theirs, ['ann@example.com', 'cid@example.com']))).toMatchObject([
    { email: 'cid@example.com', reason: 'spam' },
  ])
  expect(await services.suppressions.among(db, wanting(ours, []))).toEqual([])
  const everybody = [ours, theirs].flatMap((project) =>
    ['ann@example.com', 'cid@example.com', 'cid@example.com'].map((email) => ({ project, email })),
  )
  const all = await services.suppressions.among(db, everybody)
  expect(all.map(({ projectId, email }) => `${projectId} ${email}`).toSorted()).toEqual(
    [`${ours} ann@example.com`, `${ours} cid@example.com`, `${theirs} cid@example.com`].toSorted(),
  )
})

test('an automatic entry names the email that caused it, and goes when its transaction does', async () => {
  const here = await world()
  const { projectApi, db, services, projectId } = here
  await suppress(here, 'bounce', 'ann@example.com')
  const { data } = await listed(projectApi)
  expect(data).toMatchObject([{ reason: 'bounce', note: 'said so', messageId: expect.stringMatching(/^em_/) }])
  const undone = db.transaction(async (tx) => {
    await services.suppressions.addAutomatic(tx, [entry(idOf(projectId), 'bob@example.com', 'spam', newId<'em'>())])
    throw new Error('the outcome was not written')
  })
  await expect(undone).rejects.toThrow('was not written')
  expect((await listed(projectApi)).data).toEqual(data)
})

test('workers that suppress the same people in another order do not wait for each other for ever', async () => {
  const { db, services, projectId } = await world()
  const project = idOf(projectId)
  const people = ['ann', 'bob', 'cid'].map((name) => entry(project, `${name}@example.com`, 'bounce', newId<'em'>()))
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const holder = db.transaction(async (tx) => {
    await services.suppressions.addAutomatic(tx, [people[1]!])
    await released
    throw new Error('bob did not bounce')
  })
  const workers = [people, people.toReversed()].map((order) =>
    db.transaction((tx) => services.suppressions.addAutomatic(tx, order)),
  )
  // Each has come as far as it can: what it has of the others' people by now, it holds.
  await eventually('both workers wait', async () => {
    const { waiting } = await db.one(sql<{ waiting: number }>`
      select count(*) as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`)
    return waiting === 2
  })
  release()
  await expect(holder).rejects.toThrow('did not bounce')
  await Promise.all(workers)
  const emails = people.map(({ email }) => email)
  expect(await services.suppressions.among(db, wanting(project, emails))).toHaveLength(3)
})

const entry = (projectId: ProjectId, email: string, reason: 'bounce' | 'spam', messageId: EmailId) => ({
  projectId,
  email,
  reason,
  messageId,
  note: 'said so',
})

const suppress = ({ db, services, projectId }: World, reason: 'bounce' | 'spam', email: string) =>
  db.transaction((tx) => services.suppressions.addAutomatic(tx, [entry(idOf(projectId), email, reason, newId<'em'>())]))

const idOf = (projectId: string): ProjectId => decodeId('prj', projectId)!

const listed = async (client: Client, query = ''): Promise<Listed> => {
  const { status, body, text } = await client.get<Listed>(`suppressions?${query}`)
  expect(status, text).toBe(200)
  return body
}

const namesOf = ({ data }: Listed): string[] => data.map(({ email }) => email.replace(/@.*/, ''))

const auditOf = (db: World['db'], action: string) =>
  db.all(sql<{ subject: string; request: string; details: unknown }>`
    select subject, request_id as request, details from audit_log where action = ${action} order by id`)

function expectRefused({ status, body }: { status: number; body: Record<string, unknown> }, path: string): void {
  expect({ status, code: body['code'] }, JSON.stringify(body)).toEqual({ status: 400, code: 'validation_error' })
  expect((body['details'] as { path: string }[]).map((detail) => detail.path)).toContain(path)
}

const wanting = (project: ProjectId, emails: readonly string[]) => emails.map((email) => ({ project, email }))

test('a pattern is refused: it would look like a rule and cover nobody', async () => {
  const { projectApi } = await tenant()
  for (const email of ['*@example.org', 'ann*@example.org']) {
    expect(await projectApi.post('suppressions', { email }), email).toMatchObject({
      status: 400,
      body: {
        code: 'validation_error',
        details: [{ path: '/email', message: expect.stringContaining('one address') }],
      },
    })
  }
})

test.each([
  ['a sigma at the end of a word', 'ΟΔΟΣ@example.com', 'οδοσ@example.com'],
  ['a sigma that is not at the end', 'σοφια@example.com', 'ΣΟΦΙΑ@example.com'],
  ['a sharp s', 'straße@example.com', 'STRASSE@example.com'],
  ['a sharp s, the other way', 'strasse@example.com', 'STRAẞE@example.com'],
  ['an i without a dot', 'ışık@example.com', 'IŞIK@example.com'],
  ['an I with a dot', 'İzmir@example.com', 'izmir@example.com'],
  ['a micro sign', 'µ.ü@example.com', 'μ.Ü@example.com'],
])('%s is the same letter in every spelling', async (_what, listed, written) => {
  const { projectApi } = await tenant()
  const first = created(await projectApi.post('suppressions', { email: listed }))
  expect(await projectApi.post('suppressions', { email: written })).toMatchObject({ status: 200, body: first })
  const found = await projectApi.get<Listed>(`suppressions?email=${encodeURIComponent(written)}`)
  expect(found.body.data).toEqual([first])
  const message = { from: 'sandbox@sandbox.posthouse.test', subject: 'Hello', text: 'Hello.' }
  const domain = 'simulator.posthouse.test'
  for (const one of [listed, written]) {
    await projectApi.post('suppressions', { email: one.replace('example.com', domain) })
  }
  for (const one of [listed, written]) {
    const answer = await projectApi.post('email/send', { ...message, to: one.replace('example.com', domain) })
    expect(answer).toMatchObject({ status: 422, body: { code: 'recipient_suppressed' } })
  }
  expect((await projectApi.delete(`suppressions?email=${encodeURIComponent(written)}`)).status).toBe(200)
  expect((await projectApi.get<Listed>(`suppressions?email=${encodeURIComponent(listed)}`)).body.data).toEqual([])
})

test('every letter is folded with the one that it is in upper case, also those that nobody may write any more', async () => {
  const { db } = await world()
  const letters = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code))
    .filter((one) => /\p{L}/u.test(one) && one.normalize('NFC') === one && one.toUpperCase().length === 1)
    .map((one) => [addressKey({ email: one }), addressKey({ email: one.toUpperCase() })] as const)
  const apart = await db.all(sql<{ letter: string }>`
    select letter
      from unnest(${letters.map(([letter]) => letter)}::text[], ${letters.map(([, other]) => other)}::text[])
             as pairs (letter, other)
     where address_fold(letter) <> address_fold(other)`)
  expect(apart).toEqual([])
})

test('what was listed before letters were folded still holds, whatever the spelling of the next mail', async () => {
  const { projectApi, projectId: project, db } = await tenant()
  const [id, projectId] = [newId<'sup'>(), decodeId('prj', project)!]
  const email = 'οδοσ@simulator.posthouse.test'
  await db.run(sql`
    insert into suppressions (id, project_id, email, reason) values (${id}, ${projectId}, ${email}, 'bounce')`)
  const message = { from: 'sandbox@sandbox.posthouse.test', subject: 'Hello', text: 'Hello.' }
  for (const to of ['ΟΔΟΣ@simulator.posthouse.test', email, 'οδος@simulator.posthouse.test']) {
    const answer = await projectApi.post('email/send', { ...message, to })
    expect(answer).toMatchObject({ status: 422, body: { recipients: [{ reason: 'bounce' }] } })
  }
})

test('of an address that is listed in several spellings the log says that each was removed', async () => {
  const { projectApi, projectId: project, db } = await world()
  const rows = ['strasse@example.com', 'straße@example.com'].map((email) => ({ id: newId<'sup'>(), email }))
  for (const { id, email } of rows) {
    await db.run(sql`
      insert into suppressions (id, project_id, email, reason)
      values (${id}, ${decodeId('prj', project)!}, ${email}, 'bounce')`)
  }
  const reply = await projectApi.delete('suppressions?email=strasse@example.com')
  expect(reply).toMatchObject({ status: 200, body: { id: encodeId('sup', rows[0]!.id), deleted: true } })
  const entries = await auditOf(db, 'suppression.removed')
  expect(entries).toMatchObject(rows.map(({ id }) => ({ subject: encodeId('sup', id), details: { reason: 'bounce' } })))
  expect(new Set(entries.map(({ details }) => (details as { address: string }).address)).size).toBe(2)
})

test('Kelvin signs and full-width letters are refused, so that they get past nothing', async () => {
  const { projectApi } = await tenant()
  for (const email of ['\u212aate@example.com', '\uff41nn@example.com', '\uff21nn@example.com']) {
    expect(await projectApi.post('suppressions', { email })).toMatchObject({ status: 400 })
  }
})
