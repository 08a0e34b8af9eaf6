import { expect, test } from 'vitest'
import { soon } from '../jobs/world.ts'
import { eventsOf, linksOf, mailed, pathOf } from '../links/link-world.ts'
import type { Client } from '../support/client.ts'
import { accepted, created, world, type World } from '../support/world.ts'

const secret = 'Your code is 481516'

interface Seen {
  id: string
  subject: string
  contentHidden: boolean
}

async function keyWith({ api }: World, contentAccess: string): Promise<Client> {
  const body = { name: 'x', scopes: ['email:send', 'api-keys:write'], contentAccess }
  return api.with(created(await api.post<{ secret: string }>('api-keys', body)).secret)
}

async function sent(client: Client, project: string): Promise<string> {
  const email = {
    from: 'sandbox@sandbox.posthouse.test',
    to: 'delivered@simulator.posthouse.test',
    subject: secret,
    html: `<p>${secret}</p>`,
    text: secret,
    headers: { 'X-Code': secret },
    attachments: [{ filename: `${secret}.txt`, content: 'YQ==' }],
    metadata: { order: '7' },
  }
  const reply = await client.post<{ id: string }>('email/send', email, { 'X-Service-Project-ID': project })
  return accepted(reply).id
}

test.each(['own', 'none'])(
  'a key with contentAccess %s reads the status of all mail, and not what it says',
  async (access) => {
    const place = await world()
    const [key, other] = [await keyWith(place, access), await keyWith(place, 'all')]
    const id = await sent(other, place.projectId)
    const read = await key.get<Seen>(`emails/${id}`)
    expect(read.body).toMatchObject({ id, status: 'queued', contentHidden: true, metadata: { order: '7' } })
    expect(read.text).not.toContain('481516')
    const listed = await key.get<{ data: Seen[] }>('emails')
    expect(listed.body.data).toMatchObject([{ id, contentHidden: true }])
    expect(listed.text).not.toContain('481516')
    const inTime = new Date(Date.now() + 3_600_000).toISOString()
    for (const move of [key.post(`emails/${id}/cancel`), key.post(`emails/${id}/reschedule`, { sendAt: inTime })]) {
      expect((await move).text).not.toContain('481516')
    }
  },
)

test('a key reads what it sent itself unless it may see nothing, and one with all reads everything', async () => {
  const place = await world()
  const content = { subject: secret, html: `<p>${secret}</p>`, text: secret, contentHidden: false }
  for (const [access, shown] of [
    ['all', true],
    ['own', true],
    ['none', false],
  ] as const) {
    const key = await keyWith(place, access)
    const id = await sent(key, place.projectId)
    const { body } = await key.get<Seen>(`emails/${id}`)
    if (shown) expect(body, access).toMatchObject(content)
    else expect(body, access).toMatchObject({ subject: '', html: null, text: null, headers: {}, attachments: [] })
    expect((await place.api.get<Seen>(`emails/${id}`)).body, access).toMatchObject(content)
  }
})

test('no key makes one that sees more than itself, and what is not said is inherited', async () => {
  const place = await world()
  const accesses = ['all', 'own', 'none']
  for (const [width, access] of accesses.entries()) {
    const maker = await keyWith(place, access)
    for (const [wanted, contentAccess] of accesses.entries()) {
      const reply = await maker.post('api-keys', { name: 'x', scopes: ['email:send'], contentAccess })
      expect(reply.status, `${access} makes ${contentAccess}`).toBe(wanted < width ? 403 : 201)
    }
    const { body } = await maker.post('api-keys', { name: 'x', scopes: ['email:send'] })
    expect(body['contentAccess']).toBe(access)
  }
})

test('where a clicked link leads is content', async () => {
  const place = await world()
  const [other, none] = [await keyWith(place, 'own'), await keyWith(place, 'none')]
  const target = 'https://example.com/reset?token=481516'
  const mail = await mailed(place, { tracking: { opens: true, clicks: true } })
  const links = linksOf(place)
  for (const url of [links.open(mail), links.click(mail, target)]) {
    await place.api
      .with(undefined)
      .request('GET', pathOf(url!), { headers: { 'user-agent': 'Mozilla/5.0 Firefox/128.0' } })
  }
  const details = async (client: Client) =>
    (await eventsOf(client, mail, 'email.opened', 'email.clicked')).map(({ type, detail }) => [type, detail]).toSorted()
  await expect
    .poll(() => details(place.api), soon)
    .toEqual([
      ['email.clicked', target],
      ['email.opened', 'Opened'],
    ])
  for (const key of [other, none]) {
    expect(await details(key)).toEqual([
      ['email.clicked', ''],
      ['email.opened', 'Opened'],
    ])
  }
})
