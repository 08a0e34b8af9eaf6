import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import { addressKey } from '../../src/mail/address.ts'
import { Tags } from '../../src/resources/tags/index.ts'
import { sql } from '../../src/storage/sql.ts'
import {
  addContact,
  contactsOf,
  expectRefused,
  newAudience,
  newTag,
  runJobs,
  type ContactSeen,
  type Listed,
} from '../support/audiences.ts'
import { created, tenants, world } from '../support/world.ts'

const tenant = tenants()

const missing = { status: 404, body: { code: 'not_found' } }
interface Seen {
  id: string
  name: string
  contactCount: number
}

test('a tag is created, read, listed, renamed and deleted', async () => {
  const { projectApi, projectId } = await tenant()
  const tag = created(await projectApi.post<Seen>('contact-tags', { name: 'VIP' }))
  expect(tag).toEqual({
    id: expect.stringMatching(/^tag_[0-9a-hjkmnp-tv-z]{26}$/),
    projectId,
    name: 'VIP',
    contactCount: 0,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
  const path = `contact-tags/${tag.id}`
  expect((await projectApi.get(path)).body).toEqual(tag)
  expect((await projectApi.get('contact-tags')).body).toEqual({ data: [tag], hasMore: false, nextCursor: null })
  expect(await projectApi.patch(path, { name: 'Vip' })).toMatchObject({ status: 200, body: { ...tag, name: 'Vip' } })
  expect(await projectApi.delete(path)).toMatchObject({ status: 200, body: { id: tag.id, deleted: true } })
  for (const gone of [
    await projectApi.get(path),
    await projectApi.patch(path, { name: 'x' }),
    await projectApi.delete(path),
    await projectApi.post(`${path}/contacts`, { email: 'ann@example.com' }),
  ]) {
    expect(gone).toMatchObject(missing)
  }
})

test('a name is one tag, in whatever case, and free again once the tag is deleted', async () => {
  const { projectApi, api, newProject } = await world()
  const id = await newTag(projectApi, 'Été')
  const other = await newTag(projectApi, 'other')
  const taken = { status: 409, body: { code: 'already_exists', existingId: id } }
  for (const name of ['Été', 'ÉTÉ', 'été']) {
    expect(await projectApi.post('contact-tags', { name })).toMatchObject(taken)
    expect(await projectApi.patch(`contact-tags/${other}`, { name })).toMatchObject(taken)
  }
  const headers = { 'x-service-project-id': await newProject() }
  created(await api.post('contact-tags', { name: 'Été' }, headers))
  await projectApi.delete(`contact-tags/${id}`)
  await newTag(projectApi, 'ÉTÉ')
  const replies = await Promise.all(Array.from({ length: 10 }, () => projectApi.post('contact-tags', { name: 'race' })))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  for (const name of ['', ' ', 'a\tb', 'x'.repeat(101), 7]) {
    expectRefused(await projectApi.post('contact-tags', { name }), '/name')
  }
})

test('a tag is applied to a person, and shows on their contact in every audience', async () => {
  const { projectApi } = await tenant()
  const audiences = [await newAudience(projectApi), await newAudience(projectApi)]
  for (const audience of audiences) await addContact(projectApi, audience, 'ann@example.com')
  const [vip, early] = [await newTag(projectApi, 'VIP'), await newTag(projectApi, 'early')]
  const apply = (tag: string, email: string) => projectApi.post(`contact-tags/${tag}/contacts`, { email })
  expect((await apply(vip, 'Ann@Example.com')).body).toEqual({ tagId: vip, email: 'ann@example.com', applied: true })
  expect((await apply(vip, 'ann@example.com')).body).toEqual({ tagId: vip, email: 'ann@example.com', applied: false })
  await apply(early, 'ann@example.com')
  for (const audience of audiences) {
    expect((await contactsOf(projectApi, audience)).data).toMatchObject([{ tags: ['early', 'VIP'] }])
  }
  expect((await projectApi.get(`contact-tags/${vip}`)).body).toMatchObject({ contactCount: 1 })
  // Whoever is added to an audience later has it there too.
  const third = await newAudience(projectApi)
  expect((await addContact(projectApi, third, 'ann@example.com')).tags).toEqual(['early', 'VIP'])
  expect(await apply(vip, 'nobody@example.com')).toMatchObject(missing)
  expectRefused(await apply(vip, 'nobody'), '/email')
  expectRefused(await projectApi.post(`contact-tags/${vip}/contacts`, {}), '/email')
})

test('a tag is removed by body or by query', async () => {
  const { projectApi } = await tenant()
  const audience = await newAudience(projectApi)
  await addContact(projectApi, audience, 'ann@example.com')
  const tag = await newTag(projectApi, 'VIP')
  const path = `contact-tags/${tag}/contacts`
  const ways = [
    () => projectApi.request('DELETE', path, { body: { email: 'ANN@example.com' } }),
    () => projectApi.delete(`${path}?email=ann%40example.com`),
    () => projectApi.request('DELETE', `${path}?email=Ann@example.com`, { body: { email: 'ann@example.com' } }),
  ]
  for (const remove of ways) {
    await projectApi.post(path, { email: 'ann@example.com' })
    expect((await remove()).body).toEqual({ tagId: tag, email: 'ann@example.com', removed: true })
    expect((await remove()).body).toEqual({ tagId: tag, email: 'ann@example.com', removed: false })
  }
  expect((await projectApi.get(`contact-tags/${tag}`)).body).toMatchObject({ contactCount: 0 })
  expect(await projectApi.delete(`${path}?email=nobody@example.com`)).toMatchObject(missing)
  expectRefused(await projectApi.delete(path), '/email')
  const two = { body: { email: 'bob@example.com' } }
  expectRefused(await projectApi.request('DELETE', `${path}?email=ann@example.com`, two), '/email')
})

test('up to a thousand people get or lose a tag at once, each with a result of their own', async () => {
  const { projectApi } = await tenant()
  const audience = await newAudience(projectApi)
  for (const name of ['ann', 'bob']) await addContact(projectApi, audience, `${name}@example.com`)
  const tag = await newTag(projectApi, 'VIP')
  const path = `contact-tags/${tag}/contacts`
  await projectApi.post(path, { email: 'bob@example.com' })
  const emails = ['Ann@example.com', 'bob@example.com', 'nobody@example.com', 'no address']
  const unknown = { email: 'nobody@example.com', error: 'There is no such contact.', code: 'not_found' }
  const wrong = { email: 'no address', error: expect.any(String), code: 'validation_error' }
  const applied = await projectApi.post(path, { emails })
  expect(applied).toMatchObject({ status: 200 })
  expect(applied.body).toEqual({
    tagId: tag,
    data: [{ email: 'ann@example.com', applied: true }, { email: 'bob@example.com', applied: false }, unknown, wrong],
  })
  const removed = await projectApi.request('DELETE', path, { body: { emails: [...emails, 'ann@example.com'] } })
  expect(removed.body).toEqual({
    tagId: tag,
    data: [
      { email: 'ann@example.com', removed: true },
      { email: 'bob@example.com', removed: true },
      unknown,
      wrong,
      { email: 'ann@example.com', removed: true },
    ],
  })
  expectRefused(await projectApi.post(path, { emails: [] }), '/emails')
  expectRefused(await projectApi.post(path, { emails, email: 'ann@example.com' }), '/emails')
  const many = Array.from({ length: 1_001 }, (_, i) => `p${i}@example.com`)
  expectRefused(await projectApi.post(path, { emails: many }), '/emails')
  expect((await projectApi.post(path, { emails: many.slice(1) })).status).toBe(200)
})

test('a deleted tag is gone from contacts at once, and from the tables soon after', async () => {
  const here = await world()
  const { projectApi, db } = here
  const audience = await newAudience(projectApi)
  await addContact(projectApi, audience, 'ann@example.com')
  const [vip, kept] = [await newTag(projectApi, 'VIP'), await newTag(projectApi, 'kept')]
  for (const tag of [vip, kept]) await projectApi.post(`contact-tags/${tag}/contacts`, { email: 'ann@example.com' })
  await projectApi.delete(`contact-tags/${vip}`)
  expect((await contactsOf(projectApi, audience)).data).toMatchObject([{ tags: ['kept'] }])
  expect((await contactsOf(projectApi, audience, 'tag=VIP')).data).toEqual([])
  await runJobs(here)
  expect(await db.all(sql`select distinct tag_id as id from applied_tags`)).toEqual([{ id: decodeId('tag', kept) }])
  expect(await db.all(sql`select distinct tag_id as id from tag_counts`)).toEqual([{ id: decodeId('tag', kept) }])
  expect(await db.all(sql`select id from contact_tags`)).toEqual([{ id: decodeId('tag', kept) }])
})

test('whatever happens at once, a tag has as many people as it says', async () => {
  const { projectApi, db } = await world()
  const audience = await newAudience(projectApi)
  const people = Array.from({ length: 8 }, (_, i) => `p${i}@example.com`)
  for (const email of people) await addContact(projectApi, audience, email)
  const tags = [await newTag(projectApi, 'one'), await newTag(projectApi, 'two')]
  for (let round = 0; round < 15; round++) {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) => {
        const path = `contact-tags/${tags[i % 2]}/contacts`
        const some = i % 4 < 2 ? people.slice(round % 4) : people.slice(0, 4).toReversed()
        if (i % 3 === 0) return projectApi.post(path, { emails: some })
        if (i % 3 === 1) return projectApi.request('DELETE', path, { body: { emails: some } })
        if (i === 5) return projectApi.delete(`audiences/${audience}/contacts/${people[round % 8]}`)
        return projectApi.post(`audiences/${audience}/contacts`, { email: people[(i + round) % 8] })
      }),
    )
    for (const { status, text } of replies) expect([200, 201, 404], text).toContain(status)
    const { data } = (await projectApi.get<Listed<Seen>>('contact-tags')).body
    for (const { id, contactCount } of data) {
      const rows = await db.all(sql`select from applied_tags where tag_id = ${decodeId('tag', id)}`)
      expect(contactCount).toBe(rows.length)
    }
  }
})

test('others are told, in the same transaction, who gets and who loses a tag', async () => {
  const { projectApi, db, services, projectId } = await world()
  const audience = await newAudience(projectApi)
  for (const name of ['ann', 'bob']) await addContact(projectApi, audience, `${name}@example.com`)
  const id = decodeId('tag', await newTag(projectApi, 'VIP'))!
  const told: string[] = []
  const tags = new Tags(db, services.contacts, {
    tagged: async (_tx, _project, tag, emails) => void told.push(`tagged ${tag === id} ${emails.toSorted().join(' ')}`),
    untagged: async (_tx, _project, tag, emails) => void told.push(`untagged ${tag === id} ${emails.join(' ')}`),
    deleted: async () => void told.push('deleted'),
  })
  const project = { id: decodeId('prj', projectId)!, workspaceId: '' as never, status: 'active' as const }
  await tags.apply(project, id, { email: 'ann@example.com' })
  await tags.apply(project, id, { emails: ['ann@example.com', 'bob@example.com'] })
  await tags.apply(project, id, { email: 'bob@example.com' })
  await tags.remove(project, id, 'ann@example.com')
  await tags.remove(project, id, 'ann@example.com')
  await db.transaction((tx) => tags.forgetPeople(tx, project.id, ['bob@example.com', 'ann@example.com']))
  await db.transaction((tx) => tags.applyNamed(tx, project.id, [{ email: 'ann@example.com', tags: ['vip'] }]))
  expect(told).toEqual([
    'tagged true ann@example.com',
    'tagged true bob@example.com',
    'untagged true ann@example.com',
    'untagged true bob@example.com',
    'tagged true ann@example.com',
  ])
  const seen = await projectApi.get<ContactSeen>(`audiences/${audience}/contacts/ann@example.com`)
  expect(seen.body.tags).toEqual(['VIP'])
})

test('a contact and its tags are found whichever sigma ends the address', async () => {
  const { projectApi } = await tenant()
  const audience = await newAudience(projectApi)
  const first = created(await projectApi.post(`audiences/${audience}/contacts`, { email: 'ΟΔΟΣ@example.com' }))
  expect(first['email']).toBe('οδος@example.com')
  const again = await projectApi.post(`audiences/${audience}/contacts`, { email: 'οδοσ@example.com' })
  expect(again).toMatchObject({ status: 200, body: { id: first['id'], email: 'οδος@example.com' } })
})

const migration = readFileSync(new URL('../../src/storage/migrations/0024_address_case.sql', import.meta.url), 'utf8')

test('who was stored in the other spelling before is found after the migration', async () => {
  const { projectApi, db, databaseUrl } = await world()
  const audience = await newAudience(projectApi)
  const old = created(await projectApi.post(`audiences/${audience}/contacts`, { email: 'a@example.com' }))
  const moves = migration.replace(/^[^]*?(?=create function pg_temp)/, '')
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  for (const [stored, asked, found] of [
    ['οδοσ-σα@example.com', 'ΟΔΟΣ-ΣΑ@example.com', 'οδος-σα@example.com'],
    ['γιωργος.παπας@example.com', 'ΓΙΩΡΓΟΣ.ΠΑΠΑΣ@example.com', 'γιωργοσ.παπας@example.com'],
  ]) {
    await db.run(sql`update contacts set email = ${stored} where id = ${decodeId('con', String(old['id']))}`)
    await client.query(moves)
    await client.query('drop function pg_temp.final_sigma')
    const again = await projectApi.post(`audiences/${audience}/contacts`, { email: asked })
    expect(again).toMatchObject({ status: 200, body: { id: old['id'], email: found } })
  }
  await client.end()
})

test('the migration ends words where we do, whatever stands around them', async () => {
  const { databaseUrl } = await world()
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(/create function pg_temp[^]*?\$\$;/.exec(migration)![0])
  const around = [
    [0x21, 0x52f],
    [0x1e00, 0x1fff],
    [0x2010, 0x2027],
  ].flatMap(([first, last]) =>
    Array.from({ length: last! - first! + 1 }, (_, i) => String.fromCodePoint(first! + i)).filter(
      (letter) => letter === letter.normalize('NFC').toLowerCase() && !/\p{Cn}/u.test(letter),
    ),
  )
  const addresses = ['σ', 'σ.σ', 'ας.σα', "α'σ", 'α.-σ', 'σ.', '1σ', 'σ1']
    .concat(around.flatMap((letter) => [`${letter}σ`, `α${letter}σ`, `ας${letter}`, `ας${letter}α`, `ας${letter}.α`]))
    .map((local) => `${local}@x.gr`.normalize('NFC'))
  const { rows } = await client.query<{ address: string; key: string }>(
    'select address, pg_temp.final_sigma(address) as key from unnest($1::text[]) as given (address)',
    [addresses],
  )
  await client.end()
  expect(rows).toHaveLength(addresses.length)
  expect(rows.filter(({ address, key }) => key !== addressKey({ email: address }))).toEqual([])
})
