import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { enqueueNamed, makeAllDue } from '../jobs/world.ts'
import {
  addContact,
  contactsOf,
  countsOf,
  expectRefused,
  newAudience,
  runJobs,
  type ContactSeen,
  type Listed,
} from '../support/audiences.ts'
import { moveClock } from '../support/clock.ts'
import { CSV, imported, NDJSON, upload, type ImportSeen } from '../support/imports.ts'
import { accepted, tenants, world } from '../support/world.ts'

const tenant = tenants()

test('a file is imported, column by column, and its progress can be read', async () => {
  const here = await world()
  const { projectApi } = here
  const audience = await newAudience(projectApi)
  const file = [
    'Email,First Name,last_name,Tags,consentSource,consent_at,City,optedIn',
    'Ann@Example.com,Ann,"Lee, ""the"" one",VIP;new,fair,2020-01-02T03:04:05Z,Bern,yes',
    'bob@example.com,,,,,,"two',
    'lines",true',
  ].join('\r\n')
  const waiting = accepted(await upload(projectApi, audience, file))
  expect(waiting).toEqual({
    id: expect.stringMatching(/^imp_/),
    projectId: here.projectId,
    audienceId: audience,
    format: 'csv',
    map: null,
    status: 'queued',
    problem: null,
    bytes: Buffer.byteLength(file),
    processedBytes: 0,
    rows: { processed: 0, created: 0, updated: 0, refused: 0 },
    createdAt: expect.stringMatching(/Z$/),
    startedAt: null,
    finishedAt: null,
  })
  expect((await contactsOf(projectApi, audience)).data).toEqual([])
  await runJobs(here)
  const path = `audiences/${audience}/contacts/imports`
  const done = (await projectApi.get(`${path}/${waiting.id}`)).body
  expect(done).toMatchObject({
    status: 'completed',
    processedBytes: waiting.bytes,
    rows: { processed: 2, created: 2, updated: 0, refused: 0 },
    startedAt: expect.stringMatching(/Z$/),
    finishedAt: expect.stringMatching(/Z$/),
  })
  expect((await projectApi.get<Listed<ImportSeen>>(path)).body.data).toEqual([done])
  const { data } = await contactsOf(projectApi, audience)
  expect(data).toMatchObject([
    { email: 'bob@example.com', firstName: null, properties: { City: 'two\r\nlines' }, tags: [], consent: null },
    {
      email: 'ann@example.com',
      firstName: 'Ann',
      lastName: 'Lee, "the" one',
      properties: { City: 'Bern' },
      tags: ['new', 'VIP'],
      consent: { source: 'fair', at: '2020-01-02T03:04:05.000Z' },
      subscribed: true,
    },
  ])
  expect(await countsOf(projectApi, audience)).toEqual({ total: 2, subscribed: 2, unsubscribed: 0 })
})

test('semicolons, tabs, byte order marks, LF and blank lines are understood', async () => {
  const here = await tenant()
  const audience = await newAudience(here.projectApi)
  const files = [
    '\ufeffE-Mail;firstName\nÜ@example.com;Zoë\n\n;\nb@example.com;"B;b"\n',
    'first_name\temail\r\n"C, c"\tc@example.com\r\n\r\n',
    '"email","note"\n"d@example.com",""',
    'email\ne@example.com\n',
  ]
  for (const file of files)
    expect(await imported(here, audience, file)).toMatchObject({ status: 'completed', report: [] })
  const { data } = await contactsOf(here.projectApi, audience)
  expect(data.map(({ email, firstName }) => [email, firstName]).toReversed()).toEqual([
    ['ü@example.com', 'Zoë'],
    ['b@example.com', 'B;b'],
    ['c@example.com', 'C, c'],
    ['d@example.com', null],
    ['e@example.com', null],
  ])
})

test('a row that cannot be taken is in the report, and costs nobody else anything', async () => {
  const here = await world()
  const { projectApi } = here
  const audience = await newAudience(projectApi)
  await addContact(projectApi, audience, 'gone@example.com')
  await projectApi.patch(`audiences/${audience}/contacts/gone@example.com`, { subscribed: false })
  const rows = [
    'email,firstName,optedIn,consentAt,subscribed',
    'ok1@example.com,A,,,',
    'no address,A,,,',
    'out@example.com,A,no,,',
    'off@example.com,A,,,false',
    'short@example.com,A',
    'maybe@example.com,A,perhaps,,',
    'when@example.com,A,,yesterday,',
    'later@example.com,A,,2999-01-01T00:00:00Z,',
    '"open@example.com,A,,,',
    'ok2@example.com,A,1,,1',
    '"x"y@example.com,A,,,',
    'Gone@example.com,Back,yes,2020-01-01T00:00:00Z,true',
    `long@example.com,${'x'.repeat(201)},,,`,
  ]
  const latin = Buffer.concat([
    Buffer.from(`${rows.join('\n')}\nlatin@example.com,`),
    Buffer.from([0xe4]),
    Buffer.from(',,,\nok3@example.com,,,,'),
  ])
  const done = await imported(here, audience, latin)
  expect(done).toMatchObject({ status: 'completed', rows: { processed: 15, created: 3, updated: 1, refused: 11 } })
  expect(done.report.map((line) => line.split(',').slice(0, 2).join(' '))).toEqual([
    '2 no address',
    '3 out@example.com',
    '4 off@example.com',
    '5 ',
    '6 maybe@example.com',
    '7 when@example.com',
    '8 later@example.com',
    '9 ',
    '11 ',
    '13 long@example.com',
    '14 ',
  ])
  expect(done.report[1]).toContain('not opted in')
  expect(done.report[3]).toContain('2 fields where the header has 5')
  expect(done.report[7]).toContain('quotation mark')
  expect(done.report[10]).toContain('UTF-8')
  const gone = await projectApi.get(`audiences/${audience}/contacts/gone@example.com`)
  expect(gone.body).toMatchObject({ firstName: 'Back', subscribed: false })
  expect(await countsOf(projectApi, audience)).toEqual({ total: 4, subscribed: 3, unsubscribed: 1 })
})

test('NDJSON has a contact in each line, in the words of the API', async () => {
  const here = await tenant()
  const audience = await newAudience(here.projectApi)
  const lines = [
    { email: 'ann@example.com', properties: { n: 1, list: ['a', 2] }, tags: ['x'], consent: { source: 'form' } },
    { email: 'out@example.com', optedIn: false },
    { email: 'odd@example.com', colour: 'red' },
    { email: 'ann@example.com', firstName: 'Ann', properties: { n: 2 } },
    { firstName: 'nobody' },
  ].map((line) => JSON.stringify(line))
  const done = await imported(here, audience, [...lines, '', '{"email":', '[]', '{"__proto__":{}}'].join('\n'), NDJSON)
  expect(done).toMatchObject({ status: 'completed', rows: { processed: 9, created: 1, updated: 1, refused: 6 } })
  expect(done.report.map((line) => line.split(',').slice(0, 2).join(' '))).toEqual([
    '2 out@example.com',
    '3 odd@example.com',
    '5 ',
    '7 ',
    '8 ',
    '9 ',
  ])
  expect((await contactsOf(here.projectApi, audience)).data).toMatchObject([
    { email: 'ann@example.com', firstName: 'Ann', properties: { n: 2, list: ['a', 2] }, tags: ['x'] },
  ])
})

test('a file that no row can be read of is refused, and so is what is no file', async () => {
  const { projectApi, db } = await world()
  const audience = await newAudience(projectApi)
  for (const file of ['', 'name,phone\na,b\n', 'email,Email\n', 'email,,x\n', 'email,"x\n', '\u00ff']) {
    expectRefused((await upload(projectApi, audience, file)) as never, '/')
  }
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
    const reply = await upload(projectApi, audience, 'email\na@example.com\n', type)
    expect(reply, type).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
  }
  expect((await upload(projectApi, audience, 'email\na@example.com', 'Text/CSV; charset=utf-8')).status).toBe(202)
  const elsewhere = await projectApi.request('POST', `audiences/${audience}/contacts`, {
    body: Buffer.from('email\na@example.com\n'),
    headers: { 'content-type': CSV },
  })
  expect(elsewhere).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
  const nowhere = await upload(projectApi, 'aud_00000000000000000000000000', 'email\na@example.com')
  expect(nowhere).toMatchObject({ status: 404, body: { code: 'not_found' } })
  // Of all that was refused nothing is kept.
  expect(await db.one(sql<{ n: number }>`select count(distinct import_id) as n from contact_import_pieces`)).toEqual({
    n: 1,
  })
})

/** Long enough for several chunks and pieces; every row ends in a long quoted field with line ends in it. */
const large = (rows: number): string =>
  `email,firstName,note\n${Array.from({ length: rows }, (_, i) => `p${i}@example.com,N${i},"${'x\n'.repeat(300)}${i}"\n`).join('')}`

test('a crash between or within chunks repeats nothing and loses nothing', async () => {
  const here = await world()
  const { projectApi, db } = here
  const audience = await newAudience(projectApi)
  const file = large(7_000)
  const { id } = accepted(await upload(projectApi, audience, file))
  const path = `audiences/${audience}/contacts/imports/${id}`
  // Each time the row of another person cannot be written, as if the process had died right there.
  for (const [i, person] of ['p2000', 'p4100', 'p6500'].entries()) {
    const crash = `alter table contacts add constraint crash check (email <> '${person}@example.com') not valid`
    await db.withClient((client) => client.query(crash))
    await makeAllDue(db)
    await runJobs(here)
    await db.run(sql`alter table contacts drop constraint crash`)
    const seen = (await projectApi.get<ImportSeen>(path)).body
    expect(seen).toMatchObject({ status: 'running', rows: { refused: 0 } })
    expect(seen.rows.processed).toBeGreaterThan(i * 1_000)
    expect(seen.rows.created).toBe(seen.rows.processed)
    // What is counted is what is there, neither more nor less.
    expect((await countsOf(projectApi, audience)).total).toBe(seen.rows.processed)
  }
  await makeAllDue(db)
  await runJobs(here)
  const done = (await projectApi.get<ImportSeen>(path)).body
  expect(done).toMatchObject({
    status: 'completed',
    rows: { processed: 7_000, created: 7_000, updated: 0, refused: 0 },
  })
  expect(await countsOf(projectApi, audience)).toMatchObject({ total: 7_000, subscribed: 7_000 })
  const one = await projectApi.get<ContactSeen>(`audiences/${audience}/contacts/p6999@example.com`)
  expect(one.body.properties['note']).toBe(`${'x\n'.repeat(300)}6999`)
  expect(await db.one(sql<{ n: number }>`select count(*) as n from contact_import_pieces`)).toEqual({ n: 0 })
  // The same file again changes nothing.
  const again = await imported(here, audience, file)
  expect(again.rows).toEqual({ processed: 7_000, created: 0, updated: 0, refused: 0 })
})

test('an export is a file that an import takes, and nobody is lost between the two', async () => {
  const here = await world()
  const { projectApi } = here
  const [from, to] = [await newAudience(projectApi), await newAudience(projectApi, 'Copy')]
  const lines = Array.from({ length: 2_500 }, (_, i) =>
    JSON.stringify({
      email: `p${i}@example.com`,
      firstName: i % 2 ? '=1+1' : `"N", ${i}\n`.trim(),
      lastName: `'+${i}`,
      properties: { n: i, list: ['a', null], text: 'a\r\n"b"' },
      tags: i % 3 ? ['odd one'] : [],
      consent: { source: 'form', at: '2020-01-01T00:00:00.000Z' },
    }),
  )
  await imported(here, from, lines.join('\n'), NDJSON)
  for (const format of ['csv', 'ndjson']) {
    const file = await projectApi.get(`audiences/${from}/contacts/export?format=${format}`)
    expect(file.status).toBe(200)
    expect(file.headers.get('content-type')).toBe(`${format === 'csv' ? CSV : NDJSON}; charset=utf-8`)
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${from}.${format}"`)
    if (format === 'ndjson') {
      const seen = file.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as ContactSeen)
      expect(new Set(seen.map(({ email }) => email)).size).toBe(2_500)
      const { body } = await projectApi.get<ContactSeen>(`audiences/${from}/contacts/${seen[0]!.id}`)
      expect({ ...seen[0], projectId: here.projectId }).toEqual(body)
    } else {
      // Nothing that a spreadsheet would run.
      expect(file.text).not.toMatch(/(^|,|")[=+@-]/m)
      const done = await imported(here, to, file.text)
      expect(done).toMatchObject({ rows: { processed: 2_500, created: 2_500, refused: 0 }, report: [] })
    }
  }
  const known = ({ email, firstName, lastName, properties, tags, consent }: ContactSeen) => ({
    email,
    firstName,
    lastName,
    properties,
    tags,
    consent,
  })
  for (const email of ['p0@example.com', 'p1@example.com', 'p2499@example.com']) {
    const [a, b] = await Promise.all(
      [from, to].map((audience) => projectApi.get<ContactSeen>(`audiences/${audience}/contacts/${email}`)),
    )
    expect(known(b!.body)).toEqual(known(a!.body))
  }
  expectRefused(await projectApi.get(`audiences/${from}/contacts/export?format=xlsx`), '/query/format')
})

test('an import ends with its audience, and is forgotten after 30 days', async () => {
  const here = await world()
  const { projectApi, db } = here
  const [doomed, kept] = [await newAudience(projectApi), await newAudience(projectApi, 'Kept')]
  accepted(await upload(projectApi, doomed, 'email\nann@example.com\nno address\n'))
  await projectApi.delete(`audiences/${doomed}`)
  const { id } = await imported(here, kept, 'email\nbob@example.com\nno address\n')
  const left = (table: string) => db.withClient(async (client) => (await client.query(`select from ${table}`)).rowCount)
  const tables = ['contact_imports', 'contact_import_errors', 'contact_import_pieces', 'contacts']
  expect(await Promise.all(tables.map(left))).toEqual([1, 1, 0, 1])
  const path = `audiences/${kept}/contacts/imports/${id}`
  const forget = async () => {
    await enqueueNamed(db, 'contacts.forget-imports')
    await runJobs(here)
  }
  await moveClock(db, 29 * 86_400)
  await forget()
  expect((await projectApi.get(path)).status).toBe(200)
  await moveClock(db, 31 * 86_400)
  await forget()
  expect(await projectApi.get(path)).toMatchObject({ status: 404 })
  expect(await Promise.all(tables.map(left))).toEqual([0, 0, 0, 1])
})

test('deleting a contact takes it out of the reports of imports too', async () => {
  const here = await world()
  const { projectApi } = here
  const audience = await newAudience(projectApi)
  const done = await imported(here, audience, 'email,optedIn\nAnn@example.com,yes\nANN@example.com,no\n')
  expect(done.report).toHaveLength(1)
  await projectApi.delete(`audiences/${audience}/contacts/ann@example.com`)
  const report = await projectApi.get(`audiences/${audience}/contacts/imports/${done.id}/errors`)
  expect(report.text).toBe('row,email,problem\r\n')
})
