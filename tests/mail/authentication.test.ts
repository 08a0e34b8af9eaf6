import { generateKeyPairSync } from 'node:crypto'
import { dkimSign } from 'mailauth'
import { expect, test } from 'vitest'
import { isCostly, authResultsOf } from '../../src/mail/parse/authentication.ts'
import type { Answer, Dns } from '../../src/net/dns.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 1024,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const records: Record<string, string> = {
  'k._domainkey.bank.test': `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`,
  '_dmarc.bank.test': 'v=DMARC1; p=reject',
}

/** Knows the records above, and counts. */
function dnsServer(): { dns: Dns; asked: string[] } {
  const asked: string[] = []
  const answer = async <T>(name: string, found?: T): Promise<Answer<T>> => {
    asked.push(name)
    return found === undefined ? { kind: 'absent' } : { kind: 'found', records: [found] }
  }
  const nothing = (name: string) => answer<never>(name)
  return {
    dns: {
      mx: nothing,
      a: nothing,
      aaaa: nothing,
      cname: nothing,
      ptr: nothing,
      txt: (name) => answer(name, records[name]),
    },
    asked,
  }
}

const sender = { address: '192.0.2.1', helo: 'x.test', envelopeFrom: '' }
const prove = (message: string, dns: Dns = dnsServer().dns) =>
  authResultsOf(Buffer.from(message), sender, { dns, hostname: 'mx.posthouse.test' })

const empty = 'From: Ann <ann@bank.test>\r\n\r\n'
const letter = 'From: Ann <ann@bank.test>\r\nSubject: Hello\r\n\r\nPay Bob.\r\n'

/** As a field to be put in front. */
async function signatureOf(message: string, maxBodyLength?: number): Promise<string> {
  const data = {
    signingDomain: 'bank.test',
    selector: 'k',
    privateKey,
    ...(maxBodyLength === undefined ? {} : { maxBodyLength }),
  }
  const { signatures } = await dkimSign(message, {
    ...data,
    canonicalization: 'relaxed/relaxed',
    signatureData: [data],
  })
  return signatures
}

const junk = (number: number): string =>
  `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=d${number}.test; s=k; h=from;\r\n` +
  ' bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=YQ==\r\n'
const junks = (count: number): string => Array.from({ length: count }, (_, number) => junk(number)).join('')

test('a signature of a part of the body proves nothing about the message', async () => {
  const partial = await signatureOf(letter, 8)
  const enlarged = `${partial}${letter}Pay Eve too.\r\n`
  expect(await prove(enlarged)).toMatchObject({ dkim: 'policy', dmarc: 'fail' })
  expect(await prove(`${partial}${letter}`)).toMatchObject({ dkim: 'policy', dmarc: 'fail' })
  expect(await prove(`${await signatureOf(letter)}${partial}${letter}`)).toMatchObject({ dkim: 'pass', dmarc: 'pass' })
})

/** Other ways to write the name of the field, all of which the library reads: folds, and white space around it. */
const spellings = ['DKIM-Signature\r\n :', 'DKIM-Signature\r\n:', 'dkim-signature \t:', 'DKIM-Signature\n\t:']
/** Only the very first field of a message is read like that. */
const firstSpellings = [' DKIM-Signature:', ' \r\n\tDKIM-Signature:', 'DKIM-Signature\r\n \r\n :']

test('a signature of a part of the body is one however the name of its field is written', async () => {
  const partial = await signatureOf(letter, 8)
  for (const spelling of [...spellings, ...firstSpellings]) {
    const respelled = partial.replace(/^DKIM-Signature:/i, spelling)
    expect(respelled).not.toBe(partial)
    const authResults = await prove(`${respelled}${letter}Pay Eve too.\r\n`)
    expect(authResults.dkim, JSON.stringify(spelling)).not.toBe('pass')
    expect(authResults.dmarc, JSON.stringify(spelling)).toBe('fail')
  }
})

test('a signature that says a length and covers the whole body counts', async () => {
  expect(await prove(`${await signatureOf(letter, 'Pay Bob.\r\n'.length)}${letter}`)).toMatchObject({
    dkim: 'pass',
    dmarc: 'pass',
  })
})

test('ten signatures are judged, those on top', async () => {
  const own = await signatureOf(letter)
  expect(await prove(`${junks(9)}${own}${letter}`)).toMatchObject({ dkim: 'pass', dmarc: 'pass' })
  expect(await prove(`${junks(10)}${own}${letter}`)).toMatchObject({ dkim: 'neutral', dmarc: 'fail' })
})

test('however many domains a message names, few questions are asked', async () => {
  const { dns, asked } = dnsServer()
  await prove(`${junks(500)}${empty}`, dns)
  expect(asked.filter((name) => name.includes('_domainkey'))).toHaveLength(10)
  expect(asked.length).toBeLessThanOrEqual(60)
})

test('signatures are counted however the name of their field is written', async () => {
  for (const spelling of spellings) {
    const { dns, asked } = dnsServer()
    const many = junks(30).replaceAll('DKIM-Signature:', spelling)
    expect(isCostly(Buffer.from(`${many}${empty}`)), JSON.stringify(spelling)).toBe(true)
    await prove(`${many}${empty}`, dns)
    expect(
      asked.filter((name) => name.includes('_domainkey')),
      JSON.stringify(spelling),
    ).toHaveLength(10)
  }
})

test('a chain of ARC that is too long is not followed', async () => {
  const set = (i: number): string =>
    `ARC-Seal: i=${i}; a=rsa-sha256; cv=${i === 1 ? 'none' : 'pass'}; d=a${i}.test; s=k; b=YQ==\r\n` +
    `ARC-Message-Signature: i=${i}; a=rsa-sha256; c=relaxed/relaxed; d=a${i}.test; s=k; h=from; bh=YQ==; b=YQ==\r\n` +
    `ARC-Authentication-Results: i=${i}; a${i}.test; spf=pass\r\n`
  const chain = (length: number): string => Array.from({ length }, (_, at) => set(length - at)).join('')
  const { dns, asked } = dnsServer()
  expect(await prove(`${chain(11)}${letter}`, dns)).toMatchObject({ arc: 'permerror', dmarc: 'fail' })
  expect(asked.filter((name) => name.startsWith('k._domainkey.a'))).toEqual([])
  const folded = chain(11).replaceAll(/^(ARC-[\w-]+):/gm, '$1\r\n :')
  expect(await prove(`${folded}${letter}`, dns)).toMatchObject({ arc: 'permerror', dmarc: 'fail' })
  expect(asked.filter((name) => name.startsWith('k._domainkey.a'))).toEqual([])
  expect(await prove(`${chain(10)}${letter}`)).toMatchObject({ arc: 'fail' })
})

test('what may be much work is known before it is begun', () => {
  const costly: [string, string][] = [
    ['many signatures', `${junks(9)}${letter}`],
    ['a large header', `X: ${'x'.repeat(40_000)}\r\n${letter}`],
    ['many lines', letter + 'x\r\n'.repeat(10_000)],
    ['many bytes', letter + 'x'.repeat(600_000)],
    ['a signature with much white space', junks(1).replace('rsa-', `rsa${' '.repeat(3_000)}-`) + letter],
    ['a signature of a long name', junks(1).replace('.test', `${'.'.repeat(3_000)}test`) + letter],
    ['a name of a field with much white space', `a${' '.repeat(3_000)}b: c\r\n${letter}`],
  ]
  for (const [what, message] of costly) expect(isCostly(Buffer.from(message)), what).toBe(true)
  expect(isCostly(Buffer.from(`${junks(8)}${letter}${'x\r\n'.repeat(9_000)}`))).toBe(false)
})
