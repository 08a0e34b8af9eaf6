import { expect, test } from 'vitest'
import { addContact, newAudience, type Listed } from '../support/audiences.ts'
import { newBroadcast, readBroadcast, sendBroadcast } from '../support/broadcasts.ts'
import type { Client } from '../support/client.ts'
import { at } from '../support/emails.ts'
import { eventually } from '../support/eventually.ts'
import { mailWorld, type MailWorld } from '../support/mail-world.ts'

interface RecipientSeen {
  contactId: string
  email: string | null
  status: string
  emailId: string | null
  opens: number
  clicks: number
  updatedAt: string
  [field: string]: unknown
}

/** Every page of it. */
async function recipients(client: Client, { id }: { id: string }, query = '', limit = 2): Promise<RecipientSeen[]> {
  const found: RecipientSeen[] = []
  for (let cursor = ''; ;) {
    const { body, status, text } = await client.get<Listed<RecipientSeen>>(
      `broadcasts/${id}/recipients?limit=${limit}&${query}${cursor}`,
    )
    expect(status, text).toBe(200)
    expect(body.data.length).toBeLessThanOrEqual(limit)
    found.push(...body.data)
    if (body.nextCursor === null) return found
    cursor = `&cursor=${body.nextCursor}`
  }
}

/** What became of each address, in the order of the addresses. */
const outcomes = (found: readonly RecipientSeen[]): [string, string, boolean][] =>
  found
    .map(({ email, status, emailId }): [string, string, boolean] => [email ?? '', status, emailId !== null])
    .toSorted(([one], [other]) => (one < other ? -1 : 1))

async function sentToEveryKind({ projectApi }: MailWorld) {
  const audience = await newAudience(projectApi)
  const names = ['delivered', 'bounced', 'complained', 'unsubscribed', 'listed', 'both', 'delivered+2']
  for (const name of names) await addContact(projectApi, audience, at(name))
  for (const name of ['unsubscribed', 'both']) {
    await projectApi.patch(`audiences/${audience}/contacts/${at(name)}`, { subscribed: false })
  }
  for (const name of ['listed', 'both']) await projectApi.post('suppressions', { email: at(name) })
  const broadcast = await sendBroadcast(projectApi, await newBroadcast(projectApi, audience))
  await eventually('the broadcast is sent', async () => (await readBroadcast(projectApi, broadcast)).status === 'sent')
  return { audience, broadcast }
}

test('everybody who was in the audience at the start is told of, those left out too', async () => {
  const here = await mailWorld({ bare: true })
  const { projectApi } = here
  const { audience, broadcast } = await sentToEveryKind(here)
  await addContact(projectApi, audience, at('late'))
  const everybody = await recipients(projectApi, broadcast)
  expect(outcomes(everybody)).toEqual([
    [at('both'), 'unsubscribed', false],
    [at('bounced'), 'bounced', true],
    [at('complained'), 'filteredspam', true],
    [at('delivered+2'), 'delivered', true],
    [at('delivered'), 'delivered', true],
    [at('listed'), 'suppressed', false],
    [at('unsubscribed'), 'unsubscribed', false],
  ])
  const explained = everybody.filter(({ explanation }) => explanation !== null).map(({ email }) => email)
  expect(explained.toSorted()).toEqual([at('bounced'), at('complained')])
  expect(everybody.find(({ email }) => email === at('bounced'))).toMatchObject({ explanation: { cause: 'recipient' } })
  const { stats } = await readBroadcast(projectApi, broadcast)
  expect(stats.recipients).toBe(everybody.filter(({ emailId }) => emailId !== null).length)
  for (const status of new Set([...everybody.map((one) => one.status), 'queued', 'deferred', 'cancelled', 'failed'])) {
    const expected = everybody.filter((one) => one.status === status)
    expect(outcomes(await recipients(projectApi, broadcast, `status=${status}`, 1)), status).toEqual(outcomes(expected))
  }
})

test('one of them is found by the address, in any case, however the contact is called by now', async () => {
  const here = await mailWorld({ bare: true })
  const { projectApi } = here
  const { audience, broadcast } = await sentToEveryKind(here)
  const find = async (email: string, more = '') =>
    outcomes(await recipients(projectApi, broadcast, `email=${encodeURIComponent(email)}${more}`))
  expect(await find('BOUNCED@simulator.posthouse.test')).toEqual([[at('bounced'), 'bounced', true]])
  expect(await find(at('listed'))).toEqual([[at('listed'), 'suppressed', false]])
  expect(await find(at('bounced'), '&status=delivered')).toEqual([])
  expect(await find(at('nobody'))).toEqual([])
  await projectApi.delete(`audiences/${audience}/contacts/${at('bounced')}`)
  expect(await find(at('bounced'))).toEqual([[at('bounced'), 'bounced', true]])
})

test('while it waits, is cancelled, or its contact goes, everybody is still somewhere', async () => {
  const here = await mailWorld({ bare: true })
  const { projectApi } = here
  const audience = await newAudience(projectApi)
  for (const name of ['ann', 'bob', 'cleo']) await addContact(projectApi, audience, at(name))
  const draft = await newBroadcast(projectApi, audience, { throttle: { perMinute: 1 } })
  expect(await recipients(projectApi, draft)).toEqual([])
  const broadcast = await sendBroadcast(projectApi, draft)
  const delivered = () => recipients(projectApi, broadcast, 'status=delivered')
  await eventually('the first one has it', async () => (await delivered()).length === 1)
  expect(outcomes(await recipients(projectApi, broadcast))).toEqual([
    [at('ann'), 'delivered', true],
    [at('bob'), 'queued', false],
    [at('cleo'), 'queued', false],
  ])
  expect(await recipients(projectApi, broadcast, 'status=queued')).toHaveLength(2)
  await projectApi.post(`broadcasts/${broadcast.id}/cancel`)
  const cancelled = () => recipients(projectApi, broadcast, 'status=cancelled')
  await eventually('the others are cancelled', async () => (await cancelled()).length === 2)
  expect((await readBroadcast(projectApi, broadcast)).stats).toMatchObject({ delivered: 1, cancelled: 2 })
})

test('the file has the same people, and nothing in it is run by a spreadsheet', async () => {
  const here = await mailWorld({ bare: true })
  const { projectApi } = here
  const audience = await newAudience(projectApi)
  for (const name of ['=cmd', 'bounced']) await addContact(projectApi, audience, at(name))
  await projectApi.post('suppressions', { email: at('=cmd') })
  const broadcast = await sendBroadcast(projectApi, await newBroadcast(projectApi, audience))
  await eventually('the broadcast is sent', async () => (await readBroadcast(projectApi, broadcast)).status === 'sent')
  const file = await projectApi.get(`broadcasts/${broadcast.id}/recipients/export`)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(file.headers.get('content-disposition')).toContain(`${broadcast.id}-recipients.csv`)
  const [head, ...lines] = file.text.trimEnd().split('\r\n')
  expect(head).toMatch(/^contactId,email,status,emailId,/)
  expect(lines.map((line) => line.split(',').slice(1, 3)).toSorted()).toEqual([
    [`'${at('=cmd')}`, 'suppressed'],
    [at('bounced'), 'bounced'],
  ])
  const some = await projectApi.get(`broadcasts/${broadcast.id}/recipients/export?format=ndjson&status=bounced`)
  expect(
    some.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(await recipients(projectApi, broadcast, 'status=bounced'))
  const log = await projectApi.get<{ data: { action: string }[] }>(`audit-log?subject=${broadcast.id}`)
  expect(log.body.data.filter(({ action }) => action === 'broadcast.exported')).toHaveLength(2)
})

test('a cursor of another list, or of another filter, is refused', async () => {
  const here = await mailWorld({ bare: true })
  const { projectApi } = here
  const { broadcast } = await sentToEveryKind(here)
  const first = await projectApi.get<Listed<RecipientSeen>>(`broadcasts/${broadcast.id}/recipients?limit=1`)
  const foreign = await projectApi.get<Listed<object>>('emails?limit=1')
  for (const cursor of [foreign.body.nextCursor, 'x', `${first.body.nextCursor}A`, '']) {
    const reply = await projectApi.get(`broadcasts/${broadcast.id}/recipients?cursor=${cursor}`)
    expect(reply, `${cursor}`).toMatchObject({ status: 400, body: { code: 'validation_error' } })
  }
})
