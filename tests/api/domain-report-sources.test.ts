import { expect, test } from 'vitest'
import type { Dns } from '../../src/net/dns.ts'
import { Sources } from '../../src/resources/domain-reports/sources.ts'

test('where we send from is looked up once at a time; without an answer the last record holds, and no name does', async () => {
  let [now, looks, isAnswered, host] = [1, 0, true, '192.0.2.50']
  const dns = {
    txt: () => {
      looks++
      const records = ['v=spf1 ip4:203.0.113.7 -all']
      return Promise.resolve(isAnswered ? { kind: 'found', records } : { kind: 'temporary' })
    },
    a: () => Promise.resolve({ kind: 'found', records: [host] }),
    aaaa: () => Promise.resolve({ kind: 'none' }),
  } as unknown as Dns
  const clock = { now: () => now } as ConstructorParameters<typeof Sources>[0]['clock']
  const sources = new Sources({ dns, clock, smtpHostname: 'mx.posthouse.test', ownAddresses: [] })
  await Promise.all([sources.refresh(), sources.refresh()])
  expect(looks).toBe(1)
  now += 3_600_000
  isAnswered = false
  host = '192.0.2.51'
  await sources.refresh()
  expect(['203.0.113.7', '192.0.2.50', '192.0.2.51'].map((address) => sources.isOurs(address))).toEqual([
    true,
    false,
    true,
  ])
})
