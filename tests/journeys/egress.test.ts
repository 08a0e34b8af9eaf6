import { isIPv6 } from 'node:net'
import { expect, test } from 'vitest'
import type { Zones } from '../support/dns-server.ts'
import { mailWorld, steadyPauses } from '../support/mail-world.ts'
import { layTraps, ownAddresses } from '../support/traps.ts'

/** Where the sink is; nothing else is on the operator's list. */
const env = { EGRESS_ALLOW: '127.0.0.1/32' }

/** What strangers may publish as the address of their mail host to make us talk to our own network. */
const forbidden = [
  ...'127.0.0.2 127.0.0.53 127.1.2.3 127.255.255.254 0.0.0.0 0.0.0.1 255.255.255.255'.split(' '),
  ...'10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255 100.64.0.1'.split(' '),
  ...'169.254.169.254 169.254.170.2 100.100.100.200 168.63.129.16 192.0.0.192 198.18.0.1'.split(' '),
  ...'192.0.2.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1'.split(' '),
  ...':: ::1 ::2 ::127.0.0.2 ::ffff:127.0.0.2 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:0:127.0.0.2'.split(' '),
  ...'64:ff9b::127.0.0.2 64:ff9b::10.0.0.1 64:ff9b:1::1 2002:7f00:2::1 2002:a00:1::1'.split(' '),
  ...'2001:0:7f00:2::1 2a00:1450::5efe:127.0.0.2 fe80::1 fc00::1 fd00:ec2::254 fec0::1 ff02::1'.split(' '),
  ...'2001:db8::1 100::1'.split(' '),
  ...ownAddresses,
]

const addressed = (address: string) => (isIPv6(address) ? { AAAA: [address] } : { A: [address] })

test('a mail host in our own network gets nothing, whatever the spelling of its address', async () => {
  expect(forbidden.length).toBeGreaterThanOrEqual(40)
  const here = await mailWorld({ env })
  const { send, becomes, sink, dns, projectApi } = here
  const traps = await layTraps(sink.port)
  for (const [i, address] of forbidden.entries()) {
    dns.zones[`e${i}.test`] = { MX: [`10 mx.e${i}.test`] }
    dns.zones[`mx.e${i}.test`] = addressed(address)
    // The same without an MX.
    dns.zones[`i${i}.test`] = addressed(address)
  }
  const ids = await Promise.all(forbidden.flatMap((_, i) => [send(`ann@e${i}.test`), send(`ann@i${i}.test`)]))
  for (const [i, id] of ids.entries()) {
    const address = forbidden[Math.floor(i / 2)]!
    const { events } = await becomes(id, 'failed')
    expect(events, address).toMatchObject([{ type: 'email.failed', smtp: { code: 550, enhanced: '5.4.4' } }])
    // Nor is anybody told what the resolver of our network says.
    expect(JSON.stringify(events)).not.toContain(address)
  }
  expect(traps.reached).toEqual([])
  expect(sink.connections).toEqual([])
  expect((await projectApi.get<{ data: unknown[] }>('suppressions')).body.data).toEqual([])
})

test('an address is judged when it is connected to: what is allowed beside it gets the mail, and what was allowed before does not', async () => {
  const zones: Zones = {
    'both.test': { MX: ['10 mx.both.test'] },
    'mx.both.test': { A: ['127.0.0.2', '127.0.0.1'], AAAA: ['::1'] },
    'second.test': { MX: ['10 trap.test', '20 mx.sink.test'] },
    'trap.test': { A: ['127.0.0.2'] },
    'moving.test': { MX: ['10 mx.moving.test'] },
    'mx.moving.test': { A: ['127.0.0.1'], ttl: 0 },
    'turning.test': { MX: ['10 mx.turning.test'] },
  }
  const here = await mailWorld({ env, zones, circumstances: steadyPauses })
  const { send, becomes, email, sink, dns, advance, projectApi, from } = here
  const traps = await layTraps(sink.port)
  await becomes(await send('ann@both.test'), 'delivered')
  await becomes(await send('ann@second.test'), 'delivered')
  await becomes(await send('ann@moving.test'), 'delivered')
  expect(sink.taken).toHaveLength(3)

  dns.zones['mx.moving.test'] = { A: ['127.0.0.2'], ttl: 0 }
  await advance({ minutes: 11 })
  await becomes(await send('ann@moving.test'), 'failed')

  // Another address for every question: whichever comes is the one that is judged.
  let questions = 0
  Object.defineProperty(dns.zones, 'mx.turning.test', {
    enumerable: true,
    get: () => ({ A: [questions++ % 2 === 0 ? '127.0.0.1' : '127.0.0.2'], ttl: 0 }),
  })
  for (let n = 0; n < 6; n++) {
    await advance({ minutes: 11 })
    const id = await send(`${n}@turning.test`)
    await expect.poll(async () => (await email(id)).status, { timeout: 60_000 }).toMatch(/delivered|failed/)
  }
  expect(traps.reached).toEqual([])

  for (const to of ['ann@[127.0.0.2]', 'ann@127.0.0.2', 'ann@[IPv6:::1]', 'ann@localhost', 'ann@2130706433']) {
    const { status } = await projectApi.post('email/send', { from, to, subject: 'x', text: 'x' })
    expect([to, status]).toEqual([to, 400])
  }
})
