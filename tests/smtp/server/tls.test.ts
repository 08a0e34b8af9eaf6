import { createPrivateKey, X509Certificate } from 'node:crypto'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { selfSignedCertificate } from '../../../src/smtp/server/certificate.ts'
import { eventually } from '../../support/eventually.ts'
import { inboundWorld } from './world.ts'

test('after STARTTLS everything is encrypted and begins anew', async () => {
  const { call, delivered } = await inboundWorld()
  const caller = await call()
  await caller.hello()
  expect(await caller.codes('MAIL FROM:<>', 'RCPT TO:<ann@known.test>', 'STARTTLS')).toBe('250 250 220')
  await caller.secure()
  expect(await caller.codes('RCPT TO:<ann@known.test>', 'MAIL FROM:<>')).toBe('503 503')
  expect(await caller.ask('EHLO client.test')).not.toContain('STARTTLS')
  expect(await caller.codes('STARTTLS', 'MAIL FROM:<>', 'RCPT TO:<ann@known.test>', 'DATA', 'x\r\n.')).toBe(
    '503 250 250 354 250',
  )
  expect(delivered).toMatchObject([{ session: { tls: { version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384' } } }])
  expect(await caller.codes('QUIT')).toBe('221')
  expect(await caller.rest()).toBe('')
})

test('what was said before the handshake is forgotten, in one packet or in two', async () => {
  const { call, delivered } = await inboundWorld()
  for (const injected of ['NOOP\r\n', 'EHLO evil.test\r\nMAIL FROM:<evil@evil.test>\r\n', 'MAIL FR']) {
    const caller = await call()
    await caller.hello()
    await caller.send(`STARTTLS\r\n${injected}`)
    expect(await caller.reply()).toMatch(/^220/)
    await caller.secure()
    // The first answer from inside is the answer to the first command from inside.
    expect(await caller.ask('HELP')).toMatch(/^214/)
    expect(await caller.codes('RCPT TO:<ann@known.test>', 'NOOP')).toBe('503 250')
  }
  expect(delivered).toEqual([])
})

test('plain text instead of a handshake ends the connection without an answer', async () => {
  const { call, delivered, errors, listener } = await inboundWorld()
  const caller = await call()
  await caller.hello()
  expect(await caller.codes('STARTTLS')).toBe('220')
  await caller.send('EHLO evil.test\r\nMAIL FROM:<>\r\nRCPT TO:<ann@known.test>\r\nDATA\r\nx\r\n.\r\n')
  expect(await caller.rest()).not.toMatch(/^\d{3}/m)
  await eventually('it is gone', () => listener.connections === 0)
  expect(delivered).toEqual([])
  expect(errors).toEqual([])
})

test('a handshake has an end', async () => {
  const { call, pass, listener } = await inboundWorld()
  const [silent, gone, closed] = [await call(), await call(), await call()]
  for (const caller of [silent, gone, closed]) {
    await caller.hello()
    expect(await caller.codes('STARTTLS')).toBe('220')
  }
  gone.kill()
  closed.end()
  await eventually('two are gone', () => listener.connections === 1)
  pass(60_000)
  expect(await silent.rest()).toBe('')
  await eventually('all are gone', () => listener.connections === 0)
})

test('a server without a certificate offers none', async () => {
  const { call } = await inboundWorld({ secureContext: () => undefined })
  const caller = await call()
  await caller.reply()
  expect(await caller.ask('EHLO client.test')).not.toContain('STARTTLS')
  expect(await caller.codes('STARTTLS', 'NOOP')).toBe('502 250')
})

test('a large message comes through TLS as it was', async () => {
  const { call, delivered } = await inboundWorld()
  const caller = await call()
  await caller.hello()
  await caller.codes('STARTTLS')
  await caller.secure()
  await caller.codes('EHLO client.test', 'MAIL FROM:<>', 'RCPT TO:<ann@known.test>', 'DATA')
  const sent = 'a line of some length\r\n..and a dot\r\n'.repeat(100_000)
  expect(await caller.ask(`${sent}.`)).toMatch(/^250/)
  expect(delivered[0]!.raw === sent.replaceAll('\r\n..', '\r\n.')).toBe(true)
})

test('a connection that is reset in the middle of everything breaks nothing', async () => {
  const { call, listener, errors } = await inboundWorld()
  for (const words of [
    '',
    'EHLO a.test\r\n',
    'EHLO a.test\r\nSTARTTLS\r\n',
    'EHLO a.test\r\nSTARTTLS\r\n\x16\x03\x01',
  ]) {
    const socket = connect(listener.port, '127.0.0.1')
    socket.write(words, () => socket.resetAndDestroy())
    socket.on('error', () => {})
  }
  const caller = await call()
  await caller.hello()
  await eventually('only we are left', () => listener.connections === 1)
  expect(await caller.codes('NOOP')).toBe('250')
  expect(errors).toEqual([])
})

test('the certificate that we make ourselves is one', () => {
  const now = Date.UTC(2026, 0, 1)
  const { key, cert } = selfSignedCertificate('mx.known.test', now)
  const read = new X509Certificate(cert)
  expect(read.subject).toBe('CN=mx.known.test')
  expect(read.issuer).toBe('CN=mx.known.test')
  expect(read.ca).toBe(false)
  expect(read.checkHost('mx.known.test')).toBe('mx.known.test')
  expect(read.checkHost('other.test')).toBeUndefined()
  expect(read.verify(read.publicKey)).toBe(true)
  expect(read.checkPrivateKey(createPrivateKey(key))).toBe(true)
  expect(read.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' })
  expect(read.validFromDate.getTime()).toBeLessThan(now)
  expect(read.validToDate.toISOString()).toMatch(/^2036-01-01/)
  expect(new X509Certificate(selfSignedCertificate('mx.known.test', now).cert).serialNumber).not.toBe(read.serialNumber)
})

test('a certificate can be for a name as long as names can be', () => {
  const name = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.test`
  const { cert } = selfSignedCertificate(name, Date.now())
  expect(new X509Certificate(cert).checkHost(name)).toBe(name)
})
