import { expect, test } from 'vitest'
import { moveClock } from '../support/clock.ts'
import {
  publish,
  recordOf,
  SMTP_HOSTNAME,
  worldWithDns,
  type ShownDomain,
  type ShownRecord,
} from '../support/domains.ts'
import { created, world } from '../support/world.ts'
import type { Client } from '../support/client.ts'

interface ReceivingDomain {
  id: string
  projectId: string
  type: string
  name: string
  status: string
  records: ShownRecord[]
  createdAt: string
  verifiedAt: string | null
  lastCheckedAt: string | null
}

const custom = async (client: Client, name: string): Promise<ReceivingDomain> =>
  created(await client.post<ReceivingDomain>('receiving/domains', { type: 'custom', name }))

const verify = async (client: Client, { id }: { id: string }) =>
  client.post<ReceivingDomain>(`receiving/domains/${id}/verify`)

const HOUR = 3_600

test('a managed domain has a name of ours and works at once', async () => {
  const { projectApi, projectId } = await world({ env: { MANAGED_RECEIVING_DOMAIN: 'mail.house.test' } })
  const make = async () => created(await projectApi.post<ReceivingDomain>('receiving/domains', { type: 'managed' }))
  const [first, second] = [await make(), await make()]
  expect(first).toMatchObject({ projectId, type: 'managed', status: 'verified', records: [] })
  expect(first.name).toMatch(/^r[0-9a-f]{12}\.mail\.house\.test$/)
  expect(second.name).not.toBe(first.name)
  expect((await verify(projectApi, first)).body).toMatchObject({ status: 'verified' })
  const { body } = await projectApi.get<{ data: ReceivingDomain[] }>('receiving/domains')
  expect(body.data.map(({ name }) => name)).toEqual([second.name, first.name])
  expect((await projectApi.get(`receiving/domains/${first.id}`)).body).toEqual(first)
})

test('a custom domain is verified when its mail comes to us and the name is proven', async () => {
  const { projectApi, dns } = await worldWithDns()
  const domain = await custom(projectApi, 'In.Example.COM')
  expect(domain).toMatchObject({ name: 'in.example.com', status: 'pending', verifiedAt: null, lastCheckedAt: null })
  expect(domain.records).toMatchObject([
    { purpose: 'receiving-mx', type: 'MX', name: 'in.example.com', host: 'in', value: SMTP_HOSTNAME, priority: 10 },
    {
      purpose: 'receiving-proof',
      type: 'TXT',
      name: '_posthouse.in.example.com',
      host: '_posthouse.in',
      value: `posthouse-receiving=${domain.id}`,
    },
    { purpose: 'receiving-tls-reports', type: 'TXT', name: '_smtp._tls.in.example.com', required: false },
  ])
  expect((await verify(projectApi, domain)).body).toMatchObject({
    status: 'pending',
    records: [
      { status: 'pending', observed: [] },
      { status: 'pending', observed: [] },
      { status: 'pending', observed: [] },
    ],
  })
  publish(dns.zones, domain.records.slice(0, 1))
  expect((await verify(projectApi, domain)).body).toMatchObject({
    status: 'pending',
    records: [{ status: 'verified', observed: [`10 ${SMTP_HOSTNAME}`] }, { status: 'pending' }, { status: 'pending' }],
  })
  publish(dns.zones, domain.records.slice(1, 2))
  const { body } = await verify(projectApi, domain)
  expect(body).toMatchObject({ status: 'verified', verifiedAt: expect.any(String), lastCheckedAt: expect.any(String) })
})

test('hints say what is wrong with the records of a zone itself', async () => {
  const { projectApi, dns } = await worldWithDns()
  const domain = await custom(projectApi, 'example.com')
  expect(domain.records.map(({ host }) => host)).toEqual(['@', '_posthouse', '_smtp._tls'])
  dns.zones['example.com'] = { MX: ['5 mx.elsewhere.test', `10 ${SMTP_HOSTNAME}`] }
  dns.zones['_posthouse.example.com.example.com'] = { TXT: [domain.records[1]!.value] }
  const { body } = await verify(projectApi, domain)
  const mx = recordOf(body as unknown as ShownDomain, 'receiving-mx')
  expect(mx).toMatchObject({ status: 'mismatch', observed: ['5 mx.elsewhere.test', `10 ${SMTP_HOSTNAME}`] })
  expect(mx.hint).toContain('goes elsewhere first')
  expect(recordOf(body as unknown as ShownDomain, 'receiving-proof').hint).toContain('Enter "_posthouse" as its name')
})

test('the proof of another project proves nothing, and the mail of a name has one holder', async () => {
  const { api, projectApi, dns, newProject, clientWith } = await worldWithDns()
  const other = await clientWith({ scopes: ['*'], projectId: await newProject() })
  const [ours, theirs] = [await custom(projectApi, 'in.example.com'), await custom(other, 'in.example.com')]
  publish(dns.zones, ours.records)
  const stranger = await verify(other, theirs)
  expect(stranger.body).toMatchObject({
    status: 'pending',
    records: [{ status: 'verified' }, { status: 'mismatch' }, { status: 'verified' }],
  })
  expect((await verify(projectApi, ours)).body.status).toBe('verified')
  publish(dns.zones, theirs.records.slice(1))
  expect(await verify(other, theirs)).toMatchObject({ status: 409, body: { code: 'domain_taken' } })
  expect((await projectApi.delete(`receiving/domains/${ours.id}`)).body).toEqual({ id: ours.id, deleted: true })
  expect((await verify(other, theirs)).body.status).toBe('verified')
  expect((await projectApi.get(`receiving/domains/${ours.id}`)).status).toBe(404)
  const list = await api.get<{ data: unknown[] }>('receiving/domains', {
    headers: { 'x-service-project-id': ours.projectId },
  })
  expect(list.body.data).toEqual([])
})

test('a verified domain that loses its records fails after a day, and comes back with them', async () => {
  const { projectApi, dns, db, services } = await worldWithDns()
  const domain = await custom(projectApi, 'in.example.com')
  publish(dns.zones, domain.records)
  const look = async (afterSeconds: number) => {
    await moveClock(db, afterSeconds)
    await services.receivingDomains.checkDue(new AbortController().signal)
    return (await projectApi.get<ReceivingDomain>(`receiving/domains/${domain.id}`)).body.status
  }
  // In the background, without anybody asking for it.
  expect(await look(6 * 60)).toBe('verified')
  const mx = dns.zones['in.example.com']!
  dns.zones['in.example.com'] = {}
  expect(await look(HOUR)).toBe('verified')
  expect(await look(24 * HOUR)).toBe('verified')
  expect(await look(25 * HOUR + 60)).toBe('failed')
  expect(await look(26 * HOUR)).toBe('failed')
  dns.zones['in.example.com'] = mx
  expect(await look(27 * HOUR)).toBe('verified')
})

test('servers that do not answer change nothing', async () => {
  const { projectApi, dns, db, services } = await worldWithDns()
  const domain = await custom(projectApi, 'in.example.com')
  publish(dns.zones, domain.records)
  await verify(projectApi, domain)
  dns.zones['in.example.com'] = { fault: 'servfail' }
  for (const hours of [1, 24, 48]) {
    await moveClock(db, hours * HOUR)
    await services.receivingDomains.checkDue(new AbortController().signal)
  }
  expect((await projectApi.get<ReceivingDomain>(`receiving/domains/${domain.id}`)).body.status).toBe('verified')
})

test('what is no name of the caller, or none at all, is refused', async () => {
  const { projectApi } = await worldWithDns()
  const wrong: [object, string][] = [
    [{ type: 'custom' }, '/name'],
    [{ type: 'managed', name: 'x.example.com' }, '/name'],
    [{ type: 'custom', name: 'co.uk' }, '/name'],
    [{ type: 'custom', name: '192.0.2.1' }, '/name'],
    [{ type: 'custom', name: SMTP_HOSTNAME }, '/name'],
    [{ type: 'custom', name: 'mine.in.posthouse.test' }, '/name'],
    [{ type: 'custom', name: 'simulator.posthouse.test' }, '/name'],
    [{ type: 'own', name: 'in.example.com' }, '/type'],
    [{ name: 'in.example.com' }, '/type'],
    [{ type: 'custom', name: 'in.example.com', label: 'x' }, '/label'],
  ]
  for (const [body, path] of wrong) {
    const reply = await projectApi.post('receiving/domains', body)
    expect(reply, JSON.stringify(body)).toMatchObject({ status: 400, body: { code: 'validation_error' } })
    expect((reply.body['details'] as { path: string }[]).map((problem) => problem.path)).toContain(path)
  }
  const { id } = await custom(projectApi, 'in.example.com')
  expect(await projectApi.post('receiving/domains', { type: 'custom', name: 'IN.example.com' })).toMatchObject({
    status: 409,
    body: { code: 'already_exists', existingId: id },
  })
})
