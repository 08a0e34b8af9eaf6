import { expect, test } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { decodeId } from '../../src/core/ids.ts'
import { Contacts, type ContactHooks } from '../../src/resources/contacts/index.ts'
import { addContact, contactsOf, countsOf, newAudience, newTag, type ContactSeen } from '../support/audiences.ts'
import type { Client, Reply } from '../support/client.ts'
import { world, type World } from '../support/world.ts'

test('a hundred who add one address in the same moment make one contact, and one of them is told that it is new', async () => {
  const { projectApi, anotherApi } = await world()
  const audience = await newAudience(projectApi)
  const other = (await anotherApi()).with(projectApi.key)
  // On a machine that is busy some wait too long for a connection, and are told to come again.
  const add = async (client: Client, body: object): Promise<Reply<ContactSeen>> => {
    const reply = await client.post<ContactSeen>(`audiences/${audience}/contacts`, body)
    return reply.status === 503 ? add(client, body) : reply
  }
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      add(i % 2 ? other : projectApi, {
        email: i % 3 ? 'race@example.com' : 'Race@Example.com',
        properties: { [`p${i}`]: i },
      }),
    ),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 99 }, () => 200), 201])
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
  expect(await countsOf(projectApi, audience)).toEqual({ total: 1, subscribed: 1, unsubscribed: 0 })
  // Nobody's change was lost.
  const { data } = await contactsOf(projectApi, audience)
  expect(Object.keys(data[0]!.properties)).toHaveLength(100)
})

test('adding and deleting one person in the same moment leaves them there or not, and counted so', async () => {
  const { projectApi } = await world()
  const [audience, other] = [await newAudience(projectApi), await newAudience(projectApi, 'Others')]
  const tag = await newTag(projectApi, 'vip')
  const email = 'race@example.com'
  for (let round = 0; round < 10; round++) {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => {
        const where = i % 5 === 0 ? other : audience
        if (i % 4 === 3) return projectApi.post(`contact-tags/${tag}/contacts`, { email })
        if (i % 2) return projectApi.delete(`audiences/${where}/contacts/${email}`)
        return projectApi.post(`audiences/${where}/contacts`, { email })
      }),
    )
    for (const { status, text } of replies) expect([200, 201, 404], text).toContain(status)
    for (const where of [audience, other]) {
      const { length } = (await contactsOf(projectApi, where)).data
      expect(await countsOf(projectApi, where)).toMatchObject({ total: length, subscribed: length })
    }
    await Promise.all([audience, other].map((where) => projectApi.delete(`audiences/${where}/contacts/${email}`)))
    // Two who delete the last two contacts of a person at once do not leave the tags behind.
    expect((await projectApi.get(`contact-tags/${tag}`)).body).toMatchObject({ contactCount: 0 })
  }
})

test('a link unsubscribes once, and a person sees all audiences that they are in', async () => {
  const { projectApi, db, services, projectId } = await world()
  const project = decodeId('prj', projectId)!
  const [news, offers] = [await newAudience(projectApi, 'News'), await newAudience(projectApi, 'Offers')]
  const contact = await addContact(projectApi, news, 'ann@example.com')
  await addContact(projectApi, offers, 'ann@example.com')
  await addContact(projectApi, offers, 'bob@example.com')
  const id = decodeId('con', contact.id)!
  const unsubscribe = () => db.transaction((tx) => services.contacts.unsubscribe(tx, project, id))
  expect(await unsubscribe()).toMatchObject({ email: 'ann@example.com', subscribed: false })
  const { unsubscribedAt } = (await contactsOf(projectApi, news)).data[0]!
  expect(await unsubscribe()).toMatchObject({ subscribed: false })
  expect((await contactsOf(projectApi, news)).data[0]).toMatchObject({ subscribed: false, unsubscribedAt })
  expect(await countsOf(projectApi, news)).toEqual({ total: 1, subscribed: 0, unsubscribed: 1 })
  const stranger = decodeId('prj', 'prj_00000000000000000000000000')!
  expect(await db.transaction((tx) => services.contacts.unsubscribe(tx, stranger, id))).toBeUndefined()
  expect(await services.contacts.memberships(db, project, 'ann@example.com')).toMatchObject([
    { contactId: id, audience: 'News', subscribed: false },
    { audience: 'Offers', subscribed: true },
  ])
  await projectApi.delete(`audiences/${offers}`)
  expect(await services.contacts.memberships(db, project, 'ann@example.com')).toHaveLength(1)
  await projectApi.delete(`audiences/${news}/contacts/${contact.id}`)
  expect(await unsubscribe()).toBeUndefined()
})

test('others are told, in the same transaction, who joins and who leaves, and not of anything else', async () => {
  const here = await world()
  const { projectApi } = here
  const audience = await newAudience(projectApi)
  const { contacts, told, project, id } = await listening(here, audience)
  const upsert = (more: object) => contacts.upsert(project, id, { email: 'ann@example.com', ...more })
  await upsert({})
  expect(told.splice(0)).toEqual(['joined ann@example.com'])
  await upsert({ firstName: 'Ann' })
  expect(told).toEqual([])
  await contacts.update(project, actor, id, 'ann@example.com', { subscribed: false })
  expect(told.splice(0)).toEqual(['left ann@example.com unsubscribed'])
  await upsert({ lastName: 'Lee' })
  expect(told).toEqual([])
  await contacts.update(project, actor, id, 'ann@example.com', { subscribed: true })
  expect(told.splice(0)).toEqual(['joined ann@example.com'])
  await upsert({ subscribed: false })
  expect(told.splice(0)).toEqual(['left ann@example.com unsubscribed'])
  const at = new Date(Date.now() + 60_000).toISOString()
  await upsert({ consent: { at } })
  expect(told.splice(0)).toEqual(['joined ann@example.com'])
  await contacts.remove(project, actor, id, 'ann@example.com')
  expect(told.splice(0)).toEqual(['left ann@example.com contact_deleted', 'gone ann@example.com'])
})

test('when those who are told fail, nothing has happened', async () => {
  const here = await world()
  const { projectApi } = here
  const audience = await newAudience(projectApi)
  const { contacts, project, id } = await listening(here, audience, { joined: () => Promise.reject(new Error('no')) })
  await expect(contacts.upsert(project, id, { email: 'ann@example.com' })).rejects.toThrow('no')
  expect((await contactsOf(projectApi, audience)).data).toEqual([])
  expect(await countsOf(projectApi, audience)).toEqual({ total: 0, subscribed: 0, unsubscribed: 0 })
})

const actor = { type: 'operator' } as const

/** The same rooms with somebody at the door. */
async function listening({ db, services, api, projectId }: World, audience: string, more: Partial<ContactHooks> = {}) {
  const told: string[] = []
  const names = (people: readonly { email: string }[]) => people.map(({ email }) => email).join(' ')
  const hooks: ContactHooks = {
    joined: async (_tx, _project, _audience, members) => void told.push(`joined ${names(members)}`),
    left: async (_tx, _project, _audience, members, because) => void told.push(`left ${names(members)} ${because}`),
    gone: async (_tx, _project, emails) => void told.push(`gone ${emails.join(' ')}`),
    tag: async () => {},
    ...more,
  }
  const contacts = new Contacts({ db, audiences: services.audiences, hooks, clock: systemClock })
  const { accountId } = (await api.get<{ accountId: string }>(`projects/${projectId}`)).body
  const project = {
    id: decodeId('prj', projectId)!,
    workspaceId: decodeId('acc', accountId)!,
    status: 'active' as const,
  }
  return { contacts, told, project, id: decodeId('aud', audience)! }
}
