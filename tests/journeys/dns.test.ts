import { expect, test } from 'vitest'
import { mailWorld, steadyPauses } from '../support/mail-world.ts'
import type { Zones } from '../support/dns-server.ts'
import { stretched } from '../support/eventually.ts'

interface Answer {
  zones: Zones
  status: 'delivered' | 'deferred' | 'bounced' | 'failed'
  enhanced?: string
}

const hundred = Array.from({ length: 100 }, (_, n) => n)

/** What the DNS says about the domain `x`, and what becomes of mail to it. */
const answers: Record<string, (x: string) => Answer> = {
  'a null MX': (x) => ({ zones: { [x]: { MX: ['0 .'] } }, status: 'bounced', enhanced: '5.1.10' }),
  'no such domain': () => ({ zones: {}, status: 'bounced', enhanced: '5.1.2' }),
  'a domain without mail host and address': (x) => ({
    zones: { [x]: { TXT: ['nothing else'] } },
    status: 'bounced',
    enhanced: '5.1.2',
  }),
  SERVFAIL: (x) => ({ zones: { [x]: { fault: 'servfail' } }, status: 'deferred', enhanced: '4.4.3' }),
  REFUSED: (x) => ({ zones: { [x]: { fault: 'refused' } }, status: 'deferred', enhanced: '4.4.3' }),
  silence: (x) => ({ zones: { [x]: { fault: 'silence' } }, status: 'deferred', enhanced: '4.4.3' }),
  garbage: (x) => ({ zones: { [x]: { fault: 'garbage' } }, status: 'deferred', enhanced: '4.4.3' }),
  'an address and no MX': (x) => ({ zones: { [x]: { A: ['127.0.0.1'] } }, status: 'delivered' }),
  'an alias': (x) => ({ zones: { [x]: { CNAME: 'sink.test' } }, status: 'delivered' }),
  'an MX that is an alias': (x) => ({
    zones: { [x]: { MX: [`10 mx.${x}`] }, [`mx.${x}`]: { CNAME: 'mx.sink.test' } },
    status: 'delivered',
  }),
  'an MX of which nobody answers': (x) => ({
    zones: { [x]: { MX: [`10 mx.${x}`] }, [`mx.${x}`]: { fault: 'silence' } },
    status: 'deferred',
  }),
  'an MX without an address': (x) => ({
    zones: { [x]: { MX: [`10 mx.${x}`] }, [`mx.${x}`]: { TXT: ['no address'] } },
    status: 'deferred',
  }),
  'an address in the place of a host': (x) => ({ zones: { [x]: { MX: ['10 127.0.0.1'] } }, status: 'deferred' }),
  'a null MX beside another': (x) => ({ zones: { [x]: { MX: ['0 .', '10 mx.sink.test'] } }, status: 'delivered' }),
  'a hundred MX, all of them good': (x) => ({
    zones: {
      [x]: { MX: hundred.map((n) => `${n} mx${n}.${x}`) },
      ...Object.fromEntries(hundred.map((n) => [`mx${n}.${x}`, { A: ['127.0.0.1'] }])),
    },
    status: 'delivered',
  }),
  'a hundred MX of which nobody answers': (x) => ({
    zones: {
      [x]: { MX: hundred.map((n) => `10 mx${n}.${x}`) },
      ...Object.fromEntries(hundred.map((n) => [`mx${n}.${x}`, { fault: 'silence' as const }])),
    },
    status: 'deferred',
  }),
  'a hundred MX where nobody listens': (x) => ({
    zones: {
      [x]: { MX: hundred.map((n) => `10 mx${n}.${x}`) },
      ...Object.fromEntries(hundred.map((n) => [`mx${n}.${x}`, { A: [`127.0.9.${n + 1}`] }])),
    },
    status: 'deferred',
  }),
}

/** For DNS alone it is ten seconds; the rest is for a busy machine. */
const PATIENCE_MS = 12_000

test('whatever the DNS says or does not say, mail is delivered, deferred or bounced as it should be, and soon', async () => {
  const { send, becomes, dns, sink, projectApi, email } = await mailWorld()
  const cases = Object.entries(answers).map(([name, answer], i) => ({
    name,
    domain: `d${i}.test`,
    ...answer(`d${i}.test`),
  }))
  for (const { zones } of cases) Object.assign(dns.zones, zones)
  const start = performance.now()
  const ids = await Promise.all(cases.map(({ domain }) => send(`ann@${domain}`)))
  await Promise.all(
    cases.map(async ({ name, status, enhanced, domain }, i) => {
      const found = await becomes(ids[i]!, status).catch(async () => email(ids[i]!))
      expect([name, found.status]).toEqual([name, status])
      expect(found.recipients, name).toMatchObject([{ attempts: 1 }])
      expect(found.events, name).toMatchObject([{ type: `email.${status}`, recipient: `ann@${domain}` }])
      if (enhanced) expect([name, found.events[0]!.smtp?.enhanced]).toEqual([name, enhanced])
    }),
  )
  expect(performance.now() - start).toBeLessThan(stretched(PATIENCE_MS))
  const bounced = cases.filter(({ status }) => status === 'bounced').map(({ domain }) => `ann@${domain}`)
  const { data } = (await projectApi.get<{ data: { email: string }[] }>('suppressions')).body
  expect(data.map(({ email }) => email).toSorted()).toEqual(bounced)
  expect(sink.taken).toHaveLength(cases.filter(({ status }) => status === 'delivered').length)
})

test('mail that was deferred for the DNS is delivered when it answers again', async () => {
  const { send, becomes, dns, advance } = await mailWorld({
    circumstances: steadyPauses,
    zones: { 'ill.test': { fault: 'servfail' } },
  })
  const id = await send('ann@ill.test')
  await becomes(id, 'deferred')
  dns.zones['ill.test'] = { MX: ['10 mx.sink.test'] }
  await advance({ minutes: 2 })
  expect((await becomes(id, 'delivered')).recipients).toMatchObject([{ attempts: 2 }])
})
