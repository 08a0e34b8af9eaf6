import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { makeAllDue } from '../jobs/world.ts'
import { contactsOf, expectRefused, newAudience, runJobs } from '../support/audiences.ts'
import { CSV, imported, NDJSON, upload } from '../support/imports.ts'
import { accepted, tenants, world } from '../support/world.ts'

const tenant = tenants()

test('a map says what columns hold, whatever they are called', async () => {
  const here = await tenant()
  const audience = await newAudience(here.projectApi)
  const file = [
    'Kontakt,Vorname,Familie,Herkunft,Zustimmung am,Gruppen,email,City,Intern',
    'Ann@Example.com,Ann,Lee,Messe,2020-01-02T03:04:05Z,VIP|neu,not an address,Bern,x',
  ].join('\n')
  const map = {
    Kontakt: 'email',
    Vorname: 'firstName',
    Familie: 'lastName',
    Herkunft: 'consentSource',
    'Zustimmung am': 'consentAt',
    Gruppen: 'tags',
    email: 'properties.email',
    Intern: 'skip',
  }
  const done = await imported(here, audience, file, CSV, map)
  expect(done).toMatchObject({ status: 'completed', map, rows: { created: 1, refused: 0 }, report: [] })
  // What the map does not name means what its title says.
  expect((await contactsOf(here.projectApi, audience)).data).toMatchObject([
    {
      email: 'ann@example.com',
      firstName: 'Ann',
      lastName: 'Lee',
      properties: { email: 'not an address', City: 'Bern' },
      tags: ['neu', 'VIP'],
      consent: { source: 'Messe', at: '2020-01-02T03:04:05.000Z' },
    },
  ])
})

test('titles are found behind a byte order mark, between semicolons and tabs, and in quotation marks', async () => {
  const here = await tenant()
  const audience = await newAudience(here.projectApi)
  const files: [file: string, map: Record<string, string>][] = [
    ['\ufeffAdresse;Name\na@example.com;"A; a"\n', { Adresse: 'email', Name: 'firstName' }],
    [
      '\ufeff"Adresse; privat";"Ruf ""kurz"""\r\nb@example.com;B\r\n',
      { 'Adresse; privat': 'email', 'Ruf "kurz"': 'firstName' },
    ],
    ['Name\t Adresse \n"C, c"\tc@example.com\n', { Adresse: 'email', Name: 'firstName' }],
    ['"two\nlines","[a]/b~c & d=e"\nd@example.com,D\n', { 'two\nlines': 'email', '[a]/b~c & d=e': 'firstName' }],
    ['Ü,\u0438\u043c\u044f,,\ne@example.com,E,x,y\n', { Ü: 'email', '\u0438\u043c\u044f': 'firstName', '': 'skip' }],
  ]
  for (const [file, map] of files) {
    expect(await imported(here, audience, file, CSV, map), file).toMatchObject({
      status: 'completed',
      rows: { created: 1, refused: 0 },
    })
  }
  const { data } = await contactsOf(here.projectApi, audience)
  expect(data.map(({ email, firstName, properties }) => [email, firstName, properties]).toReversed()).toEqual([
    ['a@example.com', 'A; a', {}],
    ['b@example.com', 'B', {}],
    ['c@example.com', 'C, c', {}],
    ['d@example.com', 'D', {}],
    ['e@example.com', 'E', {}],
  ])
})

test('a map holds for the whole file, however often the work on it is begun', async () => {
  const here = await world()
  const { projectApi, db } = here
  const audience = await newAudience(projectApi)
  const rows = Array.from({ length: 2_500 }, (_, i) => `x,p${i}@example.com,N${i}`)
  const file = ['email,Adresse,Name', ...rows].join('\n')
  const map = { email: 'skip', Adresse: 'email', Name: 'properties.nick name' }
  accepted(await upload(projectApi, audience, file, CSV, map))
  await db.run(sql`
    alter table contacts add constraint crash check (email <> 'p1500@example.com') not valid`)
  await runJobs(here)
  await db.run(sql`alter table contacts drop constraint crash`)
  await makeAllDue(db)
  await runJobs(here)
  const { data } = await contactsOf(projectApi, audience, 'email=p2499@example.com')
  expect(data).toMatchObject([{ properties: { 'nick name': 'N2499' } }])
  const { n } = await db.one(sql<{ n: number }>`select count(*) as n from contacts`)
  expect(n).toBe(2_500)
})

const refusals: [why: string, file: string, map: Record<string, string>, path: string, message: RegExp][] = [
  ['a column that is not there', 'email,Name\n', { name: 'firstName' }, '/query/map/name', /no column of the file/],
  ['one that looks like it', 'email,a/b~c\n', { 'a/b~': 'skip' }, '/query/map/a~1b~0', /no column of the file/],
  ['two columns on one field', 'a,b\n', { a: 'email', b: 'email' }, '/', /two columns for email/],
  ['one of them by its title', 'email,First Name,b\n', { b: 'firstName' }, '/', /two columns for firstName/],
  ['two on one property', 'email,a,b\n', { a: 'properties.b' }, '/', /two columns for properties\.b/],
  ['one column twice', 'email,a\n', { a: 'skip', ' a ': 'tags' }, '/query/map/ a ', /mapped already/],
  ['no column for the address', 'a,b\n', { a: 'firstName' }, '/', /no column for email/],
  ['the one for the address left out', 'email,b\n', { email: 'skip' }, '/', /no column for email/],
  ['a field that there is not', 'email,b\n', { b: 'phone' }, '/query/map/b', /one of email, firstName/],
  ['a field in other letters', 'email,b\n', { b: 'FirstName' }, '/query/map/b', /one of email, firstName/],
  ['a property without a name', 'email,b\n', { b: 'properties.' }, '/query/map/b', /properties\.<name>/],
  ['the property __proto__', 'email,b\n', { b: 'properties.__proto__' }, '/query/map/b', /properties\.<name>/],
  ['a long property', 'email,b\n', { b: `properties.${'x'.repeat(101)}` }, '/query/map/b', /properties\.<name>/],
  ['what an object inherits', 'email,b\n', { b: 'constructor' }, '/query/map/b', /one of email, firstName/],
  [
    'the column __proto__',
    'email,b\n',
    { __proto__x: 'skip', ['__proto__']: 'skip' },
    '/query/map/__proto__',
    /no column/,
  ],
]

test('a map that cannot be followed is refused, and nothing of its file is kept', async () => {
  const { projectApi, db } = await world()
  const audience = await newAudience(projectApi)
  for (const [why, file, map, path, message] of refusals) {
    const reply = await upload(projectApi, audience, `${file}a@example.com,x,y\n`, CSV, map)
    expectRefused(reply as never, path)
    const { details } = reply.body as unknown as { details: { path: string; message: string }[] }
    expect(details.find((detail) => detail.path === path)!.message, why).toMatch(message)
  }
  expect(await db.all(sql`select from contact_import_pieces`)).toEqual([])
})

test('everything that is wrong with a map is said at once', async () => {
  const { projectApi } = await tenant()
  const audience = await newAudience(projectApi)
  const reply = await upload(projectApi, audience, 'email,a\n', CSV, { a: 'nothing', b: 'skip', c: 'tags' })
  for (const path of ['/query/map/a', '/query/map/b', '/query/map/c']) expectRefused(reply as never, path)
})

test('a map is written in brackets, once for each column, and only for CSV', async () => {
  const { projectApi } = await tenant()
  const audience = await newAudience(projectApi)
  const send = (query: string, type = CSV) =>
    projectApi.request('POST', `audiences/${audience}/contacts/import?${query}`, {
      body: Buffer.from(type === CSV ? 'email,a\nx@example.com,y\n' : '{"email":"x@example.com"}\n'),
      headers: { 'content-type': type },
    })
  expectRefused(await send('map=a'), '/query/map')
  expectRefused(await send('map=a&map[a]=skip'), '/query/map')
  expectRefused(await send('map[a]=skip&map[a]=tags'), '/query/map/a')
  expectRefused(await send('maps[a]=skip'), '/query/maps[a]')
  expectRefused(await send('map[a=skip'), '/query/map[a')
  expectRefused(await send('map[a]=skip', NDJSON), '/query/map')
  expect((await send('map[a]=skip')).status).toBe(202)
  expect((await send('', NDJSON)).status).toBe(202)
})
