import { expect, test } from 'vitest'
import { zoneFile } from '../../src/resources/domains/zone-file.ts'
import { moveClock } from '../support/clock.ts'
import {
  createDomain,
  publish,
  recordOf,
  SMTP_HOSTNAME,
  verifiedDomain,
  worldWithDns,
  type ShownDomain,
} from '../support/domains.ts'

const read = async (client: { get: <T>(path: string) => Promise<{ body: T }> }, id: string): Promise<ShownDomain> =>
  (await client.get<ShownDomain>(`domains/${id}`)).body

test('a look says when, of whom, and how much longer that server may say the same', async () => {
  const { projectApi, dns, db } = await worldWithDns()
  const { id, records } = await createDomain(projectApi, 'example.com')
  publish(dns.zones, records)
  dns.zones['_dmarc.example.com'] = { TXT: ['v=DMARC1; p=none'], ttl: 120 }
  const { body } = await projectApi.post<ShownDomain>(`domains/${id}/verify`)
  const dmarc = recordOf(body, 'dmarc')
  expect(dmarc.askedAt).toBe(body.lastCheckedAt)
  expect(dmarc.askedOf).toBe(dns.address)
  expect(dmarc.ttlLeft).toBeGreaterThan(100)
  expect(dmarc.ttlLeft).toBeLessThanOrEqual(120)
  await moveClock(db, 60_000)
  const later = recordOf(await read(projectApi, id), 'dmarc')
  expect(later).toMatchObject({ askedAt: dmarc.askedAt, askedOf: dns.address })
  expect(later.ttlLeft).toBeLessThanOrEqual(60)
  await moveClock(db, 600_000)
  expect(recordOf(await read(projectApi, id), 'dmarc').ttlLeft).toBe(0)
})

test('what nobody answered keeps the time at which it was last known', async () => {
  const { projectApi, dns, db } = await worldWithDns()
  const { id, lastCheckedAt } = await verifiedDomain(projectApi, dns, 'example.com')
  await moveClock(db, 60_000)
  dns.zones['_dmarc.example.com'] = { fault: 'servfail' }
  const { body } = await projectApi.post<ShownDomain>(`domains/${id}/verify`)
  expect(body.lastCheckedAt).not.toBe(lastCheckedAt)
  expect(recordOf(body, 'dmarc')).toMatchObject({ status: 'verified', askedAt: lastCheckedAt })
  expect(recordOf(body, 'return-path-mx').askedAt).toBe(body.lastCheckedAt)
})

const hosts: [provider: string, server: string][] = [
  ['cloudflare', 'ada.ns.cloudflare.com'],
  ['route53', 'ns-1.awsdns-00.co.uk'],
  ['hetzner', 'hydrogen.ns.hetzner.com'],
  ['ovh', 'dns10.ovh.net'],
  ['ionos', 'ns1045.ui-dns.de'],
  ['godaddy', 'ns01.domaincontrol.com'],
  ['namecheap', 'dns1.registrar-servers.com'],
  ['gandi', 'ns-1-a.gandi.net'],
  ['google', 'ns-cloud-a1.googledomains.com'],
  ['azure', 'ns1-01.azure-dns.com'],
  ['digitalocean', 'ns1.digitalocean.com'],
  ['desec', 'ns1.desec.io'],
  ['other', 'ns.cloudflare.com.example.net'],
]

test('whoever hosts the zone is known by its servers, also of a name below it', async () => {
  const { projectApi, dns } = await worldWithDns()
  const { id, dns: before } = await createDomain(projectApi, 'mail.example.com')
  expect(before).toEqual({ provider: null, nameServers: [] })
  for (const [provider, server] of hosts) {
    dns.zones['example.com'] = { NS: [server.toUpperCase(), `b.${server}`] }
    await projectApi.post(`domains/${id}/verify`)
    const nameServers = [`b.${server}`, server].toSorted()
    expect((await read(projectApi, id)).dns, server).toEqual({ provider, nameServers })
  }
})

test('a name that is delegated has servers of its own; where nobody answers, the known ones stay', async () => {
  const { projectApi, dns } = await worldWithDns()
  dns.zones['example.com'] = { NS: ['ns1.desec.io'] }
  dns.zones['mail.example.com'] = { NS: ['ada.ns.cloudflare.com'] }
  const { id } = await createDomain(projectApi, 'mail.example.com')
  const look = async () => (await projectApi.post<ShownDomain>(`domains/${id}/verify`)).body.dns
  expect(await look()).toMatchObject({ provider: 'cloudflare' })
  dns.zones['mail.example.com'] = { fault: 'servfail' }
  expect(await look()).toMatchObject({ provider: 'cloudflare' })
  dns.zones['mail.example.com'] = {}
  expect(await look()).toMatchObject({ provider: 'desec' })
  delete dns.zones['example.com']
  expect(await look()).toEqual({ provider: null, nameServers: [] })
})

test('the DMARC record that is there is read part by part; of two, nothing is', async () => {
  const { projectApi, dns } = await worldWithDns()
  const { id } = await createDomain(projectApi, 'example.com')
  const seen = async (...TXT: string[]) => {
    dns.zones['_dmarc.example.com'] = { TXT }
    return (await projectApi.post<ShownDomain>(`domains/${id}/verify`)).body.dmarc
  }
  expect(await seen('v=DMARC1; p=quarantine; x=1', 'something else')).toEqual({
    record: 'v=DMARC1; p=quarantine; x=1',
    policy: 'quarantine',
    parts: [
      { tag: 'v', value: 'DMARC1', problem: null },
      { tag: 'p', value: 'quarantine', problem: null },
      { tag: 'x', value: '1', problem: 'unknown' },
    ],
  })
  expect(await seen('v=DMARC1; p=none', 'v=DMARC1; p=reject')).toBeNull()
})

test('the zone file has what is missing, long texts in pieces and names with their dot', async () => {
  const { projectApi, dns } = await worldWithDns()
  const { id, records } = await createDomain(projectApi, 'mail.example.com', {
    tracking: { host: 'links.mail.example.com' },
  })
  const zone = async () => projectApi.get(`domains/${id}/zone`)
  const dkim = records[0]!
  const reply = await zone()
  expect(reply.headers.get('content-type')).toMatch(/^text\/plain/)
  expect(reply.headers.get('content-disposition')).toContain('mail.example.com.zone.txt')
  expect(reply.text.split('\n')).toEqual([
    '; The records that mail.example.com. lacks.',
    `${dkim.name}.\t3600\tIN\tTXT\t"${dkim.value.slice(0, 255)}" "${dkim.value.slice(255)}"`,
    `bounce.mail.example.com.\t3600\tIN\tMX\t10 ${SMTP_HOSTNAME}.`,
    `bounce.mail.example.com.\t3600\tIN\tTXT\t"v=spf1 include:_spf.${SMTP_HOSTNAME} ~all"`,
    `_dmarc.mail.example.com.\t3600\tIN\tTXT\t"${records.find(({ purpose }) => purpose === 'dmarc')!.value}"`,
    'links.mail.example.com.\t3600\tIN\tCNAME\tlinks.posthouse.test.',
    '',
  ])
  publish(dns.zones, records.slice(0, 3))
  dns.zones['links.mail.example.com'] = { CNAME: 'elsewhere.example.net' }
  await projectApi.post(`domains/${id}/verify`)
  expect((await zone()).text.split('\n').slice(1)).toEqual([
    expect.stringMatching(/^_dmarc\./),
    '; Instead of what is there of this kind now:',
    expect.stringMatching(/^links\./),
    '',
  ])
  publish(dns.zones, records.slice(3))
  await projectApi.post(`domains/${id}/verify`)
  expect((await zone()).text).toBe('; mail.example.com. lacks no record.\n')
})

test('nothing in a name or a value can end its line or its string', () => {
  const record = { type: 'TXT', name: 'a\n@ IN A 1;.test', value: 'x" "y\\\n;é', priority: null, ttl: 1 } as const
  const lines = zoneFile('example.com', [{ ...record, status: 'pending' }]).split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toBe('a\\010\\064\\032IN\\032A\\0321\\059.test.\t1\tIN\tTXT\t"x\\034 \\034y\\092\\010;\\195\\169"')
  const alias = zoneFile('a\nb', [{ ...record, type: 'CNAME', status: 'pending' }]).split('\n')
  expect(alias).toHaveLength(3)
  expect(alias[1]).not.toMatch(/["\n]/)
})

test('after a rotation the keys tell their age and state, and the zone file has the new one alone', async () => {
  const { projectApi, dns } = await worldWithDns()
  const { id, dkim: first } = await verifiedDomain(projectApi, dns, 'example.com')
  expect(first).toMatchObject([{ state: 'active', keepUntil: null }])
  await projectApi.post(`domains/${id}/rotate-dkim`)
  const rotated = await read(projectApi, id)
  expect(rotated.dkim).toMatchObject([{ state: 'active' }, { state: 'pending' }])
  publish(dns.zones, [rotated.records[1]!])
  delete dns.zones[rotated.records[0]!.name]
  await projectApi.post(`domains/${id}/verify`)
  const { dkim } = await read(projectApi, id)
  expect(dkim).toMatchObject([{ state: 'retired', keepUntil: expect.stringMatching(/Z$/) }, { state: 'active' }])
  await projectApi.post(`domains/${id}/verify`)
  expect((await projectApi.get(`domains/${id}/zone`)).text).toBe('; example.com. lacks no record.\n')
})
