/** The installation that the pictures are taken of: a shop, some days after somebody has set it up. */
import { onTestFinished, vi } from 'vitest'
import { Authenticator } from '../../support/authenticator.ts'
import { stopClock } from '../../support/clock.ts'
import { publish, recordOf, type ShownDomain } from '../../support/domains.ts'
import { eventually } from '../../support/eventually.ts'
import { reportsOf } from '../../support/installation.ts'
import { addPasskey, PASSWORD, setupToken, tokenIn, visitor, type Browser } from '../../support/people.ts'
import { answers, startReceiver } from '../../support/receiver.ts'
import { receiveAtOnce } from '../../support/receiving.ts'
import { webhookWorld, type WebhookWorld } from '../../support/webhooks.ts'
import { accepted, created } from '../../support/world.ts'
import { sql } from '../../../src/storage/sql.ts'
import { setupPath } from '../support/people.ts'
import type { Addresses } from './pictures.ts'

export interface Shop {
  here: WebhookWorld
  /** Undefined while it has none. */
  owner: Browser | undefined
  addresses: Addresses
}

/** Monday, a quarter to twelve in Zurich. */
export const NOW = '2026-11-16T10:42:00Z'
/** A port of its own, because it stands in the pictures. */
const RECEIVER_PORT = 4010

const devices = {
  laptop:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36',
  phone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1',
  desk: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0',
}

/** Replies of the recipients' mail servers. */
const replies = {
  'rcpt tom@example.net': '550 5.1.1 <tom@example.net>: Recipient address rejected: User unknown',
  'rcpt lena@example.com': '451 4.7.1 Greylisted, please try again in five minutes',
}

const mailHosts = Object.fromEntries(
  ['example.org', 'example.net', 'example.com'].flatMap((domain) => [
    [domain, { MX: [`10 mx.${domain}`] }],
    [`mx.${domain}`, { A: ['127.0.0.1'] }],
  ]),
)

const none = { invitation: '', email: '', domain: '', webhook: '', delivery: '', received: '', receivingDomain: '' }

/** An installation without an owner. Time stands still, so that the pictures of two days are the same. */
export async function newShop(): Promise<Shop> {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-12T07:58:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const here = await webhookWorld({
    sink: { replies },
    zones: { ...mailHosts, 'shop.example': { A: ['127.0.0.1'] } },
    env: { HTTP_PROXIES: '127.0.0.0/8' },
    // Pauses are over when time is moved on, and otherwise as long as they are.
    circumstances: { steady: { now: () => performance.now() + Date.now() } },
  })
  await timeIs(here, '2026-11-12T07:58:00Z')
  await beginNow(here)
  const project = `/p/${here.projectId}`
  const setUp = await setupPath(here)
  return { here, owner: undefined, addresses: { setUp, project, ...none } }
}

/** Its owner comes in by the printed link. */
export async function ownedShop({ here, addresses }: Shop): Promise<Shop> {
  await timeIs(here, '2026-11-12T08:02:00Z')
  const owner = visitor(here)
  const token = await setupToken(here)
  const fields = { token, name: 'Ann Lee', email: 'ann@shop.example', workspaceName: 'Teapot & Co', password: PASSWORD }
  created(await at(owner, devices.laptop, '203.0.113.24', '/session/setup', fields))
  await owner.patch(`projects/${here.projectId}`, { name: 'Shop' })
  return { here, owner, addresses }
}

/** Some days later. */
export async function busyShop({ here, owner, addresses }: Shop): Promise<Shop> {
  if (owner === undefined) throw new Error('nobody owns the shop')
  const { project } = addresses
  await here.verifiedDomain('shop.example')
  await addPasskey(owner, new Authenticator(here.config.publicUrl), 'Laptop')
  await people(here, owner)
  await projects(here, owner)
  await timeIs(here, '2026-11-12T09:20:00Z')
  await owner.post('/session/confirm', { password: PASSWORD })
  const key = await keys(here, owner.in(here.projectId))
  const hook = await endpoints(here, owner.in(here.projectId))
  const email = await mail(here, key)
  const inbox = await letters(here, project)
  await timeIs(here, '2026-11-16T10:40:00Z')
  await signInFrom(here, 'Ben Okafor', devices.desk, '203.0.113.80')
  await signInFrom(here, 'Ann Lee', devices.phone, '198.51.100.7')
  const today = await signInFrom(here, 'Ann Lee', devices.laptop, '203.0.113.24')
  const domain = await unfinishedDomain(here, today.in(here.projectId))
  const invitation = created(
    await today.post<{ link: string }>('people/invitations', {
      email: 'erik@shop.example',
      projects: [{ projectId: here.projectId, role: 'author' }],
    }),
  ).link
  await timeIs(here, NOW)
  await machines(here)
  const webhook = `${project}/webhooks/${hook.id}`
  return {
    here,
    owner: today,
    addresses: {
      ...addresses,
      invitation: `/invitation#${tokenIn(invitation)}`,
      email: `${project}/emails/${email}`,
      webhook,
      domain: `${project}/domains/${domain}`,
      delivery: `${webhook}/deliveries/${hook.delivery}`,
      ...inbox,
    },
  }
}

/** Mail of customers, and the domains that it comes to. */
async function letters(here: WebhookWorld, project: string): Promise<{ received: string; receivingDomain: string }> {
  const { projectApi } = here
  const own = { type: 'custom', name: 'in.shop.example' }
  const { id } = created(await projectApi.post<{ id: string }>('receiving/domains', own))
  const { name } = created(await projectApi.post<{ name: string }>('receiving/domains', { type: 'managed' }))
  for (const subject of ['Can I collect it on Saturday?', 'Thank you for the teapot']) {
    await receiveAtOnce(here, `hello@${name}`, subject)
  }
  const { body } = await projectApi.get<{ data: { id: string }[] }>('receiving/emails')
  return {
    received: `${project}/inbox/${body.data.at(-1)!.id}`,
    receivingDomain: `${project}/inbox/domains/${id}`,
  }
}

/** What the background would have seen by now. The master key of tests comes from outside, so nobody asks for a copy. */
async function machines(here: WebhookWorld): Promise<void> {
  const roles = ['api', 'worker', 'inbound'].map((role) => ({ role, up: true, restarts: role === 'worker' ? 1 : 0 }))
  const room = { freeBytes: 31_400_000_000, totalBytes: 80_000_000_000 }
  await reportsOf(here, () => roles, { room, endsAt: new Date('2027-01-20T00:00:00Z') }).runOnce()
  await here.db.run(sql`delete from node_hosts`)
  await here.db.run(sql`
    insert into node_hosts (id, hostname, addresses, has_name, name_since, outgoing, outgoing_since)
    values ('one', 'mail.shop.example', ${JSON.stringify([{ address: '203.0.113.9', ptr: 'mail.shop.example', matches: true }])}, true,
            clock_now(), 'open', clock_now())`)
  const seen = { version: '17.6', connections: 14, limit: 97, sizeBytes: 412_000_000 }
  await here.db.run(sql`
    update installation set database = ${JSON.stringify(seen)}, database_looked_at = clock_now(), database_full_since = null`)
}

/** The first start has happened by the clock on the wall: it is moved to where the story begins. */
const beginNow = ({ db }: WebhookWorld): Promise<unknown> =>
  db.withClient((client) =>
    client.query(`
      alter table audit_log disable trigger append_only;
      update audit_log set at = clock_now();
      update workspaces set created_at = clock_now();
      update projects set created_at = clock_now();
      update api_keys set created_at = clock_now();
      alter table audit_log enable trigger append_only`),
  )

/** For the database, and for every process, since all of them are this one. */
async function timeIs({ db, services }: WebhookWorld, time: string): Promise<void> {
  vi.setSystemTime(time)
  await stopClock(db, Date.parse(time))
  services.doorbell.ring('deliveries')
  services.doorbell.ring('webhook_deliveries')
}

/** The database counts more exactly than the API tells. */
const after = (moment: string | null | undefined): string => new Date(Date.parse(moment ?? NOW) + 1_000).toISOString()

/** A request from a device, somewhere. */
const at = (browser: Browser, device: string, address: string, path: string, body: object) =>
  browser.request('POST', path, { headers: { 'user-agent': device, 'x-forwarded-for': address }, body })

async function signInFrom(here: WebhookWorld, name: string, device: string, address: string): Promise<Browser> {
  const browser = visitor(here)
  await at(browser, device, address, '/session/password', { email: addressOf(name), password: PASSWORD })
  return browser
}

async function people(here: WebhookWorld, owner: Browser): Promise<void> {
  const joins = async (name: string, minute: number, roles: object, device: string): Promise<void> => {
    const email = addressOf(name)
    const { link } = created(await owner.post<{ link: string }>('people/invitations', { email, ...roles }))
    await timeIs(here, `2026-11-12T08:${minute}:00Z`)
    await owner.post('/session/confirm', { password: PASSWORD })
    const fields = { token: tokenIn(link), name, password: PASSWORD }
    created(await at(visitor(here), device, '203.0.113.80', '/session/invitation', fields))
  }
  const newsletter = created(await owner.post<{ id: string }>('projects', { name: 'Newsletter' })).id
  await joins('Ben Okafor', 11, { role: 'developer' }, devices.desk)
  await joins('Chloé Martin', 20, { role: 'marketer' }, devices.laptop)
  await joins('Dev Patel', 29, { projects: [{ projectId: newsletter, role: 'author' }] }, devices.desk)
}

const addressOf = (name: string): string =>
  `${name
    .split(' ')[0]!
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[^a-z]/g, '')}@shop.example`

async function projects(here: WebhookWorld, owner: Browser): Promise<void> {
  await timeIs(here, '2026-11-12T08:35:00Z')
  await owner.patch(`projects/${here.projectId}`, { quota: { emailsPerDay: 2_000, emailsPerMonth: 40_000 } })
  const { id } = created(await owner.post<{ id: string }>('projects', { name: 'Old shop' }))
  await owner.patch(`projects/${id}`, { status: 'paused' })
}

/** The secret of the key that the shop sends with. */
async function keys(here: WebhookWorld, owner: Browser): Promise<string> {
  const { projectId } = here
  const make = async (name: string, fields: object): Promise<string> =>
    created(await owner.post<{ secret: string }>('api-keys', { name, projectId, ...fields })).secret
  const webShop = await make('Web shop', { scopes: ['email:send'], contentAccess: 'none' })
  await make('Accounting', {
    scopes: ['email:send', 'receiving:read', 'domains:read'],
    expiresAt: '2027-02-10T09:20:00Z',
  })
  return webShop
}

/** One that answers, and one that does not; answers the first, with a delivery that needed two attempts. */
async function endpoints(here: WebhookWorld, owner: Browser): Promise<{ id: string; delivery: string }> {
  const receiver = await startReceiver({
    port: RECEIVER_PORT,
    behaviour: answers(503, {}, 'The shop is being updated.'),
  })
  const url = `http://shop.example:${RECEIVER_PORT}/hooks/posthouse`
  const hook = created(await owner.post<{ id: string }>('webhooks', { url, description: 'Orders and stock' }))
  const old = created(await owner.post<{ id: string }>('webhooks', { url: url.replace('posthouse', 'old') }))
  await owner.patch(`webhooks/${old.id}`, { enabled: false })
  await owner.post(`webhooks/${hook.id}/test`)
  const tried = await here.delivery(hook, 'it was tried once', ({ attemptCount }) => attemptCount === 1)
  receiver.behave(answers(202, {}, 'thank you'))
  await timeIs(here, after(tried.nextAttemptAt))
  const { id } = await here.delivery(hook, 'it arrives', ({ status }) => status === 'delivered')
  return { id: hook.id, delivery: id }
}

/** One of which some records are there, one is wrong and one is missing. */
async function unfinishedDomain({ dns }: WebhookWorld, owner: Browser): Promise<string> {
  const { id, records } = created(await owner.post<ShownDomain>('domains', { name: 'news.shop.example' }))
  publish(dns.zones, [recordOf({ records }, 'dkim'), recordOf({ records }, 'return-path-mx')])
  dns.zones['shop.example'] = { ...dns.zones['shop.example'], NS: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'] }
  const bounces = (dns.zones['bounce.news.shop.example'] ??= {})
  bounces.TXT = ['v=spf1 include:_spf.elsewhere.example ~all']
  await owner.post('suppressions', { email: 'max@example.org', note: 'Asked us on the phone to stop.' })
  await owner.post(`domains/${id}/verify`)
  return id
}

interface Sent {
  time: string
  order: number
  to: string
  status: string
}

const sent: readonly Sent[] = [
  { time: '2026-11-13T14:05:00Z', order: 1042, to: 'ann@example.org', status: 'delivered' },
  { time: '2026-11-14T09:12:00Z', order: 1043, to: 'tom@example.net', status: 'bounced' },
  { time: '2026-11-15T18:30:00Z', order: 1044, to: 'yuki@example.org', status: 'delivered' },
  { time: '2026-11-16T07:48:00Z', order: 1045, to: 'omar@example.org', status: 'delivered' },
  { time: '2026-11-16T08:15:00Z', order: 1046, to: 'ida@example.net', status: 'delivered' },
]

/** The id of the email that has a page of its own: one of its recipients waits, and one is not there. */
async function mail(here: WebhookWorld, key: string): Promise<string> {
  const client = here.api.with(key)
  const send = async (body: object): Promise<string> =>
    accepted(await client.post<{ id: string }>('email/send', { from: 'Shop <hello@shop.example>', ...body })).id
  for (const { time, order, to, status } of sent) {
    await timeIs(here, time)
    await here.becomes(await send({ to, ...onItsWay(order), tags: { order: String(order) } }), status)
  }
  await timeIs(here, '2026-11-16T08:52:00Z')
  const simulated = `complained@${here.config.simulatorDomain}`
  await here.becomes(await send({ to: simulated, ...winter }), 'filteredspam')
  await timeIs(here, '2026-11-16T09:57:00Z')
  const shown = await send({
    to: ['lena@example.com', 'ann@example.org'],
    cc: ['tim@example.net'],
    ...onItsWay(1047),
    tags: { order: '1047' },
    attachments: [{ filename: 'invoice-1047.txt', content: Buffer.from('One teapot').toString('base64') }],
  })
  await attempted(here, shown, 1)
  for (const attempts of [2, 3]) {
    const { recipients } = await here.email(shown)
    await timeIs(here, after(recipients.find(({ nextAttemptAt }) => nextAttemptAt !== null)?.nextAttemptAt))
    await attempted(here, shown, attempts)
  }
  await timeIs(here, '2026-11-16T10:38:00Z')
  await send({ to: 'sara@example.org', ...reminder, sendAt: '2026-11-17T08:00:00Z' })
  await timeIs(here, '2026-11-16T10:41:00Z')
  await here.becomes(await send({ to: 'mia@example.org', ...onItsWay(1051), tags: { order: '1051' } }), 'delivered')
  return shown
}

const attempted = (here: WebhookWorld, id: string, attempts: number): Promise<unknown> =>
  eventually(`it was tried ${attempts} times`, async () => {
    const { recipients } = await here.email(id)
    return (
      recipients.every(({ status }) => status !== 'queued' && status !== 'sending') &&
      recipients.some((one) => one.status === 'deferred' && one.attempts === attempts)
    )
  })

const page = (title: string, sentence: string, button: string): string => `<!doctype html>
<html lang="en"><head><meta name="color-scheme" content="light dark"><style>
body { margin: 0; padding: 24px; background: #f3f2ee; font: 16px/24px sans-serif; color: #22252b; }
.card { max-width: 440px; margin: 0 auto; padding: 28px; background: #fff; border: 1px solid #dddad2; border-radius: 8px; }
h1 { margin: 12px 0; font-size: 22px; line-height: 28px; }
a { display: inline-block; padding: 10px 20px; border-radius: 6px; background: #1d5c8a; color: #fff; text-decoration: none; }
@media (prefers-color-scheme: dark) { body { background: #15171b; color: #e6e8ec; } .card { background: #20242a; border-color: #343a43; } }
</style></head><body><div class="card"><b>Teapot &amp; Co</b><h1>${title}</h1><p>${sentence}</p>
<p><a href="https://shop.example/orders">${button}</a></p></div></body></html>`

const onItsWay = (order: number): { subject: string; html: string; text: string } => ({
  subject: `Your order ${order} is on its way`,
  html: page(
    'It is on its way',
    'Your teapot left our store this morning and should be with you on Thursday.',
    'Follow the parcel',
  ),
  text: 'It is on its way.\n\nYour teapot left our store this morning and should be with you on Thursday.\n',
})

const winter = {
  subject: 'Winter teas are here',
  html: page('Winter teas are here', 'Ginger, cinnamon and a little orange peel.', 'See the teas'),
}

const reminder = {
  subject: 'Your table for tomorrow',
  html: page('See you tomorrow', 'We look forward to your visit at four.', 'Change the time'),
}
