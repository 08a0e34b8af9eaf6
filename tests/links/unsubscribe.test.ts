import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { addContact, countsOf, newAudience } from '../support/audiences.ts'
import { send } from '../support/emails.ts'
import { world } from '../support/world.ts'
import { eventsOf, formsIn, isSubscribed, linksOf, mailed, oneClick, pathOf, submit } from './link-world.ts'
import { decodeId } from '../../src/core/ids.ts'

const UNSUBSCRIBED = 'email.unsubscribed'

test('the page asks in the name of the project, and looking at it changes nothing', async () => {
  const here = await world()
  const { projectApi, projectId, api } = here
  await api.patch(`projects/${projectId}`, { name: 'Allotment & <Sons>' })
  const mail = await mailed(here, { audience: await newAudience(projectApi, 'Seeds "weekly"') })
  const path = pathOf(linksOf(here).unsubscribe(mail))
  const stranger = api.with(undefined)
  const { status, text, headers } = await stranger.get(path)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(text).toContain('Allotment &#38; &#60;Sons&#62;')
  expect(text).toContain('Seeds &#34;weekly&#34;')
  expect(text).toContain(mail.contact.email)
  expect(formsIn(text).map(({ button, method }) => [button, method])).toEqual([['Unsubscribe', 'post']])
  for (const ahead of [path, `${path}?utm_source=x`, `${path}/preferences`]) {
    expect((await stranger.get(ahead, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(200)
    expect((await stranger.request('HEAD', ahead)).status).toBe(200)
  }
  expect(await isSubscribed(projectApi, mail)).toBe(true)
  expect(await eventsOf(projectApi, mail, UNSUBSCRIBED)).toEqual([])
  expect(await here.db.all(sql`select from engagements`)).toEqual([])
})

test('pages need nothing but themselves, keep their address to themselves and can be used by everybody', async () => {
  const here = await world()
  const mail = await mailed(here)
  const path = pathOf(linksOf(here).unsubscribe(mail))
  for (const at of [path, `${path}/preferences`, `${path}x`]) {
    const { text, headers } = await here.api.with(undefined).get(at)
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('set-cookie')).toBeNull()
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(text).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">')
    expect(text.match(/<h1>/g)).toHaveLength(1)
    expect(text).not.toMatch(/<script|https?:\/\/|<img|<link|@import|url\(/i)
    // What may be shown without being asked for is what the policy has the hash of.
    expect(text.match(/ style=/g)).toBeNull()
  }
})

test('every colour of the pages can be read on its ground, by day and by night', () => {
  const css = readFileSync(new URL('../../src/links/page.css', import.meta.url), 'utf8')
  const [day, night] = css.split('@media (prefers-color-scheme: dark)')
  const colours = (part: string) =>
    Object.fromEntries([...part.matchAll(/--([\w-]+): (#\w+)/g)].map(([, k, v]) => [k, v!]))
  for (const theme of [colours(day!), colours(night!.slice(0, night!.indexOf('* {')))]) {
    const { ground, card, ink, quiet, accent, 'on-accent': onAccent } = theme as Record<string, string>
    for (const [front, back] of [
      [ink, card],
      [ink, ground],
      [quiet, card],
      [accent, card],
      [onAccent, accent],
    ]) {
      expect(contrast(front!, back!), `${front} on ${back}`).toBeGreaterThan(4.5)
    }
  }
})

test.each([
  ['a form', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  ['a form with a charset', 'application/x-www-form-urlencoded; charset=UTF-8', 'List-Unsubscribe=One-Click&x=1'],
  ['a form in parts', 'multipart/form-data; boundary=b', multipart('List-Unsubscribe', 'One-Click')],
])('one click unsubscribes at once, without a page or a cookie: %s', async (_, type, body) => {
  const here = await world()
  const { projectApi, api } = here
  const mail = await mailed(here)
  const path = pathOf(linksOf(here).unsubscribe(mail))
  const answer = await api.with(undefined).request('POST', path, { headers: { 'content-type': type }, body })
  expect([answer.status, answer.text]).toEqual([200, 'Unsubscribed.\n'])
  expect(answer.headers.get('set-cookie')).toBeNull()
  expect(await isSubscribed(projectApi, mail)).toBe(false)
  expect(await countsOf(projectApi, mail.audience)).toEqual({ total: 1, subscribed: 0, unsubscribed: 1 })
  expect(await eventsOf(projectApi, mail, UNSUBSCRIBED)).toMatchObject([
    {
      recipient: mail.contact.email,
      detail: 'Unsubscribed from Readers by one click in the mail program.',
    },
  ])
})

test('fifty clicks at once are one, and so are all that follow', async () => {
  const here = await world()
  const mail = await mailed(here)
  const url = linksOf(here).unsubscribe(mail)
  const answers = await Promise.all(Array.from({ length: 50 }, () => oneClick(here.api, url)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await oneClick(here.api, url)).status).toBe(200)
  expect(await eventsOf(here.projectApi, mail, UNSUBSCRIBED)).toHaveLength(1)
  const audits = await here.db.all(
    sql<{ actor: string }>`select actor from audit_log where action = 'contact.unsubscribed'`,
  )
  expect(audits).toEqual([{ actor: 'recipient' }])
})

test('the button unsubscribes, and the next one takes it back', async () => {
  const here = await world()
  const { projectApi, api } = here
  const mail = await mailed(here)
  const { text } = await api.with(undefined).get(pathOf(linksOf(here).unsubscribe(mail)))
  const left = await submit(api, formsIn(text)[0]!)
  expect(left.status).toBe(200)
  expect(left.text).toContain('You are unsubscribed')
  expect(await isSubscribed(projectApi, mail)).toBe(false)
  const [back] = formsIn(left.text)
  expect(back!.button).toBe('Subscribe again')
  const returned = await submit(api, back!)
  expect(formsIn(returned.text)[0]!.button).toBe('Unsubscribe')
  expect(await isSubscribed(projectApi, mail)).toBe(true)
  const path = `audiences/${mail.audience}/contacts/${mail.contact.id}`
  const { consent } = (await projectApi.get<{ consent: Record<string, string> }>(path)).body
  expect(consent).toMatchObject({ source: 'the unsubscribe page', at: expect.stringMatching(/^\d{4}-/) })
  // Of each mail it is told once.
  await submit(api, formsIn(returned.text)[0]!)
  expect(await isSubscribed(projectApi, mail)).toBe(false)
  expect(await eventsOf(projectApi, mail, UNSUBSCRIBED)).toHaveLength(1)
})

test('whoever has left already is not said to leave again', async () => {
  const here = await world()
  const mail = await mailed(here)
  await here.projectApi.patch(`audiences/${mail.audience}/contacts/${mail.contact.id}`, { subscribed: false })
  expect((await oneClick(here.api, linksOf(here).unsubscribe(mail))).status).toBe(200)
  expect(await eventsOf(here.projectApi, mail, UNSUBSCRIBED)).toEqual([])
})

test('people choose among the audiences that they are in, and no other project shows', async () => {
  const here = await world()
  const { projectApi, api } = here
  const [seeds, tools] = [await newAudience(projectApi, 'Seeds'), await newAudience(projectApi, 'Tools')]
  const mail = await mailed(here, { audience: seeds })
  const inTools = await addContact(projectApi, tools, mail.contact.email)
  await newAudience(projectApi, 'Never joined')
  const foreign = await here.clientWith({ scopes: ['*'], projectId: await here.newProject() })
  await addContact(foreign, await newAudience(foreign, 'Elsewhere'), mail.contact.email)
  const url = `${linksOf(here).preferences(mail)}`
  const [form] = formsIn((await api.with(undefined).get(pathOf(url))).text)
  expect(form!.boxes).toMatchObject([
    { label: 'Seeds', checked: true },
    { label: 'Tools', checked: true },
  ])
  const untick = (value: string) => form!.fields.filter(([name, given]) => name !== 'keep' || given !== value)
  const saved = await submit(api, { ...form!, fields: untick(inTools.id) })
  expect(saved.text).toContain('Saved.')
  expect(formsIn(saved.text)[0]!.boxes.map(({ checked }) => checked)).toEqual([true, false])
  expect(await isSubscribed(projectApi, { audience: tools, contact: inTools })).toBe(false)
  expect(await isSubscribed(projectApi, mail)).toBe(true)
  expect(await eventsOf(projectApi, mail, UNSUBSCRIBED)).toMatchObject([
    { detail: 'Unsubscribed from Tools by the preference page.' },
  ])
  // And back, all of it.
  const all = await submit(api, form!)
  expect(formsIn(all.text)[0]!.boxes.map(({ checked }) => checked)).toEqual([true, true])
  expect(await isSubscribed(projectApi, { audience: tools, contact: inTools })).toBe(true)
})

test('what was not on the page when it was shown stays as it is', async () => {
  const here = await world()
  const { projectApi, api } = here
  const mail = await mailed(here)
  const url = linksOf(here).preferences(mail)
  const [form] = formsIn((await api.with(undefined).get(pathOf(url))).text)
  const later = await newAudience(projectApi, 'Later')
  const contact = await addContact(projectApi, later, mail.contact.email)
  await submit(api, { ...form!, fields: form!.fields.filter(([name]) => name === 'shown') })
  expect(await isSubscribed(projectApi, mail)).toBe(false)
  expect(await isSubscribed(projectApi, { audience: later, contact })).toBe(true)
})

test('nobody is moved who is not the recipient', async () => {
  const here = await world()
  const { projectApi, api } = here
  const mail = await mailed(here)
  const other = await addContact(projectApi, mail.audience, 'bob@simulator.posthouse.test')
  const action = `${pathOf(linksOf(here).preferences(mail))}`
  const [form] = formsIn((await api.with(undefined).get(action)).text)
  await submit(api, { ...form!, fields: [...form!.fields, ['shown', other.id]] })
  expect(await isSubscribed(projectApi, { audience: mail.audience, contact: other })).toBe(true)
  await projectApi.patch(`audiences/${mail.audience}/contacts/${other.id}`, { subscribed: false })
  await submit(api, { ...form!, fields: [...form!.fields, ['shown', other.id], ['keep', other.id]] })
  expect(await isSubscribed(projectApi, { audience: mail.audience, contact: other })).toBe(false)
})

test('a contact that is gone has nothing left to do', async () => {
  const here = await world()
  const { projectApi, api } = here
  const mail = await mailed(here)
  await projectApi.delete(`audiences/${mail.audience}/contacts/${mail.contact.id}`)
  const url = linksOf(here).unsubscribe(mail)
  for (const path of [pathOf(url), `${pathOf(url)}/preferences`]) {
    const { status, text } = await api.with(undefined).get(path)
    expect([status, formsIn(text)]).toEqual([200, []])
    expect(text).toContain('You are not on this list any more')
  }
  expect((await oneClick(api, url)).status).toBe(200)
  expect(await eventsOf(projectApi, mail, UNSUBSCRIBED)).toEqual([])
})

test('a mail that went to no contact says so', async () => {
  const here = await world()
  const { id } = await send(here.projectApi)
  const url = linksOf(here).unsubscribe({ emailId: decodeId('em', id)!, position: 0, trackingHost: null })
  const { status, text } = await here.api.with(undefined).get(pathOf(url))
  expect(status).toBe(200)
  expect(text).toContain('This was a test message')
  expect((await oneClick(here.api, url)).status).toBe(200)
})

test('an archived project still lets people go', async () => {
  const here = await world()
  const mail = await mailed(here)
  await here.api.delete(`projects/${here.projectId}`)
  expect((await oneClick(here.api, linksOf(here).unsubscribe(mail))).status).toBe(200)
  expect(await here.db.one(sql`select subscribed from contacts`)).toEqual({ subscribed: false })
})

test.each([
  ['nothing', undefined, undefined],
  ['something else', 'application/x-www-form-urlencoded', 'List-Unsubscribe=No'],
  ['another form', 'application/x-www-form-urlencoded', 'action=delete'],
  ['JSON', 'application/json', '{"List-Unsubscribe":"One-Click"}'],
  ['broken parts', 'multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data'],
  ['parts without a boundary', 'multipart/form-data', multipart('List-Unsubscribe', 'One-Click')],
  ['bytes', 'application/octet-stream', '\u0000\u0001'],
])('a post that asks for nothing changes nothing: %s', async (_, type, body) => {
  const here = await world()
  const mail = await mailed(here)
  const path = pathOf(linksOf(here).unsubscribe(mail))
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
  for (const at of [path, `${path}/preferences`]) {
    const answer = await here.api.with(undefined).request('POST', at, { headers, body })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('Nothing was changed')])
  }
  expect(await isSubscribed(here.projectApi, mail)).toBe(true)
})

test('a form that has no end is not read', async () => {
  const here = await world()
  const mail = await mailed(here)
  const path = pathOf(linksOf(here).unsubscribe(mail))
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = `List-Unsubscribe=One-Click&x=${'x'.repeat(100_000)}`
  expect((await here.api.with(undefined).request('POST', path, { headers, body })).status).toBe(413)
  expect(await isSubscribed(here.projectApi, mail)).toBe(true)
})

function multipart(name: string, value: string): string {
  return `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`
}

/** WCAG 2.2, 1.4.3. */
function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

function luminance(colour: string): number {
  const hex = colour.length === 4 ? colour.replaceAll(/[0-9a-f]/g, '$&$&') : colour
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
