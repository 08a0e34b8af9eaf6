import { Resolver } from 'node:dns/promises'
import fc from 'fast-check'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { expect, test } from 'vitest'
import { anyText } from '../mail/contents.ts'
import { readMessage } from '../mail/reading.ts'
import type { DnsServer } from '../support/dns-server.ts'
import { publish, type ShownDomain } from '../support/domains.ts'
import { eventually } from '../support/eventually.ts'
import { mailWorld, steadyPauses } from '../support/mail-world.ts'
import { runs } from '../support/runs.ts'
import { seedFor } from '../support/seed.ts'

const FUZZED = runs(150)

const bodies: Record<string, { text?: string; html?: string }> = {
  'an empty text': { text: '' },
  'nothing but line ends': { text: '\r\n\r\n\n\n' },
  'tabs and spaces at line ends': { text: 'one \t\r\ntwo\t \n three  \n\t\n' },
  'mixed line ends': { text: 'a\rb\nc\r\nd\n\re' },
  'lines beyond every limit': { text: 'x'.repeat(5_000), html: `<p>${'y '.repeat(3_000)}</p>` },
  'letters beyond ASCII': { text: 'Grüße, 中文, 😀, čĊ', html: '<p>Grüße, 中文, 😀</p>' },
  'dots and From at line starts': { text: '.\n..\nFrom me\n.\r\n', html: '.<br>\n.\nFrom ' },
  'no end of line at the end': { text: 'x', html: '<p>x' },
  'more than is kept in memory': { text: 'A line of many.\n'.repeat(20_000) },
}

test('every message verifies with both keys, whatever it says', async () => {
  const { send, becomes, sink, dns, projectApi, verifiedDomain } = await mailWorld()
  await verifiedDomain('signed.example', projectApi, { ed25519: true })
  const from = 'Sender ü <hello@signed.example>'
  const fuzzed = fc.sample(fc.record({ text: anyText, html: anyText, subject: anyText }), {
    numRuns: FUZZED,
    seed: seedFor('signatures'),
  })
  const wishes = [
    ...Object.values(bodies).map((body) => ({ html: undefined, subject: 'Signed', ...body })),
    ...fuzzed.map(({ subject, ...body }) => ({ ...body, subject: subject.replaceAll(/[\r\n\0]/g, ' ') })),
  ]
  const answers = await Promise.all(
    wishes.map((wish, i) => projectApi.post<{ id: string }>('email/send', { from, to: `${i}@sink.test`, ...wish })),
  )
  for (const [i, { status }] of answers.entries()) expect([202, 400], JSON.stringify(wishes[i])).toContain(status)
  const ids = answers.filter(({ status }) => status === 202).map(({ body }) => body.id)
  // NUL and half characters are refused; everything else has to arrive.
  expect(ids.length).toBeGreaterThan(wishes.length / 2)
  await Promise.all(ids.map((id) => becomes(id, 'delivered')))
  expect(sink.taken).toHaveLength(ids.length)
  for (const { raw, to } of sink.taken) expect([to, ...(await verdicts(raw, dns))]).toEqual([to, 'pass', 'pass'])

  const { raw } = sink.taken[0]!
  const signatures = readMessage(raw).headers.filter(({ name }) => name === 'DKIM-Signature')
  expect(signatures.map(({ value }) => /a=([a-z0-9-]+)/.exec(value)?.[1])).toEqual(['rsa-sha256', 'ed25519-sha256'])
  for (const { value } of signatures) {
    expect(value).toContain('d=signed.example')
    const covered = /h=([^;]*)/.exec(value)![1]!.replaceAll(' ', '').split(':')
    const wanted = 'from to subject date message-id mime-version content-type feedback-id cfbl-address cfbl-feedback-id'
    for (const name of wanted.split(' ')) expect(covered).toContain(name)
  }
  const forged = Buffer.from(raw.toString('latin1').replace('Feedback-ID: :', 'Feedback-ID: :x'), 'latin1')
  expect(await verdicts(forged, dns)).toEqual(['fail', 'fail'])
  await becomes(await send('unsigned-by-two@sink.test'), 'delivered')
  expect(await verdicts(sink.taken.at(-1)!.raw, dns)).toEqual(['pass'])
})

test('a new key takes over when its record is there, and no message is ever without a good signature', async () => {
  const { send, becomes, sink, dns, projectApi, verifiedDomain, advance } = await mailWorld({
    circumstances: steadyPauses,
  })
  const id = await verifiedDomain('signed.example', projectApi, { ed25519: true })
  const from = 'hello@signed.example'
  const mail = async (to: string): Promise<string[]> => {
    await becomes(await send(to, { from }), 'delivered')
    const { raw } = sink.taken.at(-1)!
    expect(await verdicts(raw, dns)).toEqual(['pass', 'pass'])
    return selectorsIn(raw)
  }
  const before = await mail('before@sink.test')
  const rotated = (await projectApi.post<ShownDomain>(`domains/${id}/rotate-dkim`)).body
  await advance({ seconds: 40 })
  expect(await mail('during@sink.test')).toEqual(before)

  const known = new Set(Object.keys(dns.zones))
  publish(
    dns.zones,
    rotated.records.filter(({ name, purpose }) => purpose === 'dkim' && !known.has(name)),
  )
  const verified = (await projectApi.post<ShownDomain>(`domains/${id}/verify`)).body
  expect(verified.status).toBe('verified')
  await advance({ seconds: 40 })
  const after = await eventually('the new keys sign', async () => {
    const selectors = await mail('after@sink.test')
    return selectors[0] !== before[0] && selectors
  })
  expect(after).toHaveLength(2)
  expect(after.filter((selector) => before.includes(selector))).toEqual([])
})

const selectorsIn = (raw: Buffer): string[] =>
  readMessage(raw)
    .headers.filter(({ name }) => name === 'DKIM-Signature')
    .map(({ value }) => /s=(\w+)/.exec(value)![1]!)

async function verdicts(raw: Buffer, dns: DnsServer): Promise<string[]> {
  const resolver = new Resolver()
  resolver.setServers([dns.address])
  const ask = (name: string, type: string) => resolver.resolve(name, type) as Promise<string[][]>
  // Much is dated ahead here: the clock moves.
  const { results } = await dkimVerify(raw, { strict: true, resolver: ask, curTime: new Date(Date.now() + 3_600_000) })
  return results.map(({ status }) => status.result)
}

test('what a provider counts complaints by names this installation, on whichever node', async () => {
  const senderOf = async (env: Record<string, string>): Promise<string> => {
    const { send, becomes, sink } = await mailWorld({ env })
    await becomes(await send('ann@sink.test'), 'delivered')
    const raw = sink.taken[0]!.raw.toString('latin1').replaceAll(/\r\n[ \t]+/g, ' ')
    return /^Feedback-ID: [^:]*:[^:]*:[^:]*:([^:\r\n]*)\r$/m.exec(raw)![1]!
  }
  const [first, again, other] = [
    await senderOf({ MASTER_KEY: 'a'.repeat(64), SMTP_HOSTNAME: 'mail.one.test' }),
    await senderOf({ MASTER_KEY: 'a'.repeat(64), SMTP_HOSTNAME: 'mail.two.test' }),
    await senderOf({ MASTER_KEY: 'b'.repeat(64), SMTP_HOSTNAME: 'mail.one.test' }),
  ]
  expect(first).toMatch(/^[a-z0-9-]{5,15}$/)
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})
