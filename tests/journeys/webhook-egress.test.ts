import { isIP, isIPv6 } from 'node:net'
import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import { sql } from '../../src/storage/sql.ts'
import { patiently } from '../support/client.ts'
import type { Zones } from '../support/dns-server.ts'
import { eventually } from '../support/eventually.ts'
import { forbiddenHosts, trickyUrls } from '../support/forbidden-hosts.ts'
import { answers, startReceiver } from '../support/receiver.ts'
import { layTraps, ownAddresses } from '../support/traps.ts'
import { webhookWorld, type Delivery, type Endpoint, type WebhookWorld } from '../support/webhooks.ts'

/** The operator's list; nothing of this machine is on it. */
const closed = { EGRESS_ALLOW: '192.31.7.0/24' }
/** Only where the receiver is. */
const narrow = { EGRESS_ALLOW: '127.0.0.1/32' }

const addressed = (address: string) => (isIPv6(address) ? { AAAA: [address] } : { A: [address] })
const bracketed = (address: string): string => (isIPv6(address) ? `[${address}]` : address)

/** Names that lead inside, in all the ways in which a name can lead somewhere. */
function insideZones(): Zones {
  const addresses = forbiddenHosts.map((host) => host.replace(/^\[|\]$/g, '')).filter((host) => isIP(host) !== 0)
  return {
    ...Object.fromEntries([...addresses, ...ownAddresses].map((address, n) => [`n${n}.test`, addressed(address)])),
    'several.test': { A: ['10.0.0.1', '127.0.0.2', '192.168.0.1'] },
    'both.test': { A: ['127.0.0.1'], AAAA: ['::1'] },
    'chain.test': { CNAME: 'chain2.test' },
    'chain2.test': { CNAME: 'chain3.test' },
    'chain3.test': { A: ['127.0.0.1'] },
    'to-localhost.test': { CNAME: 'localhost' },
    localhost: { A: ['127.0.0.1'] },
    '127.0.0.1.nip.test': { A: ['127.0.0.1'] },
    'xn--mnchen-3ya.test': { A: ['127.0.0.1'] },
    'brief.test': { A: ['127.0.0.2'], ttl: 0 },
  }
}

test('no spelling of a private address gets a byte, whether it is refused at the creation or at the attempt', async () => {
  const zones = insideZones()
  const here = await webhookWorld({ env: closed, zones })
  const { port, stop } = await startReceiver()
  await stop()
  const traps = await layTraps(port, '127.0.0.1')
  const hosts = [...forbiddenHosts, ...ownAddresses.map(bracketed), ...Object.keys(zones), 'münchen.test', 'N0.Test.']
  const urls = [...new Set(hosts.map((host) => `http://${host}:${port}/hook`)), ...trickyUrls(port)]
  expect(urls.length).toBeGreaterThanOrEqual(240)

  await Promise.all(
    urls.map(async (url) => {
      const { status, body } = await patiently(() => here.projectApi.post('webhooks', { url }))
      expect({ status, body }, url).toMatchObject({ status: 400, body: { details: [{ path: '/url' }] } })
    }),
  )
  const errors = await attempted(here, urls)
  for (const url of urls) {
    const isHttp = URL.parse(url)?.protocol === 'http:'
    const error = errors.get(url) ?? 'Invalid URL'
    expect([url, error]).toEqual([url, expect.stringMatching(isHttp ? /not on the public internet/ : /Invalid URL/)])
  }
  expect(traps.reached).toEqual([])
})

test('a name is judged by where it leads in the moment of the attempt', async () => {
  const zones: Zones = {
    'moving.test': { A: ['127.0.0.1'], ttl: 0 },
    'turning.test': { A: ['127.0.0.1'], ttl: 0 },
    'mixed.test': { A: ['127.0.0.2', '127.0.0.1'], AAAA: ['::1'] },
  }
  const here = await webhookWorld({ env: narrow, zones })
  const { dns, advance, endpoint, projectApi, delivery } = here
  const receiver = await startReceiver({ behaviour: answers(200, { connection: 'close' }) })
  const traps = await layTraps(receiver.port)
  const at = (host: string): string => `http://${host}:${receiver.port}/${host}`

  // Public while it is created and for the first event, and then somewhere else.
  const moving = await endpoint(at('moving.test'))
  const tell = async ({ id }: { id: string }): Promise<Delivery> => {
    const { body } = await projectApi.post<Delivery>(`webhooks/${id}/test`)
    return delivery({ id }, 'an attempt', (newest) => newest.id === body.id && newest.attempts.length > 0)
  }
  expect(await tell(moving)).toMatchObject({ status: 'delivered' })
  dns.zones['moving.test'] = { A: ['127.0.0.2'], AAAA: ['::1'], ttl: 0 }
  await advance({ minutes: 11 })
  const refused = { status: 'pending', attempts: [{ status: null, error: expect.stringMatching(/public internet/) }] }
  expect(await tell(moving)).toMatchObject(refused)

  // Where one of several addresses is allowed, that one is gone to; the creation would have been refused.
  expect((await projectApi.post('webhooks', { url: at('mixed.test') })).status).toBe(400)
  expect(await attempted(here, [at('mixed.test')])).toEqual(new Map([[at('mixed.test'), null]]))

  // Another address for every question: whichever comes is the one that is judged, and no second one is asked for.
  const turning: { id: string }[] = []
  for (let n = 0; n < 6; n++) turning.push(await endpoint(at('turning.test')))
  let looks = 0
  Object.defineProperty(dns.zones, 'turning.test', {
    enumerable: true,
    get: () => ({ A: [looks++ % 3 === 0 ? '127.0.0.1' : '127.0.0.2'], ttl: 0 }),
  })
  for (const hook of turning) {
    await advance({ minutes: 11 })
    const { attempts } = await tell(hook)
    expect(attempts[0]?.error ?? 'delivered').toMatch(/^delivered$|public internet/)
  }
  expect(dns.questions.filter((question) => question === 'A turning.test').length).toBeGreaterThanOrEqual(6)
  expect(traps.reached).toEqual([])
})

test('no redirect leads inside', async () => {
  const here = await webhookWorld({ env: narrow })
  const receiver = await startReceiver()
  const traps = await layTraps(receiver.port)
  const targets = [
    '//127.0.0.2',
    '//[::1]',
    '//2130706434',
    '//localhost',
    ...ownAddresses.map((own) => `//${bracketed(own)}`),
  ]
  const urls = [301, 302, 303, 307, 308].flatMap((status) =>
    targets.map(
      (target) => `${receiver.url}/${status}?${new URLSearchParams({ to: `http:${target}:${receiver.port}/` })}`,
    ),
  )
  receiver.behave((request, response, heard) => {
    const { pathname, searchParams } = new URL(request.url!, receiver.url)
    const location = searchParams.get('to') ?? ''
    answers(Number(pathname.split('/').at(-1)), { location, refresh: `0; url=${location}` })(request, response, heard)
  })
  const errors = await attempted(here, urls)
  for (const url of urls) expect(errors.get(url)).toMatch(/^answered 30\d; redirects are not followed$/)
  expect(traps.reached).toEqual([])
  expect(receiver.heard.map(({ path }) => path).toSorted()).toEqual(
    urls.map((url) => url.slice(url.indexOf('/hook'))).toSorted(),
  )
})

test('the operator’s list opens what it lists, in every spelling, and nothing beside it', async () => {
  const zones: Zones = { 'three.test': { A: ['127.0.0.3'] }, 'four.test': { A: ['127.0.0.4'] } }
  const here = await webhookWorld({ env: { EGRESS_ALLOW: '127.0.0.3/32' }, zones })
  const receiver = await startReceiver({ address: '127.0.0.3' })
  const traps = await layTraps(receiver.port, '127.0.0.1', '127.0.0.4')
  const at = (host: string): string => `http://${host}:${receiver.port}/`
  const open = ['127.0.0.3', '127.3', '2130706435', '[::ffff:127.0.0.3]', '[::ffff:7f00:3]', 'three.test'].map(at)
  // Listed is the address, not the tunnels that lead there.
  const tunnels = '[64:ff9b::127.0.0.3] [2002:7f00:3::1] [::127.0.0.3] [2001:0:7f00:3::] [::ffff:0:127.0.0.3]'
  const beside = '127.0.0.1 127.0.0.4 127.4 four.test localhost 0.0.0.0 [::1] [::] [::ffff:127.0.0.4]'
  const shut = `${beside} ${tunnels}`.split(' ').map(at)
  for (const url of [...open, ...shut]) {
    const { status } = await here.projectApi.post('webhooks', { url, enabled: false })
    expect([url, status]).toEqual([url, open.includes(url) ? 201 : 400])
  }
  const errors = await attempted(here, [...open, ...shut])
  for (const url of open) expect([url, errors.get(url)]).toEqual([url, null])
  for (const url of shut) expect([url, errors.get(url)]).toEqual([url, expect.stringMatching(/public internet/)])
  expect(receiver.heard).toHaveLength(open.length)
  expect(traps.reached).toEqual([])
})

/**
 * One event for an endpoint at each of these URLs, which are written past every check of the creation; and what the
 * first attempt at each ended with. Null for one that was acknowledged, or could not even be tried.
 */
async function attempted(
  { endpoint, send, db }: WebhookWorld,
  urls: readonly string[],
): Promise<Map<string, string | null>> {
  const fields = { events: ['email.quarantined'] }
  const hooks: Endpoint[] = []
  // Those of one project take turns.
  for (const _ of urls) hooks.push(await endpoint('http://192.31.7.1/', fields))
  const uuids = hooks.map(({ id }) => decodeId('whk', id)!)
  await db.run(sql`
    update webhook_endpoints e
       set url = given.url
      from unnest(${uuids}::uuid[], ${urls}::text[]) as given (id, url)
     where e.id = given.id`)
  await send('quarantined')
  const attempts = await eventually('an attempt at each', async () => {
    const found = await db.all(sql<{ url: string; error: string | null }>`
      select e.url, d.log -> 0 ->> 'error' as error
        from webhook_endpoints e
        join (select endpoint_id, log from webhook_log
               union all
              -- Put aside without an attempt: what is there is no URL.
              select endpoint_id, log from webhook_deliveries where attempts > 0 or state = 'waiting') d
          on d.endpoint_id = e.id
       where e.id = any(${uuids}::uuid[])`)
    return found.length === urls.length && found
  })
  return new Map(attempts.map(({ url, error }) => [url, error]))
}
