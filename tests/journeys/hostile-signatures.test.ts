import { generateKeyPairSync } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { receivingWorld, type ReceivingWorld } from '../support/receiving.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const record = { TXT: [[`v=DKIM1; k=rsa; p=${key.slice(0, 200)}`, key.slice(200)]] }

const zones = {
  'good.test': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
  'k1._domainkey.good.test': record,
  '_dmarc.good.test': { TXT: ['v=DMARC1; p=reject'] },
  'strict.test': { TXT: ['v=spf1 -all'] },
  '_dmarc.strict.test': { TXT: ['v=DMARC1; p=reject'] },
  'k._domainkey.hostile.test': record,
}
const dkim = {
  domainName: 'good.test',
  keySelector: 'k1',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}

/** 500 signatures, each of another length of the body. */
const signatures = Array.from(
  { length: 500 },
  (_, at) =>
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=hostile.test; s=k; l=${20_000 + at};\r\n` +
    ' h=from; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=YQ==\r\n',
).join('')
const hostile = `${signatures}From: eve@hostile.test\r\n\r\n${' \r\n'.repeat(28_000)}x`

/** Reading steps back for everything else, so on a busy machine it takes its time. */
const PATIENCE_MS = 90_000
const authOf = async (here: ReceivingWorld, to: string) => (await here.arrived(to, undefined, PATIENCE_MS)).auth

/** Of a message that is signed, and of one whose sender's domain disowns it. */
async function verdicts(here: ReceivingWorld, domain: string, name: string) {
  const [good, bad] = [`good-${name}@${domain}`, `bad-${name}@${domain}`]
  await here.mail({ from: 'a@good.test', to: good, subject: name, text: 'x', dkim })
  await here.mail({ from: 'a@strict.test', to: bad, subject: name, text: 'x' })
  return [await authOf(here, good), await authOf(here, bad)]
}

const right = [
  { spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none' },
  { spf: 'fail', dkim: 'none', dmarc: 'fail', arc: 'none' },
]

test(
  'a message with 500 signatures changes the verdict on nobody else',
  async () => {
    const here = await receivingWorld({ zones })
    const domain = await here.managedDomain()
    expect(await verdicts(here, domain, 'before')).toEqual(right)
    for (let number = 0; number < 3; number++) {
      expect(await here.deliver(`X: ${number}\r\n${hostile}`, { to: `hostile${number}@${domain}` })).toMatch(/^250 /)
    }
    expect(await verdicts(here, domain, 'beside')).toEqual(right)
    expect(await authOf(here, `hostile0@${domain}`)).toMatchObject({ dmarc: 'none' })
  },
  4 * PATIENCE_MS,
)

test(
  'a message that stops the thread of all others changes the verdict on none of them',
  async () => {
    process.env['POSTHOUSE_FAILPOINTS'] = 'reading.verify=spin@poison'
    onTestFinished(() => void delete process.env['POSTHOUSE_FAILPOINTS'])
    const here = await receivingWorld({ zones })
    const domain = await here.managedDomain()
    await here.deliver('Subject: poison\r\n\r\nx', { to: `poisoned@${domain}` })
    expect(await verdicts(here, domain, 'beside')).toEqual(right)
    expect(await authOf(here, `poisoned@${domain}`)).toMatchObject({ dmarc: 'temperror' })
  },
  4 * PATIENCE_MS,
)
