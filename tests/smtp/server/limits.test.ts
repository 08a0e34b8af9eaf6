import { expect, test } from 'vitest'
import { Admission } from '../../../src/smtp/server/admission.ts'
import { FREE, Memory } from '../../../src/smtp/server/memory.ts'
import { eventually } from '../../support/eventually.ts'
import { inboundWorld } from './world.ts'

const line = `${'x'.repeat(62)}\r\n`
const MIB = 1_048_576
const mebibytes = (count: number): string => line.repeat((count * MIB) / line.length)

test('a message that is too large is read to its end and refused once', async () => {
  const { call, delivered } = await inboundWorld({ limits: { messageBytes: 1_280 } })
  const caller = await call()
  await caller.data()
  expect(await caller.ask(`${line.repeat(21)}.`)).toBe('552 5.3.4 Message is too large')
  expect(await caller.codes('MAIL FROM:<>', 'RCPT TO:<ann@known.test>', 'DATA')).toBe('250 250 354')
  expect(await caller.ask(`${line.repeat(20)}.`)).toMatch(/^250/)
  expect(delivered.map(({ raw }) => raw.length)).toEqual([1_280])
})

test('whoever does not stop sending is cut off, with the reason', async () => {
  const { call, delivered } = await inboundWorld({ limits: { messageBytes: 1_280 } })
  const caller = await call()
  await caller.data()
  await caller.send(line.repeat(50))
  expect(await caller.rest()).toBe('552 5.3.4 Message is too large\r\n')
  expect(delivered).toEqual([])
})

test('a large message arrives as it was, octet by octet', async () => {
  const { call, delivered, listener } = await inboundWorld()
  const caller = await call()
  await caller.data()
  const sent = mebibytes(29)
  expect(await caller.ask(`${sent}.`)).toMatch(/^250/)
  expect(delivered[0]!.raw === sent).toBe(true)
  expect(listener.memoryTaken).toBe(0)
})

test('large messages share what memory there is, small ones always find room', async () => {
  const { call, delivered, listener } = await inboundWorld({ limits: { largeMessagesBytes: 4 * MIB - FREE } })
  const [first, second, small] = [await call(), await call(), await call()]
  await first.data()
  await first.send(mebibytes(4))
  await eventually('all of it was read', () => listener.memoryTaken === 4 * MIB - FREE)
  await second.data()
  expect(await second.ask(`${mebibytes(2)}.`)).toBe('452 4.3.1 Too many large messages at the moment')
  await small.data()
  expect(await small.ask(`${mebibytes(FREE / MIB)}.`)).toMatch(/^250/)
  first.kill()
  await eventually('the memory is given back', () => listener.memoryTaken === 0)
  await second.codes('MAIL FROM:<>', 'RCPT TO:<ann@known.test>', 'DATA')
  expect(await second.ask(`${mebibytes(2)}.`)).toMatch(/^250/)
  expect(delivered).toHaveLength(2)
})

test('memory can be given back twice, and is there again once', () => {
  const memory = new Memory(10)
  const share = memory.share()
  expect(share.grow(FREE + 10)).toBe(true)
  expect(share.grow(FREE + 11)).toBe(false)
  expect(memory.taken).toBe(10)
  share.release()
  share.release()
  expect(memory.taken).toBe(0)
})

test('recipients beyond the limit are put off, not refused', async () => {
  const { call, delivered } = await inboundWorld({ limits: { recipients: 3 } })
  const caller = await call()
  await caller.hello()
  const to = [1, 2, 3, 4, 5].map((number) => `RCPT TO:<ann${number}@known.test>`)
  expect(await caller.codes('MAIL FROM:<>', ...to)).toBe('250 250 250 250 452 452')
  expect(await caller.codes('DATA', '.')).toBe('354 250')
  expect(delivered[0]!.to).toHaveLength(3)
})

test('a message that has passed too many servers goes in circles', async () => {
  const { call, delivered } = await inboundWorld()
  const caller = await call()
  const passed = (times: number) => `${'RECEIVED : from a\r\n\tby b\r\n'.repeat(times)}\r\nReceived: in the body\r\n.`
  await caller.data()
  expect(await caller.ask(passed(51))).toBe('554 5.4.6 Message has passed too many servers')
  await caller.codes('MAIL FROM:<>', 'RCPT TO:<ann@known.test>', 'DATA')
  expect(await caller.ask(passed(50))).toMatch(/^250/)
  expect(delivered).toHaveLength(1)
})

test('five unknown recipients are refused, with the sixth the session ends', async () => {
  const { call } = await inboundWorld()
  const caller = await call()
  await caller.hello()
  const guess = 'RCPT TO:<nobody@known.test>'
  expect(await caller.codes('MAIL FROM:<>', guess, 'RCPT TO:<later@known.test>', guess, guess)).toBe(
    '250 550 450 550 550',
  )
  expect(await caller.codes('RSET', 'MAIL FROM:<>', guess, 'RCPT TO:<x@other.test>', guess)).toBe('250 250 550 550 421')
  expect(await caller.rest()).toBe('')
})

test('ten errors are forgiven', async () => {
  const { call } = await inboundWorld()
  const caller = await call()
  await caller.reply()
  const errors = ['WHAT', 'MAIL', 'DATA', 'EHLO', 'RCPT TO:<a@b>', 'EXPN x', 'RSET x', 'NO\tOP', 'STARTTLS x', 'VRFY']
  expect(await caller.codes(...errors)).toBe('500 501 503 501 503 502 501 500 501 501')
  expect(await caller.ask('WHAT')).toBe('421 4.7.0 Too many errors')
  expect(await caller.rest()).toBe('')
})

test('a session without a message gets somewhere or ends', async () => {
  const { call } = await inboundWorld({ limits: { idleCommands: 3 } })
  const caller = await call()
  expect(await caller.data()).toBe('250 250 354')
  expect(await caller.ask('.')).toMatch(/^250/)
  expect(await caller.codes('NOOP', 'RSET', 'NOOP', 'NOOP')).toBe('250 250 250 421')
})

test('a command has 512 octets, one with parameters twice as many, and what is endless ends', async () => {
  const { call } = await inboundWorld()
  const caller = await call()
  await caller.hello()
  expect(await caller.codes(`NOOP ${'x'.repeat(505)}`, `NOOP ${'x'.repeat(506)}`)).toBe('250 500')
  expect(await caller.ask(`MAIL FROM:<${'a'.repeat(248)}@b.test>`)).toBe('501 5.1.7 Bad sender address syntax')
  expect(await caller.ask(`MAIL FROM:<${'a'.repeat(247)}@b.test>`)).toBe('250 2.1.0 Ok')
  expect(await caller.ask('x'.repeat(4_000))).toBe('500 5.5.2 Line too long')
  await caller.send('x'.repeat(4_096))
  expect(await caller.rest()).toBe('500 5.5.2 Line too long\r\n')
})

test('so many connections from one place, so many in all', async () => {
  const { call, listener } = await inboundWorld({ limits: { connectionsPerClient: 2, connections: 3 } })
  const [first, second, third] = [await call(), await call(), await call()]
  expect(await first.reply()).toMatch(/^220/)
  expect(await second.reply()).toMatch(/^220/)
  expect(await third.rest()).toBe('421 4.7.0 Too many connections\r\n')
  await eventually('the third is gone', () => listener.connections === 2)
  first.kill()
  await eventually('the first is gone', () => listener.connections === 1)
  const fourth = await call()
  expect(await fourth.reply()).toMatch(/^220/)
})

test('a server that is full says so', async () => {
  const { call } = await inboundWorld({ limits: { connections: 1 } })
  const first = await call()
  await first.hello()
  expect(await (await call()).rest()).toBe('421 4.7.0 Too many connections\r\n')
  expect(await first.codes('NOOP')).toBe('250')
})

const places = { connectionsPerClient: 1, connectionsPerNetwork: 2, connectionsPerSite: 3 }

test('a /64 of IPv6 is one client, and so is an IPv4 address in both spellings', () => {
  const admission = new Admission(places)
  const first = admission.admit('2001:db8:1:2::1')
  expect(admission.admit('2001:db8:1:2:ffff::2')).toBeUndefined()
  expect(admission.admit('2001:db8:1:3::1')).toBeDefined()
  expect(admission.admit('192.0.2.1')).toBeDefined()
  expect(admission.admit('::ffff:192.0.2.1')).toBeUndefined()
  first?.release()
  expect(admission.admit('2001:db8:1:2:ffff::2')).toBeDefined()
})

test('the networks around a client are counted too: /56 and /48 of IPv6, /24 of IPv4', () => {
  const admission = new Admission(places)
  const admitted = (...addresses: string[]) => addresses.map((address) => admission.admit(address) !== undefined)
  expect(admitted('2001:db8:1:100::1', '2001:db8:1:101::1', '2001:db8:1:1ff::1')).toEqual([true, true, false])
  expect(admitted('2001:db8:1:200::1', '2001:db8:1:300::1', '2001:db8:2:300::1')).toEqual([true, false, true])
  expect(admitted('192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.3.3')).toEqual([true, true, false, true])
})
