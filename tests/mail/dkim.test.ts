import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { beforeAll, expect, test } from 'vitest'
import { composeBody } from '../../src/mail/compose/body.ts'
import {
  dkimRecord,
  exportKey,
  generateEd25519Key,
  generateRsaKey,
  importKey,
} from '../../src/mail/compose/dkim-key.ts'
import { signatures, type SigningKey } from '../../src/mail/compose/dkim.ts'
import { headBytes, type Header } from '../../src/mail/headers.ts'
import { composeHeaders } from '../../src/mail/compose/message-headers.ts'
import { runs } from '../support/runs.ts'
import { seedFor } from '../support/seed.ts'
import { bodyHashOf } from './body-hash.ts'
import { address, anyContent, anyText } from './contents.ts'
import { readHeaders } from './reading.ts'

const at = new Date('2026-11-05T09:08:07Z')
let rsa: SigningKey
let ed25519: SigningKey

beforeAll(async () => {
  rsa = { domain: 'example.com', selector: 'r1', privateKey: await generateRsaKey() }
  ed25519 = { domain: 'example.com', selector: 'e1', privateKey: await generateEd25519Key() }
})

test('mailauth verifies what we sign, with either key, whatever the message says', async () => {
  const anyLine = anyText.map((text) => text.replaceAll(/[\r\n\0]+/g, ' '))
  const anyName = anyLine.map((text) =>
    text
      .replaceAll(/\p{Cc}/gu, '')
      .toWellFormed()
      .slice(0, 100),
  )
  const property = fc.asyncProperty(anyContent, anyLine, anyName, anyLine, async (content, subject, name, note) => {
    const composed = composeBody(content, '<em_1@example.com>')
    const from = { ...address('news@example.com'), name: name.replaceAll(/ +/g, ' ').trim() }
    const to = [address('ann@example.org'), { ...from, email: 'bob@example.org' }]
    const message = { ...plain, from, to, subject, custom: { 'X-Note': note } }
    const headers = composeHeaders(message, composed.contentHeaders)
    const signed = await signatures({ headers, bodyHash: composed.bodyHash, at }, [rsa, ed25519])
    expect(await verdicts([...signed, ...headers], composed.body)).toEqual(['pass', 'pass'])
  })
  await fc.assert(property, { numRuns: runs(500), seed: seedFor('dkim') })
})

test('mailauth verifies bodies and header fields that other software wrote', async () => {
  const line = fc.array(fc.constantFrom('a', ' ', '  ', '\t', ' \t ', 'ü', '.', 'x'.repeat(90), '\u00a0'), {
    maxLength: 6,
  })
  const anyBody = fc
    .array(
      line.map((units) => units.join('')),
      { maxLength: 8 },
    )
    .chain((lines) => fc.constantFrom('', '\r\n', '\r\n\r\n', ' \r\n').map((end) => `${lines.join('\r\n')}${end}`))
  const fold = fc.constantFrom(' ', '\t', '  ', '\r\n ', '\r\n\t', ' \r\n \t', '\t\r\n\t')
  const property = fc.asyncProperty(anyBody, fold, fold, async (text, one, two) => {
    const body = Buffer.from(text)
    const headers = [
      header('FROM', `${one}Ann${two}<ann@example.com>${one === '\t' ? ' ' : ''}`),
      header('Subject', `a${one}b  c${two}d\tü\u00a0`),
      header('to', 'bob@example.org'),
      header('Cc', ' first@example.org'),
      header('CC', ' second@example.org'),
    ]
    const signed = await signatures({ headers, bodyHash: bodyHashOf(body), at }, [ed25519])
    expect(await verdicts([...signed, ...headers], body)).toEqual(['pass'])
  })
  await fc.assert(property, { numRuns: runs(500), seed: seedFor('foreign messages') })
})

test('the example of RFC 6376 has the body hash that is printed there', () => {
  const body = 'Hi.\r\n\r\nWe lost the game. Are you hungry yet?\r\n\r\nJoe.\r\n'
  expect(bodyHashOf(Buffer.from(body))).toBe('2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=')
  expect(bodyHashOf(Buffer.from(body.replaceAll(' ', ' \t ')))).toBe('2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=')
  expect(bodyHashOf(Buffer.from(`${body.slice(0, -2)} `))).toBe('2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=')
  expect(bodyHashOf(Buffer.from(''))).toBe('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=')
  expect(bodyHashOf(Buffer.from(' \r\n\t\r\n\r\n'))).toBe('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=')
})

test('everything that is shown or acted upon is covered, and what must not be added is covered once more', async () => {
  const { headers, body, bodyHash } = marketing()
  const [signed] = await signatures({ headers, bodyHash, at }, [rsa])
  const value = readHeaders(signed!.line)[0]!.value.replaceAll(' ', '')
  const tags: Record<string, string> = Object.fromEntries(value.split(';').map((tag) => tag.split(/=(.*)/s)))
  const { h = '', ...rest } = tags
  expect(rest).toMatchObject({
    v: '1',
    a: 'rsa-sha256',
    c: 'relaxed/relaxed',
    d: 'example.com',
    s: 'r1',
    t: '1793869687',
  })
  expect(rest).not.toHaveProperty('l')
  const count = (name: string) => h.split(':').filter((signed) => signed === name).length
  for (const name of ['from', 'to', 'subject', 'date', 'message-id', 'reply-to']) expect(count(name)).toBe(2)
  const once =
    'cc in-reply-to references list-unsubscribe list-unsubscribe-post feedback-id cfbl-address cfbl-feedback-id'
  for (const name of [...once.split(' '), 'mime-version', 'content-type']) expect(count(name)).toBe(1)
  expect(await verdicts([signed!, ...headers], body)).toEqual(['pass'])
})

const additions = [
  'From: x@example.com',
  'To: x@example.com',
  'Subject: x',
  'Date: x',
  'Message-ID: <x@x>',
  'Reply-To: x@x.x',
]

test.each(additions)('a message to which %j was added does not verify', async (line) => {
  const { headers, body, bodyHash } = marketing()
  const signed = await signatures({ headers, bodyHash, at }, [ed25519])
  const added = { name: 'x', line: `${line}\r\n` }
  expect(await verdicts([added, ...signed, ...headers], body)).toEqual(['fail'])
  expect(await verdicts([...signed, ...headers, added], body)).toEqual(['fail'])
})

test('an altered field or body does not verify; folding, padding and foreign fields change nothing', async () => {
  const { headers, body, bodyHash } = marketing()
  const signed = await signatures({ headers, bodyHash, at }, [ed25519])
  const altered = headers.map((header, index) =>
    verdicts([...signed, ...headers.with(index, { ...header, line: header.line.replace(': ', ': x') })], body),
  )
  const names = headers.map(({ name }) => name)
  expect(await Promise.all(altered)).toEqual(names.map((name) => [name === 'X-Note' ? 'pass' : 'fail']))
  expect(await verdicts([...signed, ...headers], Buffer.concat([body, Buffer.from('x\r\n')]))).not.toContain('pass')
  const refolded = headers.map(({ name, line }) => ({
    name,
    line: line.replace(': ', ':\r\n\t  ').replace(/\r\n$/, ' \r\n'),
  }))
  const received = header('Received', ' by mx.example.org')
  const padded = Buffer.from(body.toString().replaceAll(/(?<!=)\r\n/g, ' \t\r\n'))
  expect(await verdicts([received, ...signed, ...refolded], padded)).toEqual(['pass'])
})

/** Posthouse 0.1 made such keys; a domain keeps the one that it has until it is rotated. */
test('a stored key of three primes still signs', async () => {
  // Made by `openssl genrsa -primes 3 2048`, for this test alone.
  const made = createPrivateKey(readFileSync(new URL('../fixtures/three-prime-rsa.pem', import.meta.url)))
  expect(made.export({ format: 'der', type: 'pkcs1' }).subarray(4, 7).toString('hex')).toBe('020101')
  const old = { ...rsa, privateKey: importKey(exportKey(made)) }
  const { headers, body, bodyHash } = marketing()
  const signed = await signatures({ headers, bodyHash, at }, [old])
  expect(await verdicts([...signed, ...headers], body, [old])).toEqual(['pass'])
})

test('the same message has the same signature', async () => {
  const { headers, bodyHash } = marketing()
  const keys = [rsa, ed25519]
  const twice = [await signatures({ headers, bodyHash, at }, keys), await signatures({ headers, bodyHash, at }, keys)]
  expect(twice[0]).toEqual(twice[1])
  expect(twice[0]?.flatMap(({ line }) => line.split('\r\n')).every((line) => line.length <= 78)).toBe(true)
})

const plain = {
  from: address('news@example.com'),
  to: [address('ann@example.org')],
  subject: 'Hello',
  date: at,
  messageId: '<em_1@example.com>',
}

function marketing() {
  const { contentHeaders, body, bodyHash } = composeBody({ text: 'Hello  there\n', html: '<p>Hello</p>' }, 'seed')
  const message = {
    ...plain,
    cc: [address('cc@example.org')],
    replyTo: [address('help@example.com')],
    inReplyTo: '<a@example.org>',
    unsubscribe: { url: 'https://example.com/u/1', mailto: 'u@example.com' },
    feedbackId: 'a:b:posthouse',
    complaints: { address: 'fbl@mx.example.com', reference: 'token' },
    custom: { 'X-Note': 'Grüße' },
  }
  return { headers: composeHeaders(message, contentHeaders), body, bodyHash }
}

const header = (name: string, value: string): Header => ({ name, line: `${name}:${value}\r\n` })

async function verdicts(
  headers: readonly Header[],
  body: Buffer,
  keys: readonly SigningKey[] = [rsa, ed25519],
): Promise<(string | undefined)[]> {
  const message = Buffer.concat([headBytes(headers), body])
  const resolver = async (name: string) => publishedKeys(name, keys)
  const { results } = await dkimVerify(message, { strict: true, resolver, curTime: at })
  for (const { status } of results) expect(status.warnings ?? []).toEqual([])
  return results.map(({ status }) => status.result)
}

function publishedKeys(name: string, keys: readonly SigningKey[]): string[][] {
  const key = keys.find(({ selector, domain }) => name === `${selector}._domainkey.${domain}`)
  return key ? [dkimRecord(key.privateKey).match(/.{1,255}/g) ?? []] : []
}
