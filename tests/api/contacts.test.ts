import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import {
  addContact,
  contactsOf,
  expectRefused,
  namesOf,
  newAudience,
  newTag,
  type ContactSeen,
} from '../support/audiences.ts'
import { created, tenants, world } from '../support/world.ts'

const tenant = tenants()

const refusal = (status: number, code: string) => ({ status, body: { code } })
const missing = refusal(404, 'not_found')

test('a contact is created opted in and comes back whole', async () => {
  const { projectApi, projectId } = await tenant()
  const audience = await newAudience(projectApi)
  const consent = { source: 'form', at: '2020-01-02T03:04:05+01:00', ip: '2001:db8::1', userAgent: 'X', text: 'Yes!' }
  const properties = { plan: 'pro', seats: 3, trial: false, colours: ['red', 1, null, true] }
  const fields = { email: 'Ann@Example.COM', firstName: 'Änn', lastName: "O'Neil", properties, consent }
  const contact = created(await projectApi.post<ContactSeen>(`audiences/${audience}/contacts`, fields))
  expect(contact).toEqual({
    id: expect.stringMatching(/^con_[0-9a-hjkmnp-tv-z]{26}$/),
    projectId,
    audienceId: audience,
    email: 'ann@example.com',
    firstName: 'Änn',
    lastName: "O'Neil",
    subscribed: true,
    properties,
    tags: [],
    consent: { ...consent, at: '2020-01-02T02:04:05.000Z' },
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: contact.createdAt,
    unsubscribedAt: null,
  })
  expect((await projectApi.get(`audiences/${audience}/contacts/${contact.id}`)).body).toEqual(contact)
  expect((await contactsOf(projectApi, audience)).data).toEqual([contact])
})

test('a contact is found by its address too, written in any case', async () => {
  const { projectApi } = await tenant()
  const audience = await newAudience(projectApi)
  const contact = await addContact(projectApi, audience, 'ann+news/x@example.com')
  for (const email of ['ann+news/x@example.com', 'ANN+News/X@Example.com']) {
    const path = `audiences/${audience}/contacts/${encodeURIComponent(email)}`
    expect((await projectApi.get(path)).body).toEqual(contact)
    expect(await projectApi.patch(path, {})).toMatchObject({ status: 200, body: { id: contact.id } })
  }
  for (const other of ['bob@example.com', 'nobody', 'con_x', contact.id.replace('con_', 'aud_'), 'a b@example.com']) {
    const path = `audiences/${audience}/contacts/${encodeURIComponent(other)}`
    expect(await projectApi.get(path)).toMatchObject(missing)
    expect(await projectApi.patch(path, {})).toMatchObject(missing)
    expect(await projectApi.delete(path)).toMatchObject(missing)
  }
  const elsewhere = await newAudience(projectApi, 'Others')
  expect(await projectApi.get(`audiences/${elsewhere}/contacts/${contact.id}`)).toMatchObject(missing)
})

test('adding somebody again updates what is given and keeps the rest', async () => {
  const { projectApi } = await tenant()
  const audience = await newAudience(projectApi)
  const first = await addContact(projectApi, audience, 'ann@example.com', {
    firstName: 'Ann',
    lastName: 'A',
    properties: { plan: 'free', city: 'Bern' },
    consent: { source: 'form' },
  })
  const again = await projectApi.post<ContactSeen>(`audiences/${audience}/contacts`, {
    email: 'ANN@example.com',
    lastName: null,
    properties: { plan: 'pro', city: null, seats: 2 },
  })
  expect(again).toMatchObject({ status: 200 })
  expect(again.body).toEqual({
    ...first,
    lastName: null,
    properties: { plan: 'pro', seats: 2 },
    consent: { source: 'form', at: null, ip: null, userAgent: null, text: null },
    createdAt: first.createdAt,
    updatedAt: expect.stringMatching(/Z$/),
  })
  expect(again.body.updatedAt > first.updatedAt).toBe(true)
  // Nothing to change is no change.
  const third = await projectApi.post(`audiences/${audience}/contacts`, { email: 'ann@example.com', firstName: 'Ann' })
  expect(third).toMatchObject({ status: 200, body: again.body })
})

test('nobody is created who did not opt in', async () => {
  const { projectApi } = await tenant()
  const audience = await newAudience(projectApi)
  for (const not of [{ optedIn: false }, { subscribed: false }, { optedIn: true, subscribed: false }]) {
    const reply = await projectApi.post(`audiences/${audience}/contacts`, { email: 'ann@example.com', ...not })
    expect(reply).toMatchObject(refusal(422, 'consent_required'))
  }
  expect((await contactsOf(projectApi, audience)).data).toEqual([])
  const path = `audiences/${audience}/contacts`
  await projectApi.post(path, { email: 'ann@example.com', optedIn: true, subscribed: true })
  // Somebody who is there and opts out is unsubscribed, not refused.
  const out = await projectApi.post(path, { email: 'ann@example.com', optedIn: false })
  expect(out).toMatchObject({ status: 200, body: { subscribed: false } })
})

test('who unsubscribed is not subscribed again by being added again', async () => {
  const { projectApi } = await tenant()
  const audience = await newAudience(projectApi)
  const path = `audiences/${audience}/contacts`
  await addContact(projectApi, audience, 'ann@example.com')
  const { body: gone } = await projectApi.patch<ContactSeen>(`${path}/ann@example.com`, { subscribed: false })
  expect(gone.subscribed).toBe(false)
  expect(Date.parse(gone.unsubscribedAt!)).toBeGreaterThan(Date.now() - 60_000)
  const before = new Date(Date.parse(gone.unsubscribedAt!) - 1).toISOString()
  for (const more of [
    {},
    { subscribed: true },
    { optedIn: true },
    { consent: { at: before } },
    { consent: { source: 'x' } },
  ]) {
    const reply = await projectApi.post(path, {
      email: 'ann@example.com',
      firstName: `A${JSON.stringify(more)}`,
      ...more,
    })
    expect(reply).toMatchObject({ status: 200, body: { subscribed: false, unsubscribedAt: gone.unsubscribedAt } })
    expect(reply.body['firstName']).toBe(`A${JSON.stringify(more)}`)
  }
  const after = new Date(Date.parse(gone.unsubscribedAt!) + 1).toISOString()
  const back = await projectApi.post(path, { email: 'ann@example.com', consent: { at: after } })
  expect(back).toMatchObject({ status: 200, body: { subscribed: true, unsubscribedAt: null } })
})

test('a PATCH subscribes somebody again, and who did it is in the audit log, without the address', async () => {
  const { projectApi, db } = await world()
  const audience = await newAudience(projectApi)
  const { id } = await addContact(projectApi, audience, 'ann@example.com')
  const path = `audiences/${audience}/contacts/${id}`
  for (const subscribed of [false, false, true, true]) {
    expect(await projectApi.patch(path, { subscribed })).toMatchObject({ status: 200, body: { subscribed } })
  }
  await projectApi.delete(path)
  const entries = await db.all(sql<{ action: string; subject: string; details: unknown }>`
    select action, subject, details from audit_log where action like 'contact.%' order by id`)
  expect(entries).toEqual(
    ['unsubscribed', 'resubscribed', 'deleted'].map((word) => ({
      action: `contact.${word}`,
      subject: id,
      details: { audienceId: audience },
    })),
  )
})

test('every consent is kept as evidence, the same one once', async () => {
  const { projectApi, db } = await world()
  const audience = await newAudience(projectApi)
  const path = `audiences/${audience}/contacts`
  await addContact(projectApi, audience, 'ann@example.com', { consent: { source: 'form', text: 'first' } })
  await projectApi.post(path, { email: 'ann@example.com', consent: { source: 'form', text: 'first' } })
  await projectApi.patch(`${path}/ann@example.com`, { consent: { source: 'phone', text: 'second' } })
  const last = await projectApi.post<ContactSeen>(path, {
    email: 'ann@example.com',
    consent: { source: 'form', text: 'first' },
  })
  expect(last.body.consent).toMatchObject({ source: 'phone', text: 'second' })
  const kept = await db.all(sql<{ text: string }>`select text from contact_consents order by recorded_at`)
  expect(kept).toEqual([{ text: 'first' }, { text: 'second' }])
})

test('what is out of shape is refused, all of it at once', async () => {
  const { projectApi } = await tenant()
  const audience = await newAudience(projectApi)
  const path = `audiences/${audience}/contacts`
  const email = 'ann@example.com'
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  const wrong: [object, string][] = [
    [{ email: 'ann' }, '/email'],
    [{ email: 'Ann <ann@example.com>' }, '/email'],
    [{ email, firstName: 'a\nb' }, '/firstName'],
    [{ email, firstName: 'x'.repeat(201) }, '/firstName'],
    [{ email, properties: { a: { b: 1 } } }, '/properties/a'],
    [{ email, properties: { a: [[1]] } }, '/properties/a/0'],
    [{ email, properties: [] }, '/properties'],
    [{ email, properties: { ['x'.repeat(101)]: 1 } }, '/properties'],
    [{ email, properties: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`p${i}`, i])) }, '/properties'],
    [
      { email, properties: Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`p${i}`, 'x'.repeat(9_000)])) },
      '/properties',
    ],
    [{ email, consent: {} }, '/consent'],
    [{ email, consent: { at: soon } }, '/consent/at'],
    [{ email, consent: { at: '2020-02-31T00:00:00Z' } }, '/consent/at'],
    [{ email, consent: { at: '2020-02-01' } }, '/consent/at'],
    [{ email, subscribed: 'yes' }, '/subscribed'],
    [{ email, tags: ['x'] }, '/tags'],
  ]
  for (const [body, where] of wrong) expectRefused(await projectApi.post(path, body), where)
  const both = await projectApi.post(path, { email: 'ann', consent: { at: soon } })
  expectRefused(both, '/email')
  expectRefused(both, '/consent/at')
  expectRefused(await projectApi.patch(`${path}/${email}`, { email }), '/email')
  expect((await contactsOf(projectApi, audience)).data).toEqual([])
})

test('properties grow no further than allowed by being added one by one', async () => {
  const { projectApi } = await tenant()
  const audience = await newAudience(projectApi)
  const path = `audiences/${audience}/contacts`
  const many = (from: number, to: number) =>
    Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`p${from + i}`, 'x']))
  await addContact(projectApi, audience, 'ann@example.com', { properties: many(0, 60) })
  expectRefused(await projectApi.post(path, { email: 'ann@example.com', properties: many(60, 101) }), '/properties')
  expectRefused(await projectApi.patch(`${path}/ann@example.com`, { properties: many(60, 101) }), '/properties')
  const { body } = await projectApi.post<ContactSeen>(path, { email: 'ann@example.com', properties: many(60, 100) })
  expect(Object.keys(body.properties)).toHaveLength(100)
})

test('the list is newest first, a page at a time, whole or by state', async () => {
  const { projectApi } = await tenant()
  const audience = await newAudience(projectApi)
  for (const name of ['a', 'b', 'c', 'd', 'e']) await addContact(projectApi, audience, `${name}@example.com`)
  for (const name of ['b', 'd']) {
    await projectApi.patch(`audiences/${audience}/contacts/${name}@example.com`, { subscribed: false })
  }
  const first = await contactsOf(projectApi, audience, 'limit=2')
  expect(namesOf(first)).toEqual(['e', 'd'])
  await addContact(projectApi, audience, 'f@example.com')
  const second = await contactsOf(projectApi, audience, `limit=2&cursor=${first.nextCursor}`)
  expect(namesOf(second)).toEqual(['c', 'b'])
  const third = await contactsOf(projectApi, audience, `limit=2&cursor=${second.nextCursor}`)
  expect(third).toMatchObject({ hasMore: false, nextCursor: null })
  expect(namesOf(third)).toEqual(['a'])
  expect(namesOf(await contactsOf(projectApi, audience, 'subscribed=true'))).toEqual(['f', 'e', 'c', 'a'])
  expect(namesOf(await contactsOf(projectApi, audience, 'subscribed=false'))).toEqual(['d', 'b'])
  const page = await contactsOf(projectApi, audience, 'subscribed=true&limit=3')
  expect(namesOf(await contactsOf(projectApi, audience, `subscribed=true&limit=3&cursor=${page.nextCursor}`))).toEqual([
    'a',
  ])
})

test('contacts are found by address, by the beginning of address or name, and by tag, and by all of them together', async () => {
  const { projectApi } = await tenant()
  const audience = await newAudience(projectApi)
  const elsewhere = await newAudience(projectApi, 'Others')
  const people: [string, string | null, string | null][] = [
    ['zoe', 'Zoë', 'Álvarez'],
    ['ann', 'Ann', 'Lee'],
    ['bob', 'Bob', 'Annan'],
    ['anton', null, null],
    ['lee', 'Li', null],
  ]
  for (const [name, firstName, lastName] of people) {
    await addContact(projectApi, audience, `${name}@example.com`, { firstName, lastName })
    await addContact(projectApi, elsewhere, `${name}@example.com`, { firstName, lastName })
  }
  const find = async (query: string) => namesOf(await contactsOf(projectApi, audience, query))
  expect(await find('email=ANN@example.com')).toEqual(['ann'])
  expect(await find('email=nobody@example.com')).toEqual([])
  expect(await find('q=an')).toEqual(['anton', 'bob', 'ann'])
  expect(await find('q=AN&limit=2')).toEqual(['anton', 'bob'])
  expect(await find('q=ann+lee')).toEqual(['ann'])
  expect(await find(`q=${encodeURIComponent('ÁL')}`)).toEqual(['zoe'])
  expect(await find('q=lee')).toEqual(['lee', 'ann'])
  expect(await find('q=%25')).toEqual([])
  expect(await find('q=_')).toEqual([])

  const tag = await newTag(projectApi, 'VIP')
  await projectApi.post(`contact-tags/${tag}/contacts`, { emails: ['ann@example.com', 'bob@example.com'] })
  for (const named of ['VIP', 'vip', tag]) expect(await find(`tag=${named}`)).toEqual(['bob', 'ann'])
  expect(await find('tag=unknown')).toEqual([])
  expect(await find('tag=tag_00000000000000000000000000')).toEqual([])
  expect(await find('tag=vip&q=ann')).toEqual(['bob', 'ann'])
  await projectApi.patch(`audiences/${audience}/contacts/bob@example.com`, { subscribed: false })
  expect(await find('tag=vip&q=ann&subscribed=true')).toEqual(['ann'])
  const page = await contactsOf(projectApi, audience, 'q=an&limit=1')
  expect(await find(`q=an&limit=5&cursor=${page.nextCursor}`)).toEqual(['bob', 'ann'])
  for (const wrong of ['email=x', 'subscribed=maybe', 'q=', 'since=x', 'limit=0']) {
    expectRefused(await projectApi.get(`audiences/${audience}/contacts?${wrong}`), `/query/${wrong.split('=')[0]}`)
  }
})

test('deleting a contact erases all that is known of it here, and keeps a suppression', async () => {
  const { projectApi, db } = await world()
  const audience = await newAudience(projectApi)
  const other = await newAudience(projectApi, 'Others')
  const secret = { properties: { secret: 'tell-nobody' }, consent: { text: 'tell-nobody' }, firstName: 'tell-nobody' }
  for (const where of [audience, other]) await addContact(projectApi, where, 'ann@example.com', secret)
  await projectApi.post('suppressions', { email: 'ann@example.com' })
  const tag = await newTag(projectApi, 'vip')
  await projectApi.post(`contact-tags/${tag}/contacts`, { email: 'ann@example.com' })

  const deleted = await projectApi.delete(`audiences/${audience}/contacts/ann@example.com`)
  expect(deleted).toMatchObject({ status: 200, body: { deleted: true } })
  expect(await projectApi.delete(`audiences/${audience}/contacts/ann@example.com`)).toMatchObject(missing)
  const left = await projectApi.get<ContactSeen>(`audiences/${other}/contacts/ann@example.com`)
  expect(left.body).toMatchObject({ tags: ['vip'], consent: { text: 'tell-nobody' } })

  await projectApi.delete(`audiences/${other}/contacts/ann@example.com`)
  for (const table of [sql`contacts`, sql`contact_consents`, sql`applied_tags`]) {
    expect(await db.one(sql<{ n: number }>`select count(*) as n from ${table}`)).toEqual({ n: 0 })
  }
  expect((await projectApi.get(`contact-tags/${tag}`)).body).toMatchObject({ contactCount: 0 })
  expect((await projectApi.get('suppressions')).body).toMatchObject({ data: [{ email: 'ann@example.com' }] })
  const log = await db.all(sql<{ text: string }>`select details::text as text from audit_log`)
  expect(log.filter(({ text }) => text.includes('tell-nobody'))).toEqual([])
})
