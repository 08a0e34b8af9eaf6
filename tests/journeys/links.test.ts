import { Resolver } from 'node:dns/promises'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { Parser } from 'htmlparser2'
import { expect, test } from 'vitest'
import { eventsOf, formsIn, isSubscribed, linksOf, mailed, oneClick, pathOf, submit } from '../links/link-world.ts'
import { headerOf, readMessage, type ReadPart } from '../mail/reading.ts'
import { addContact, newAudience } from '../support/audiences.ts'
import { newBroadcast, readBroadcast, sendBroadcast } from '../support/broadcasts.ts'
import { eventually } from '../support/eventually.ts'
import { mailWorld, type MailWorld } from '../support/mail-world.ts'

const PUBLIC_URL = 'https://mail.posthouse.test'

const html = `<html><body><h1>News</h1>
<a href="https://shop.example/?a=1&amp;b=2">Shop</a> <a href='mailto:a@shop.example'>Write</a> <a href="#top">Top</a>
</body></html>`

test('a marketing message lets its reader go: by its headers, which are signed, and by a link in it', async () => {
  const here = await mailWorld({ env: { PUBLIC_URL } })
  const { from, projectApi, api } = here
  const mail = await broadcast(here, { from, html, text: 'News', previewText: 'Hi {{ firstName }}' })
  const message = await arrived(here)
  const unsubscribe = /^<(https:\/\/mail\.posthouse\.test\/u\/[0-9a-z]+)>$/.exec(
    field(message, 'List-Unsubscribe'),
  )?.[1]
  expect(field(message, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
  const covered = /h=([^;]*)/.exec(field(message, 'DKIM-Signature'))![1]!.replaceAll(/\s/g, '').split(':')
  expect(covered).toEqual(expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']))
  expect(await verdict(here)).toBe('pass')
  expect(await verdict(here, (raw) => raw.replace(/(\r\nList-Unsubscribe: <https:)/, '$1x'))).toBe('fail')
  expect(await verdict(here, (raw) => raw.replace('=One-Click', '=One-Clack'))).toBe('fail')

  const [text, sent] = leavesOf(message).map(({ content }) => content.toString())
  expect(text).toContain(`Unsubscribe: ${unsubscribe}`)
  expect(sent).toContain('>Hi Ann</div><h1>News</h1>')
  // Followed only where somebody asked for it.
  expect(targetsIn(sent!)).toEqual(['https://shop.example/?a=1&b=2', 'mailto:a@shop.example', '#top', unsubscribe])

  const page = await api.with(undefined).get(pathOf(unsubscribe!))
  expect(formsIn(page.text).map(({ button }) => button)).toEqual(['Unsubscribe'])
  expect((await oneClick(api, unsubscribe!)).status).toBe(200)
  expect(await isSubscribed(projectApi, mail)).toBe(false)
  expect(await eventsOf(projectApi, mail, 'email.unsubscribed')).toHaveLength(1)
  expect(await mail.stats()).toMatchObject({ recipients: 1, delivered: 1, unsubscribed: 1, opens: 0, clicks: 0 })
})

test('opens and clicks are followed under the name of the domain, and lead where they led', async () => {
  const here = await mailWorld({ env: { PUBLIC_URL } })
  const tracking = { opens: true, clicks: true, host: 'go.follow.example' }
  await here.verifiedDomain('follow.example', here.projectApi, { tracking })
  const mail = await broadcast(here, { from: 'News <n@follow.example>', html })
  const sent = leavesOf(await arrived(here))
    .at(-1)!
    .content.toString()
  const [click, write, top, leave] = targetsIn(sent)
  expect([write, top]).toEqual(['mailto:a@shop.example', '#top'])
  expect(click).toMatch(/^https:\/\/go\.follow\.example\/t\/c\/[0-9a-z]+\?u=/)
  expect(leave).toMatch(/^https:\/\/mail\.posthouse\.test\/u\//)
  const image = /<img src="(https:\/\/go\.follow\.example\/t\/o\/[0-9a-z]+\.gif)"/.exec(sent)?.[1]
  const reader = here.api.with(undefined)
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0' }
  expect((await reader.get(pathOf(image!), { headers })).headers.get('content-type')).toBe('image/gif')
  const led = await reader.get(pathOf(click!), { headers })
  expect([led.status, led.headers.get('location')]).toEqual([302, 'https://shop.example/?a=1&b=2'])
  await eventually('both are told of', async () => {
    const events = await eventsOf(here.projectApi, mail, 'email.opened', 'email.clicked')
    return events.length === 2 && events
  })
  const leaving = await submit(here.api, formsIn((await reader.get(pathOf(leave!))).text)[0]!)
  expect(leaving.text).toContain('You are unsubscribed')
  expect(await mail.stats()).toMatchObject({ recipients: 1, delivered: 1, unsubscribed: 1, opens: 1, clicks: 1 })
})

test('a name that does not lead to us yet is not put into links', async () => {
  const here = await mailWorld({ env: { PUBLIC_URL } })
  const id = await here.verifiedDomain('late.example', here.projectApi)
  await here.projectApi.patch(`domains/${id}`, { tracking: { opens: true, clicks: true, host: 'go.late.example' } })
  await broadcast(here, { from: 'News <n@late.example>', html })
  const sent = leavesOf(await arrived(here))
    .at(-1)!
    .content.toString()
  expect(targetsIn(sent)[0]).toMatch(/^https:\/\/mail\.posthouse\.test\/t\/c\//)
})

test('mail that waits for somebody who leaves is not sent any more', async () => {
  const here = await mailWorld({ workers: 0 })
  const mail = await mailed(here, { from: here.from, html, email: 'ann@sink.test' })
  expect((await oneClick(here.api, linksOf(here).unsubscribe(mail))).status).toBe(200)
  await here.startWorker()
  const { events } = await here.becomes(mail.id, 'suppressed')
  expect(events.map(({ type }) => type)).toEqual(['email.unsubscribed', 'email.suppressed'])
  expect(here.sink.taken).toEqual([])
})

test('transactional mail has links of its own for each recipient, and no way out that it does not need', async () => {
  const here = await mailWorld({ env: { PUBLIC_URL } })
  const to = ['ann@sink.test', 'bob@sink.test']
  const id = await here.send(to[0]!, { to, html, tracking: { opens: true, clicks: true } })
  await here.becomes(id, 'delivered')
  const sent = here.sink.taken.map(({ raw }) => readMessage(raw))
  const clicks = sent.map((message) => targetsIn(leavesOf(message).at(-1)!.content.toString())[0]!)
  expect(new Set(clicks).size).toBe(2)
  for (const message of sent) expect(headerOf(message.headers, 'List-Unsubscribe')).toBeUndefined()
  for (const click of clicks) {
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0' }
    expect((await here.api.with(undefined).get(pathOf(click), { headers })).status).toBe(302)
  }
  const events = await eventually('both are told of', async () => {
    const found = await eventsOf(here.projectApi, { id }, 'email.clicked')
    return found.length === 2 && found
  })
  expect(events.map(({ recipient }) => recipient).toSorted()).toEqual(to)
})

/** Sent to the only contact of an audience. */
async function broadcast({ projectApi }: MailWorld, more: Record<string, unknown>) {
  const audience = await newAudience(projectApi)
  const contact = await addContact(projectApi, audience, 'ann@sink.test', { firstName: 'Ann' })
  const sending = await sendBroadcast(projectApi, await newBroadcast(projectApi, audience, more))
  const id = await eventually('there is an email', async () => {
    const { body } = await projectApi.get<{ data: { id: string }[] }>('emails?to=ann@sink.test')
    return body.data[0]?.id
  })
  return { id, audience, contact, stats: async () => (await readBroadcast(projectApi, sending)).stats }
}

/** The only message that came. */
async function arrived({ sink }: MailWorld): Promise<ReadPart> {
  const { raw } = await eventually('a message came', () => sink.taken[0])
  return readMessage(raw)
}

const field = ({ headers }: ReadPart, name: string): string => headerOf(headers, name) ?? ''

const leavesOf = (part: ReadPart): ReadPart[] => (part.parts.length === 0 ? [part] : part.parts.flatMap(leavesOf))

function targetsIn(sent: string): string[] {
  const targets: string[] = []
  const parser = new Parser({ onopentag: (name, { href = '' }) => void (name === 'a' && targets.push(href)) })
  parser.end(sent)
  return targets
}

async function verdict({ sink, dns }: MailWorld, alter = (raw: string) => raw): Promise<string> {
  const resolver = new Resolver()
  resolver.setServers([dns.address])
  const raw = Buffer.from(alter(sink.taken[0]!.raw.toString('latin1')), 'latin1')
  const ask = (name: string, type: string) => resolver.resolve(name, type) as Promise<string[][]>
  const { results } = await dkimVerify(raw, { strict: true, resolver: ask })
  return results[0]!.status.result
}
