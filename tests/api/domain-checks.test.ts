import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import type { Zones } from '../support/dns-server.ts'
import {
  createDomain,
  publish,
  recordOf,
  SMTP_HOSTNAME,
  verifiedDomain,
  worldWithDns,
  type ShownDomain,
} from '../support/domains.ts'

test('a domain is verified once exactly the records that it shows are in the DNS', async () => {
  const { projectApi, dns } = await worldWithDns()
  const { id, records } = await createDomain(projectApi, 'mail.example.com', {
    tracking: { host: 'l.mail.example.com' },
  })
  const verify = () => projectApi.post<ShownDomain>(`domains/${id}/verify`)
  for (const [i, record] of records.entries()) {
    const { status, body } = await verify()
    expect(status).toBe(200)
    expect(body.records.map((each) => each.status)).toEqual(records.map((_, j) => (j < i ? 'verified' : 'pending')))
    expect(body.status).toBe(records.slice(i).some(({ required }) => required) ? 'pending' : 'verified')
    publish(dns.zones, [record])
  }
  const { body } = await verify()
  expect(body).toMatchObject({ status: 'verified', verifiedAt: expect.any(String), lastCheckedAt: expect.any(String) })
  for (const { status, observed, hint } of body.records) {
    expect({ status, hint }).toEqual({ status: 'verified', hint: null })
    expect(observed).toHaveLength(1)
  }
  expect((await projectApi.get(`domains/${id}`)).body).toEqual(body)
})

test('long values may be cut into strings and spaced as a panel likes', async () => {
  const { projectApi, dns } = await worldWithDns()
  const domain = await createDomain(projectApi, 'example.com')
  const dkim = recordOf(domain, 'dkim')
  const spaced = {
    ...dkim,
    value: dkim.value.replace('v=DKIM1; k=rsa; p=', 'v=DKIM1;k=rsa;p= ').replace(/(.{90})/, '$1 '),
  }
  publish(dns.zones, [spaced, ...domain.records.filter((record) => record !== dkim)], 40)
  expect((await projectApi.post(`domains/${domain.id}/verify`)).body).toMatchObject({ status: 'verified' })
})

interface Mishap {
  purpose: string
  status: 'pending' | 'mismatch'
  hint: RegExp
  happen(zones: Zones, name: string, value: string): void
}

const mishaps: Record<string, Mishap> = {
  'the zone was appended twice': {
    purpose: 'dkim',
    status: 'pending',
    hint: /\._domainkey\.example\.com\.example\.com: .* Enter "ph\w+\._domainkey"/,
    happen: (zones, name) => {
      zones[`${name}.example.com`] = zones[name]!
      delete zones[name]
    },
  },
  'the value is another': {
    purpose: 'dkim',
    status: 'mismatch',
    hint: /Replace its value/,
    happen: (zones, name, value) => void (zones[name] = { TXT: [[value.slice(0, 200), 'AAAA']] }),
  },
  'the key has a rival': {
    purpose: 'dkim',
    status: 'mismatch',
    hint: /There are 2 records of this kind/,
    happen: (zones, name) => void (zones[name] = { TXT: [...zones[name]!.TXT!, 'v=DKIM1; p=AAAA'] }),
  },
  'the key has the wrong version': {
    purpose: 'dkim',
    status: 'mismatch',
    hint: /Replace its value/,
    happen: (zones, name, value) => void (zones[name] = { TXT: [value.replace('DKIM1', 'DKIM2').match(/.{1,255}/g)!] }),
  },
  'the panel kept the quotation marks': {
    purpose: 'return-path-spf',
    status: 'mismatch',
    hint: /quotation marks/,
    happen: (zones, name, value) => void (zones[name] = { ...zones[name], TXT: [`"${value}"`] }),
  },
  'there are two SPF records': {
    purpose: 'return-path-spf',
    status: 'mismatch',
    hint: /There are 2 records of this kind/,
    happen: (zones, name, value) => void (zones[name] = { ...zones[name], TXT: [value, 'v=spf1 -all'] }),
  },
  'the SPF record names others': {
    purpose: 'return-path-spf',
    status: 'mismatch',
    hint: /Replace its value/,
    happen: (zones, name) => void (zones[name] = { ...zones[name], TXT: ['v=spf1 a:mx.other.test ~all'] }),
  },
  'something else lives there': {
    purpose: 'return-path-spf',
    status: 'pending',
    hint: /^Create a record of type TXT at bounce\.example\.com .* enter "bounce"/,
    happen: (zones, name) => void (zones[name] = { ...zones[name], TXT: ['site-verification=\0\u0001'] }),
  },
  'another host is preferred': {
    purpose: 'return-path-mx',
    status: 'mismatch',
    hint: /goes elsewhere first/,
    happen: (zones, name) => void (zones[name] = { ...zones[name], MX: ['5 mx.other.test', `10 ${SMTP_HOSTNAME}`] }),
  },
  'there is a CNAME': {
    purpose: 'return-path-mx',
    status: 'pending',
    hint: /CNAME record at bounce\.example\.com/,
    happen: (zones, name) => void (zones[name] = { CNAME: 'elsewhere.test' }),
  },
}

test.each(Object.entries(mishaps))('the hint helps where %s', async (how, { purpose, status, hint, happen }) => {
  const { projectApi, dns } = await worldWithDns()
  const domain = await createDomain(projectApi, 'example.com')
  publish(dns.zones, domain.records)
  const { name, value } = recordOf(domain, purpose)
  happen(dns.zones, name, value)
  const { body } = await projectApi.post<ShownDomain>(`domains/${domain.id}/verify`)
  expect(body.status).toBe('pending')
  const record = recordOf(body, purpose)
  expect(record.status).toBe(status)
  expect(record.hint).toMatch(hint)
  expect(record.observed.length > 0).toBe(status === 'mismatch' || how.startsWith('something'))
})

test('of all projects of an installation one holds a name, until it removes it', async () => {
  const { projectApi, clientWith, newProject, dns } = await worldWithDns()
  const holder = await verifiedDomain(projectApi, dns, 'example.com')
  const other = await clientWith({ scopes: ['*'], projectId: await newProject() })
  const domain = await createDomain(other, 'example.com')
  const verify = () => other.post<ShownDomain>(`domains/${domain.id}/verify`)
  const refused = { status: 409, body: { code: 'domain_taken' } }
  expect(await verify()).toMatchObject(refused)
  publish(dns.zones, [recordOf(domain, 'dkim')])
  expect(await verify()).toMatchObject(refused)
  const seen = (await other.get<ShownDomain>(`domains/${domain.id}`)).body
  expect(seen.status).toBe('pending')
  expect(recordOf(seen, 'dkim').status).toBe('verified')
  await projectApi.delete(`domains/${holder.id}`)
  expect(await verify()).toMatchObject({ status: 200, body: { status: 'verified' } })
})

test('when projects verify a name at the same time, one of them gets it', async () => {
  const { clientWith, newProject, dns, db } = await worldWithDns()
  const rivals = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const client = await clientWith({ scopes: ['*'], projectId: await newProject() })
      return { client, domain: await createDomain(client, 'example.com') }
    }),
  )
  publish(dns.zones, rivals[0]!.domain.records)
  for (const { domain } of rivals.slice(1)) publish(dns.zones, [recordOf(domain, 'dkim')])
  const replies = await Promise.all(rivals.map(({ client, domain }) => client.post(`domains/${domain.id}/verify`)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
  expect(await db.all(sql`select status from domains where status <> 'pending'`)).toEqual([{ status: 'verified' }])
})

test('servers that give no answer change nothing, but a record that is known to be missing does', async () => {
  const { projectApi, dns } = await worldWithDns()
  const domain = await verifiedDomain(projectApi, dns, 'example.com')
  const verify = async () => (await projectApi.post<ShownDomain>(`domains/${domain.id}/verify`)).body
  dns.zones['bounce.example.com']!.fault = 'servfail'
  const unanswered = await verify()
  expect(unanswered.status).toBe('verified')
  expect(recordOf(unanswered, 'return-path-mx')).toMatchObject({
    status: 'verified',
    observed: [`10 ${SMTP_HOSTNAME}`],
    hint: expect.stringMatching(/gave no answer/),
  })
  delete dns.zones[recordOf(domain, 'dkim').name]
  expect((await verify()).status).toBe('warning')
})

test('what is not there yet says what to create and where, before the first look as after it', async () => {
  const { projectApi } = await worldWithDns()
  const { id, records } = await createDomain(projectApi, 'mail.example.com')
  const { body } = await projectApi.post<ShownDomain>(`domains/${id}/verify`)
  const receiving = await projectApi.post<ShownDomain>('receiving/domains', { type: 'custom', name: 'in.example.com' })
  const shown = [...records, ...body.records, ...receiving.body.records]
  expect(shown).toHaveLength(11)
  for (const { type, name, host, priority, hint } of shown) {
    expect(hint).toContain(`type ${type} at ${name} `)
    expect(hint).toContain(`enter "${host}"`)
    if (priority !== null) expect(hint).toContain(`priority ${priority}`)
  }
})

test('the SPF record that was asked for before is as good, also what was seen of it', async () => {
  const { projectApi, dns, db } = await worldWithDns()
  const domain = await createDomain(projectApi, 'example.com')
  const spf = recordOf(domain, 'return-path-spf')
  const former = { ...spf, value: `v=spf1 a:${SMTP_HOSTNAME} ~all` }
  publish(dns.zones, [...domain.records.filter((record) => record !== spf), former])
  const { body } = await projectApi.post<ShownDomain>(`domains/${domain.id}/verify`)
  expect(body.status).toBe('verified')
  expect(recordOf(body, 'return-path-spf')).toMatchObject({ status: 'verified', hint: null })
  // As the version that asked for it has written it down.
  await db.run(sql`update domains set seen = replace(seen::text, 'include:_spf.', 'a:')::jsonb`)
  const migration = readFileSync('src/storage/migrations/0027_endings_and_limits.sql', 'utf8')
  await db.withClient((client) => client.query(/^update domains[^;]*;/m.exec(migration)![0]))
  expect((await projectApi.get(`domains/${domain.id}`)).body).toEqual(body)
})

test('an installation without an SPF record of its own says so, and keeps nobody from being verified', async () => {
  const { projectApi, dns } = await worldWithDns()
  delete dns.zones[`_spf.${SMTP_HOSTNAME}`]
  const domain = await verifiedDomain(projectApi, dns, 'example.com')
  const { status, hint } = recordOf(domain, 'return-path-spf')
  expect(status).toBe('verified')
  expect(hint).toMatch(/refers to _spf\.mx\.posthouse\.test, .* Ask the operator/)
})

test('what else an SPF record includes is no business of ours', async () => {
  const { projectApi, dns } = await worldWithDns()
  const domain = await createDomain(projectApi, 'example.com')
  const spf = recordOf(domain, 'return-path-spf')
  const value = spf.value.replace('v=spf1', 'v=spf1 include:_spf.elsewhere.example')
  publish(dns.zones, [...domain.records.filter((record) => record !== spf), { ...spf, value }])
  const hint = async () =>
    recordOf((await projectApi.post<ShownDomain>(`domains/${domain.id}/verify`)).body, 'return-path-spf').hint
  expect(await hint()).toBeNull()
  dns.zones['_spf.elsewhere.example'] = { TXT: ['v=spf1 -all'] }
  delete dns.zones[`_spf.${SMTP_HOSTNAME}`]
  expect(await hint()).toMatch(/refers to _spf\.mx\.posthouse\.test, /)
})

test('DMARC reports are asked for at an address of ours, and any DMARC record will do', async () => {
  const { projectApi, dns } = await worldWithDns()
  const domain = await createDomain(projectApi, 'news.example.co.uk')
  const dmarc = recordOf(domain, 'dmarc')
  expect(dmarc.value).toMatch(/^v=DMARC1; p=none; rua=mailto:dmarc\+[0-9a-f]{32}@mx\.posthouse\.test$/)
  publish(dns.zones, [{ ...dmarc, value: 'v=DMARC1; p=reject' }])
  const { body } = await projectApi.post<ShownDomain>(`domains/${domain.id}/verify`)
  expect(recordOf(body, 'dmarc')).toMatchObject({ status: 'verified', hint: null })
})
