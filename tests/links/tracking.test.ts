import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startApi } from '../../src/app/api.ts'
import { createLogger } from '../../src/process/logger.ts'
import { signClick } from '../../src/core/mail-reference.ts'
import { sql } from '../../src/storage/sql.ts'
import { eventually } from '../support/eventually.ts'
import { verifiedDomain, worldWithDns } from '../support/domains.ts'
import { tenants, world, type Tenant } from '../support/world.ts'
import { eventsOf, keysOf, linksOf, mailed, pathOf, type Mailed } from './link-world.ts'

const tenant = tenants()

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
const GMAIL = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'
const APPLE = 'Mozilla/5.0'

const tracked = (here: Tenant) => mailed(here, { tracking: { opens: true, clicks: true } })

const follow = (here: Tenant, url: string | undefined, agent = BROWSER, method = 'GET') =>
  here.api.with(undefined).request(method, pathOf(url!), { headers: { 'user-agent': agent } })

/** What was counted for a mail, once it is as many. */
const counted = (here: Tenant, { emailId }: Mailed, total: number) =>
  eventually(`${total} counted`, async () => {
    const counts = await here.db.maybeOne(sql<Record<string, number>>`
      select opens, clicks, machine_opens as "machineOpens", machine_clicks as "machineClicks"
        from engagements where email_id = ${emailId}`)
    return counts && Object.values(counts).reduce((sum, n) => sum + n, 0) === total && counts
  })

test('an open is an image that nobody sees; all are counted and the first is told of', async () => {
  const here = await tenant()
  const mail = await tracked(here)
  const url = linksOf(here).open(mail)
  for (const agent of [BROWSER, GMAIL, BROWSER]) {
    const { status, headers } = await follow(here, url, agent)
    expect([status, headers.get('content-type'), headers.get('content-length')]).toEqual([200, 'image/gif', '42'])
    expect(headers.get('cache-control')).toBe('no-store, private')
    expect(headers.get('set-cookie')).toBeNull()
  }
  expect(await counted(here, mail, 3)).toMatchObject({ opens: 3, machineOpens: 0 })
  expect(await eventsOf(here.projectApi, mail, 'email.opened')).toMatchObject([
    { recipient: mail.contact.email, detail: 'Opened' },
  ])
  await follow(here, url)
  await counted(here, mail, 4)
  expect(await eventsOf(here.projectApi, mail, 'email.opened')).toHaveLength(1)
})

const visitors: [agent: string, method: string, isPerson: boolean, detail: string][] = [
  [GMAIL, 'GET', true, 'Opened (Gmail image proxy)'],
  [
    'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
    'GET',
    true,
    'Opened (Yahoo image proxy)',
  ],
  ['Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko)', 'GET', true, 'Opened'],
  [APPLE, 'GET', false, 'Opened (Apple Mail Privacy Protection, not counted as a person)'],
  [BROWSER, 'HEAD', false, 'Opened (Only asked whether it is there, not counted as a person)'],
  ['', 'GET', false, 'Opened (Without a user agent, not counted as a person)'],
  ['Barracuda Sentinel (EE)', 'GET', false, 'Opened (Link scanner, not counted as a person)'],
  ['Googlebot/2.1 (+http://www.google.com/bot.html)', 'GET', false, 'Opened (Robot, not counted as a person)'],
]

test('people are told apart from what fetches without them', async () => {
  const here = await tenant()
  const { endpoint, told } = await listener(here)
  const mails = await Promise.all(visitors.map(() => tracked(here)))
  for (const [i, [agent, method]] of visitors.entries()) {
    expect((await follow(here, linksOf(here).open(mails[i]!), agent, method)).status).toBe(200)
  }
  for (const [i, [agent, , isPerson, detail]] of visitors.entries()) {
    const mail = mails[i]!
    const counts = await counted(here, mail, 1)
    expect(counts, agent).toMatchObject(isPerson ? { opens: 1, machineOpens: 0 } : { opens: 0, machineOpens: 1 })
    expect(await eventsOf(here.projectApi, mail, 'email.opened')).toMatchObject([{ detail }])
  }
  const people = visitors.filter(([, , isPerson]) => isPerson)
  expect((await told(endpoint)).map(({ payload }) => payload['detail']).toSorted()).toEqual(
    people.map(([, , , detail]) => detail).toSorted(),
  )
})

test('a person who opens after a machine has done so is told of', async () => {
  const here = await tenant()
  const mail = await tracked(here)
  await follow(here, linksOf(here).open(mail), APPLE)
  await counted(here, mail, 1)
  await follow(here, linksOf(here).open(mail))
  expect(await counted(here, mail, 2)).toMatchObject({ opens: 1, machineOpens: 1 })
  expect((await eventsOf(here.projectApi, mail, 'email.opened')).map(({ detail }) => detail)).toEqual([
    'Opened (Apple Mail Privacy Protection, not counted as a person)',
    'Opened',
  ])
})

const targets = [
  'https://example.com',
  'https://example.com/x?a=1&b=2#part',
  'HTTP://Example.COM/%7Euser/../x//y?q=a+b%20c%2Bd&u=https%3A%2F%2Fe.com',
  'https://user:pass@example.com:8443/;p=1?x[]="quoted"&<>',
  'https://example.com/?next=//evil.example\\@x',
]

test('a click leads to exactly the target', async () => {
  const here = await tenant()
  const mails = await Promise.all(targets.map(() => tracked(here)))
  for (const [i, target] of targets.entries()) {
    const { status, headers, text } = await follow(here, linksOf(here).click(mails[i]!, target))
    expect([status, headers.get('location'), text]).toEqual([302, target, ''])
  }
  for (const [i, detail] of targets.entries()) {
    expect(await counted(here, mails[i]!, 1)).toMatchObject({ clicks: 1 })
    expect(await eventsOf(here.projectApi, mails[i]!, 'email.clicked')).toMatchObject([{ detail }])
  }
})

test('what no header can hold is asked for as a browser would', async () => {
  const here = await tenant()
  const mail = await tracked(here)
  const { status, headers } = await follow(here, linksOf(here).click(mail, 'https://exämple.com/ü b?ß=€'))
  expect([status, headers.get('location')]).toEqual([302, 'https://xn--exmple-cua.com/%C3%BC%20b?%C3%9F=%E2%82%AC'])
})

test('nobody is led anywhere that we did not sign, nor to anything but the web', async () => {
  const here = await world()
  const mail = await tracked(here)
  const good = new URL(linksOf(here).click(mail, 'https://example.com/')!)
  const elsewhere = ['https://evil.example/', 'https://example.com', 'https://example.com/ ', '//evil.example', '']
  const queries = [...elsewhere.map((target) => `?u=${encodeURIComponent(target)}`), '', `${good.search}&u=x`, '?u[]=x']
  const token = (target: string) => `/t/c/${signClick(keysOf(here), mail, target)}?u=${encodeURIComponent(target)}`
  const paths = [
    ...queries.map((query) => `${good.pathname}${query}`),
    ...['javascript:alert(1)', 'data:text/html,x', 'https://', 'ftp://e.com/', '/docs'].map(token),
  ]
  for (const path of paths) {
    const answer = await follow(here, path)
    expect([answer.status, answer.headers.get('location')], path).toEqual([404, null])
  }
  expect(await here.db.all(sql`select from engagements`)).toEqual([])
})

test('who follows every link at once is a scanner', async () => {
  const here = await tenant()
  const [mail, person] = [await tracked(here), await tracked(here)]
  const links = linksOf(here)
  await Promise.all(targets.map((target) => follow(here, links.click(mail, target))))
  await follow(here, links.click(person, targets[0]!))
  await follow(here, links.click(person, targets[0]!))
  expect(await counted(here, mail, targets.length)).toMatchObject({ clicks: 0, machineClicks: targets.length })
  expect(await counted(here, person, 2)).toMatchObject({ clicks: 2 })
  const [event, ...others] = await eventsOf(here.projectApi, mail, 'email.clicked')
  expect(others).toEqual([])
  expect(event!.detail).toMatch(/ \(Link scanner, not counted as a person\)$/)
})

test('nothing is counted of a mail that was not to be followed', async () => {
  const here = await world()
  const [silent, loud] = [await mailed(here), await tracked(here)]
  expect((await follow(here, linksOf(here).open(silent))).status).toBe(200)
  await follow(here, linksOf(here).open(loud))
  await counted(here, loud, 1)
  expect(await here.db.all(sql`select from engagements where email_id = ${silent.emailId}`)).toEqual([])
})

test('a mail that everybody opens at once holds nobody up, and every open is counted', async () => {
  const here = await tenant()
  const mails = await Promise.all(Array.from({ length: 10 }, () => tracked(here)))
  const url = linksOf(here)
  const opens = Array.from({ length: 3_000 }, (_, i) => url.open(mails[i % mails.length]!))
  await Promise.all(
    Array.from({ length: 30 }, async (_, lane) => {
      for (let i = lane; i < opens.length; i += 30) expect((await follow(here, opens[i])).status).toBe(200)
    }),
  )
  for (const mail of mails) expect(await counted(here, mail, 300)).toMatchObject({ opens: 300 })
  expect(await eventsOf(here.projectApi, mails[0]!, 'email.opened')).toHaveLength(1)
})

test('what was counted last is written before a process ends', async () => {
  const here = await world()
  const mail = await tracked(here)
  const api = await startApi(here.config, here.databaseUrl, createLogger('api', 'silent'))
  const url = await api.listen('127.0.0.1', 0)
  await fetch(`${url}${pathOf(linksOf(here).open(mail))}`)
  await api.stop()
  expect(await here.db.all(sql`select opens from engagements`)).toEqual([{ opens: 1 }])
})

test('under the name of a customer there are links and nothing else', async () => {
  const here = await worldWithDns()
  await verifiedDomain(here.projectApi, here.dns, 'posts.example', { tracking: { host: 'links.posts.example' } })
  await here.projectApi.post('domains', { name: 'other.example', tracking: { host: 'api.other.example' } })
  const mail = await tracked(here)
  const links = linksOf(here)
  // One that begins now looks at once; the others look every half minute.
  const { url } = await here.anotherApi()
  const asked = askedBy(url)
  await eventually('the name is known', async () => (await asked('links.posts.example', '/docs')) === 404)
  for (const path of [
    '/',
    '/docs',
    '/openapi.json',
    '/metrics',
    '/api/v1/health',
    '/api/v1/emails',
    '/tx',
    '/x/../docs',
  ]) {
    expect(await asked('links.posts.example', path), path).toBe(404)
  }
  expect(await asked('LINKS.posts.example.:443', '/docs')).toBe(404)
  expect(await asked('links.posts.example', pathOf(links.open(mail)))).toBe(200)
  expect(await asked('links.posts.example', pathOf(links.unsubscribe(mail)))).toBe(200)
  // Of a domain that nobody has proven to be theirs, or of nobody.
  for (const host of ['api.other.example', 'links.posthouse.test', 'example.org', 'localhost', '127.0.0.1']) {
    expect(await asked(host, '/docs'), host).toBe(200)
  }
})

async function listener(here: Tenant) {
  const url = 'https://93.184.216.34/hook'
  const { status, body } = await here.projectApi.post<{ id: string }>('webhooks', { url, events: ['email.opened'] })
  expect(status).toBe(201)
  const told = async ({ id }: { id: string }) =>
    (await here.projectApi.get<{ data: { payload: Record<string, string> }[] }>(`webhooks/${id}/deliveries`)).body.data
  return { endpoint: body, told }
}

test('somebody who says no name at all is answered', async () => {
  const { api } = await world()
  const { hostname, port } = new URL(api.url)
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write('GET /docs HTTP/1.0\r\n\r\n'))
    socket.on('error', reject).once('data', (chunk) => resolve(chunk.toString().split('\r\n')[0]!))
  })
  expect(answer).toBe('HTTP/1.1 200 OK')
})

/** The status, for somebody who came by this name. */
const askedBy =
  (url: string) =>
  (host: string, path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(url)
      const request = httpRequest({ hostname, port, path, headers: { host } }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      request.on('error', reject).end()
    })
