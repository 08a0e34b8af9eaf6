import { expect, test } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { DnsResolver, type ZoneDns } from '../../src/net/dns.ts'
import { domainJobs } from '../../src/resources/domains/index.ts'
import { moveClock } from '../support/clock.ts'
import { enqueueNamed, gate, runnerOf } from '../jobs/world.ts'
import {
  createDomain,
  domainsElsewhere,
  publish,
  recordOf,
  verifiedDomain,
  workspaceOf,
  worldWithDns,
  type ShownDomain,
} from '../support/domains.ts'

const [MINUTE, HOUR] = [60, 3_600]
const never = new AbortController().signal
const DOMAINS = 24

test('a domain that loses a record is warned for a day, fails, and comes back', async () => {
  const here = await worldWithDns()
  const { projectApi, dns, db, services } = here
  const { id, verifiedAt } = await verifiedDomain(projectApi, dns, 'example.com')
  const lost = dns.zones['bounce.example.com']!
  delete dns.zones['bounce.example.com']
  const statusAfter = async (seconds: number): Promise<string> => {
    await moveClock(db, seconds)
    await services.domains.checkDue(never)
    return (await projectApi.get<ShownDomain>(`domains/${id}`)).body.status
  }
  const owned = async () => (await services.domains.owners(await workspaceOf(here), ['example.com'])).has('example.com')
  expect(await statusAfter(100 * HOUR)).toBe('warning')
  expect(await owned()).toBe(true)
  expect(await statusAfter(123 * HOUR)).toBe('warning')
  expect(await owned()).toBe(true)
  expect(await statusAfter(124 * HOUR + MINUTE)).toBe('failed')
  expect(await owned()).toBe(false)
  dns.zones['bounce.example.com'] = lost
  expect(await statusAfter(125 * HOUR)).toBe('failed')
  expect(await statusAfter(149 * HOUR)).toBe('verified')
  expect(await owned()).toBe(true)
  expect((await projectApi.get(`domains/${id}`)).body).toMatchObject({ verifiedAt })
})

test('a failed domain whose name was verified elsewhere meanwhile stays failed', async () => {
  const { projectApi, clientWith, newProject, dns, db, services } = await worldWithDns()
  const first = await verifiedDomain(projectApi, dns, 'example.com')
  const { name } = recordOf(first, 'dkim')
  const published = dns.zones[name]!
  delete dns.zones[name]
  for (const hours of [1, 26]) {
    await moveClock(db, hours * HOUR)
    await services.domains.checkDue(never)
  }
  const other = await clientWith({ scopes: ['*'], projectId: await newProject() })
  const second = await createDomain(other, 'example.com')
  publish(dns.zones, [recordOf(second, 'dkim')])
  dns.zones[name] = published
  expect((await other.post(`domains/${second.id}/verify`)).body).toMatchObject({ status: 'verified' })
  await moveClock(db, 60 * HOUR)
  await services.domains.checkDue(never)
  const seen = (await projectApi.get<ShownDomain>(`domains/${first.id}`)).body
  expect([seen.status, recordOf(seen, 'dkim').status]).toEqual(['failed', 'verified'])
  expect((await other.get(`domains/${second.id}`)).body).toMatchObject({ status: 'verified' })
})

test('a name that an archived project holds is free when its records are gone', async () => {
  const { api, projectApi, projectId, clientWith, newProject, dns, db, services } = await worldWithDns()
  const held = await verifiedDomain(projectApi, dns, 'example.com')
  await api.delete(`projects/${projectId}`)
  const other = await clientWith({ scopes: ['*'], projectId: await newProject() })
  const { id, records } = await createDomain(other, 'example.com')
  publish(dns.zones, [records[0]!])
  const verify = () => other.post(`domains/${id}/verify`)
  expect(await verify()).toMatchObject({ status: 409, body: { code: 'domain_taken' } })
  delete dns.zones[recordOf(held, 'dkim').name]
  for (const hours of [1, 26]) {
    await moveClock(db, hours * HOUR)
    await services.domains.checkDue(never)
  }
  expect(await verify()).toMatchObject({ status: 200, body: { status: 'verified' } })
})

test('domains are looked at every five minutes for three days, then daily, and every five minutes in warning', async () => {
  const { projectApi, dns, db } = await worldWithDns()
  const { id } = await verifiedDomain(projectApi, dns, 'example.com')
  const minutesToNext = async (hours: number): Promise<number> => {
    await moveClock(db, hours * HOUR)
    const { nextCheckAt, lastCheckedAt } = (await projectApi.post<ShownDomain>(`domains/${id}/verify`)).body
    return Math.round((Date.parse(nextCheckAt) - Date.parse(lastCheckedAt!)) / 60_000)
  }
  expect(await minutesToNext(0)).toBe(5)
  expect(await minutesToNext(71)).toBe(5)
  expect(await minutesToNext(73)).toBe(24 * 60)
  delete dns.zones['bounce.example.com']
  expect(await minutesToNext(80)).toBe(5)
  expect(await minutesToNext(105)).toBe(24 * 60)
})

test('the job looks at what is due and at nothing else', async () => {
  const { projectApi, dns, db, services } = await worldWithDns()
  const { id, records } = await createDomain(projectApi, 'example.com')
  publish(dns.zones, records)
  const runJob = async (): Promise<string> => {
    await enqueueNamed(db, 'domains.check-due')
    await runnerOf(db, domainJobs(services.domains)).runOnce()
    return (await projectApi.get<ShownDomain>(`domains/${id}`)).body.status
  }
  expect(await runJob()).toBe('pending')
  expect(dns.questions).toEqual([])
  await moveClock(db, 6 * MINUTE)
  expect(await runJob()).toBe('verified')
})

test('two workers at the same time look at each domain once', async () => {
  const here = await worldWithDns()
  for (let i = 0; i < DOMAINS; i++) await createDomain(here.projectApi, `d${i}.example`)
  await moveClock(here.db, 6 * MINUTE)
  const workers = [
    domainsElsewhere(here, resolver(here.dns.address)),
    domainsElsewhere(here, resolver(here.dns.address)),
  ]
  await Promise.all(workers.map((worker) => worker.checkDue(never)))
  const zones = here.dns.questions.filter((question) => /^NS d\d+\.example$/.test(question))
  expect(zones).toHaveLength(DOMAINS)
  expect(new Set(zones).size).toBe(DOMAINS)
})

test('a look that began earlier and ends later changes nothing', async () => {
  const here = await worldWithDns()
  const { id, records } = await createDomain(here.projectApi, 'example.com')
  await moveClock(here.db, 6 * MINUTE)
  const [asked, released] = [gate(), gate()]
  const dns = resolver(here.dns.address)
  const slow: ZoneDns = new Proxy(dns, {
    get: (_, type: 'lifetime') => async (name: string, more: 'TXT') => {
      const answer = await dns[type](name, more)
      asked.resolve()
      await released.promise
      return answer
    },
  })
  const late = domainsElsewhere(here, slow).checkDue(never)
  await asked.promise
  publish(here.dns.zones, records)
  const { body } = await here.projectApi.post<ShownDomain>(`domains/${id}/verify`)
  expect(body.status).toBe('verified')
  released.resolve()
  await late
  expect((await here.projectApi.get(`domains/${id}`)).body).toEqual(body)
})

const resolver = (address: string): DnsResolver => new DnsResolver({ servers: [address], clock: systemClock })
