import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { addContact, newAudience } from '../support/audiences.ts'
import { newBroadcast, sendBroadcast } from '../support/broadcasts.ts'
import { publish, type ShownDomain } from '../support/domains.ts'
import { eventually } from '../support/eventually.ts'
import { mailWorld, type MailWorld } from '../support/mail-world.ts'

const rawOf = ({ projectApi }: MailWorld, id: string, query = '') => projectApi.get(`emails/${id}/raw${query}`)

const takenBy = ({ sink }: MailWorld, to: string): string => sink.taken.find((one) => one.to === to)!.raw.toString()

test('the message that can be downloaded is the one that the mail host got, for every recipient byte for byte', async () => {
  const here = await mailWorld()
  const { send, becomes } = here
  const id = await send('Ann <ann@sink.test>', {
    cc: 'bob@sink.test',
    bcc: 'cy@sink.test',
    subject: 'Ärger mit Łódź',
    html: '<p>Hello <a href="https://example.com/">there</a>.</p>',
    headers: { 'X-Order': '4711' },
    attachments: [{ filename: 'größe.txt', content: Buffer.from('attached').toString('base64') }],
    tracking: { opens: true, clicks: true },
    inReplyTo: '<a@b.example>',
  })
  await becomes(id, 'delivered')
  for (const [to, named] of [
    ['ann@sink.test', `${id}/raw`],
    ['bob@sink.test', `${id}.2/raw`],
    ['cy@sink.test', `${id}/raw?recipient=CY@sink.test`],
  ] as const) {
    const reply = await here.projectApi.get(`emails/${named}`)
    expect(reply.status).toBe(200)
    expect(reply.text).toBe(takenBy(here, to))
    expect(reply.text).toContain('DKIM-Signature: ')
    expect(reply.headers.get('content-type')).toBe('message/rfc822')
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="em_\w+(\.\d+)?\.eml"$/)
    expect(reply.headers.get('x-key-rotated')).toBeNull()
  }
  const nobody = await rawOf(here, id, '?recipient=dan@sink.test')
  expect(nobody).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await rawOf(here, id, '?recipient=dan')).status).toBe(400)
})

test('a message can be looked at before it leaves, and leaves like that', async () => {
  const here = await mailWorld()
  const { send, becomes, advance } = here
  const large = Buffer.alloc(400_000, 'x').toString('base64')
  const sendAt = new Date(Date.now() + 600_000).toISOString()
  const id = await send('ann@sink.test', { sendAt, attachments: [{ filename: 'a.bin', content: large }] })
  const before = (await rawOf(here, id)).text
  await advance({ minutes: 11 })
  await becomes(id, 'delivered')
  expect(takenBy(here, 'ann@sink.test')).toBe(before)
})

test('mail of a broadcast is downloaded as its recipient got it, with the links that are theirs', async () => {
  const here = await mailWorld()
  const { projectApi, from } = here
  const audience = await newAudience(projectApi)
  await addContact(projectApi, audience, 'ann@sink.test', { firstName: 'Ann' })
  const draft = await newBroadcast(projectApi, audience, { subject: 'For {{ firstName }}', html: '<p>News</p>', from })
  await sendBroadcast(projectApi, draft)
  const { data } = await eventually('it is delivered', async () => {
    const { body } = await projectApi.get<{ data: { id: string }[] }>(`emails?broadcastId=${draft.id}&status=delivered`)
    return body.data.length > 0 && body
  })
  const { text } = await rawOf(here, data[0]!.id)
  expect(text).toBe(takenBy(here, 'ann@sink.test'))
  expect(text).toContain('List-Unsubscribe: ')
})

test('when the key of the domain is another one by now, the download says so', async () => {
  const here = await mailWorld()
  const { send, becomes, dns, projectApi, advance } = here
  const id = await send('ann@sink.test')
  await becomes(id, 'delivered')
  const [{ id: domain }] = (await projectApi.get<{ data: [ShownDomain] }>('domains')).body.data
  const rotated = (await projectApi.post<ShownDomain>(`domains/${domain}/rotate-dkim`)).body
  expect((await rawOf(here, id)).headers.get('x-key-rotated')).toBeNull()
  const known = new Set(Object.keys(dns.zones))
  publish(
    dns.zones,
    rotated.records.filter(({ name, purpose }) => purpose === 'dkim' && !known.has(name)),
  )
  expect((await projectApi.post<ShownDomain>(`domains/${domain}/verify`)).body.status).toBe('verified')
  expect((await rawOf(here, id)).headers.get('x-key-rotated')).toBe('true')
  await advance({ seconds: 40 })
  const after = await send('bob@sink.test')
  await becomes(after, 'delivered')
  expect((await rawOf(here, after)).headers.get('x-key-rotated')).toBeNull()
})

test('once what it says is forgotten there is nothing to download', async () => {
  const here = await mailWorld()
  const id = await here.send('ann@sink.test')
  await here.becomes(id, 'delivered')
  await here.db.run(sql`update contents set html = null, text = null, purged_at = clock_now()`)
  expect(await rawOf(here, id)).toMatchObject({ status: 409, body: { code: 'invalid_state', state: 'purged' } })
})
