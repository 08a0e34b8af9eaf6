import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { FREE } from '../../../src/smtp/server/memory.ts'
import { eventually } from '../../support/eventually.ts'
import type { Caller } from './caller.ts'
import { inboundWorld } from './world.ts'

const MINUTE = 60_000
const line = `${'x'.repeat(62)}\r\n`
const MIB = 1_048_576
const kibibytes = (count: number): string => line.repeat((count * 1_024) / line.length)

test('a client that says nothing is sent away after a minute', async () => {
  const { call, pass } = await inboundWorld()
  const [silent, half] = [await call(), await call()]
  await silent.hello()
  await half.hello()
  await half.send('NO')
  pass(MINUTE - 1_000)
  expect(await silent.codes('NOOP')).toBe('250')
  pass(1_000)
  expect(await half.rest()).toBe('421 4.4.2 Timeout\r\n')
  expect(await silent.codes('NOOP')).toBe('250')
  pass(MINUTE)
  expect(await silent.rest()).toBe('421 4.4.2 Timeout\r\n')
})

test('a client that says nothing at all is sent away too', async () => {
  const { call, pass } = await inboundWorld()
  const caller = await call()
  await caller.reply()
  pass(MINUTE)
  expect(await caller.rest()).toBe('421 4.4.2 Timeout\r\n')
})

test('a client that goes silent within a message is sent away, and nothing is kept', async () => {
  const { call, pass, delivered, listener } = await inboundWorld()
  const caller = await call()
  await caller.data()
  await caller.send(kibibytes(2_048))
  await eventually('it was read', () => listener.memoryTaken === 2 * MIB - FREE)
  pass(5 * MINUTE - 5_000)
  pass(5_000)
  expect(await caller.rest()).toBe('421 4.4.2 Timeout\r\n')
  expect(listener.memoryTaken).toBe(0)
  expect(delivered).toEqual([])
})

test('a message that drips ends with the head start; one at a fair pace may take longer', async () => {
  const { call, pass, listener, delivered } = await inboundWorld()
  // 64 KiB in 100 seconds is dripping, 2 MiB are a pace of 20 KiB a second.
  const minutes = async (portion: number) => {
    const caller = await call()
    await caller.data()
    await caller.send(kibibytes(FREE / 1_024))
    for (let round = 1; round <= 5; round++) {
      await caller.send(kibibytes(portion))
      const size = round * portion * 1_024
      await eventually('it was read', () => listener.memoryTaken === size || caller.socket.readableEnded)
      pass(100_000)
    }
    await caller.send('.\r\n')
    return caller.reply()
  }
  expect(await minutes(64)).toBe('421 4.4.2 Timeout')
  expect(await minutes(2_048)).toBe('250 2.0.0 Taken as 1')
  expect(delivered).toHaveLength(1)
})

test('a session has an end, between two commands', async () => {
  const { call, pass } = await inboundWorld({ limits: { sessionMs: 100_000 } })
  const caller = await call()
  await caller.data()
  pass(100_000)
  expect(await caller.ask('x\r\n.')).toBe('250 2.0.0 Taken as 1')
  pass(0)
  expect(await caller.rest()).toBe('421 4.4.2 Session is too long, connect again\r\n')
})

test('a client that does not hang up is hung up on', async () => {
  const { call, pass, listener } = await inboundWorld()
  const caller = await call()
  caller.socket.removeAllListeners('end')
  await caller.hello()
  expect(await caller.codes('QUIT')).toBe('221')
  expect(listener.connections).toBe(1)
  pass(2_000)
  await eventually('it is gone', () => listener.connections === 0)
})

test('a client that never reads holds up nobody but itself, and not for ever', async () => {
  const { call, pass, listener } = await inboundWorld({ limits: { idleCommands: Infinity } })
  const deaf = await call()
  await deaf.hello()
  deaf.socket.pause()
  // More than both kernels keep for us.
  const group = Buffer.from('HELP\r\n'.repeat(20_000))
  for (let times = 0; times < 150; times++) deaf.socket.write(group)
  const other = await call()
  await other.hello()
  await isLeftUnread(deaf.socket, other)
  expect(deaf.socket.writableLength).toBeGreaterThan(0)
  pass(MINUTE)
  await other.codes('NOOP')
  pass(2_000)
  await eventually('it is gone', () => listener.connections <= 1)
})

test('what comes while a message is being delivered waits outside', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { call } = await inboundWorld({
    limits: { idleCommands: Infinity },
    deliver: async () => {
      await promise
      return { code: 250, enhanced: '2.0.0', text: 'ok' }
    },
  })
  const [eager, other] = [await call(), await call()]
  await eager.data()
  await eager.send('x\r\n.\r\n')
  const group = Buffer.from(`NOOP ${'x'.repeat(500)}\r\n`.repeat(200))
  for (let times = 0; times < 200; times++) eager.socket.write(group)
  eager.socket.write('QUIT\r\n')
  await other.hello()
  await isLeftUnread(eager.socket, other)
  expect(eager.socket.writableLength).toBeGreaterThan(0)
  resolve()
  expect((await eager.rest()).match(/^(250|221) /gm)).toHaveLength(1 + 200 * 200 + 1)
})

/** Nothing leaves the socket any more, although the server has answered others in the meantime. */
async function isLeftUnread(socket: Socket, other: Caller): Promise<void> {
  await eventually('the server has stopped reading', async () => {
    const before = socket.writableLength
    for (let round = 0; round < 20; round++) await other.codes('NOOP')
    return socket.writableLength === before
  })
}

test('who talks before the greeting is not listened to', async () => {
  const { call, delivered } = await inboundWorld({ limits: { greetingMs: 10_000 } })
  const caller = await call()
  await caller.send('EHLO client.test\r\nMAIL FROM:<>\r\n')
  expect(await caller.rest()).toBe('554 5.5.1 Wait for the greeting before you talk\r\n')
  expect(delivered).toEqual([])
})

test('who waits is greeted', async () => {
  const { call } = await inboundWorld({ limits: { greetingMs: 10 } })
  const caller = await call()
  expect(await caller.reply()).toMatch(/^220/)
  expect(await caller.codes('EHLO client.test')).toBe('250')
})
