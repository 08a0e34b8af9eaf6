import { expect, onTestFinished, test } from 'vitest'
import { usualLimits } from '../../../src/smtp/server/limits.ts'
import { eventually } from '../../support/eventually.ts'
import { Caller } from './caller.ts'
import { inboundWorld, type InboundWorld } from './world.ts'

const MINUTE = 60_000
const placeNeeded = '421 4.3.2 All connections are taken and yours has no message, connect again\r\n'

/** Greeted, from this address of loopback. */
async function guest({ listener }: InboundWorld, address: string): Promise<Caller> {
  const caller = await Caller.connect(listener.port, address)
  onTestFinished(() => caller.kill())
  await caller.reply()
  return caller
}

test('25 addresses with a NOOP now and then do not keep anybody else out', async () => {
  const world = await inboundWorld()
  const crowd: Caller[] = []
  for (let at = 0; at < usualLimits.connections; at++) {
    crowd.push(await guest(world, `127.0.${10 + Math.floor(at / usualLimits.connectionsPerClient)}.1`))
  }
  expect(world.listener.connections).toBe(usualLimits.connections)
  expect(await Promise.all(crowd.slice(0, 50).map((caller) => caller.codes('NOOP')))).not.toContain('421')
  for (let number = 1; number <= 3; number++) {
    const newcomer = await Caller.connect(world.listener.port, '127.0.1.1')
    onTestFinished(() => newcomer.kill())
    expect(await newcomer.data()).toBe('250 250 354')
    expect(await newcomer.ask('.')).toBe(`250 2.0.0 Taken as ${number}`)
  }
})

test('the session that has waited longest for nothing gives way, and is told why', async () => {
  const world = await inboundWorld({ limits: { connections: 3, evictAfterMs: 5_000 } })
  const [first, second, third] = [
    await guest(world, '127.0.10.1'),
    await guest(world, '127.0.11.1'),
    await guest(world, '127.0.12.1'),
  ]
  world.pass(3_000)
  await first.ask('EHLO client.test')
  expect(await first.codes('MAIL FROM:<>', 'RCPT TO:<ann@known.test>', 'DATA', '.')).toBe('250 250 354 250')
  world.pass(2_000)
  expect(await second.codes('EHLO client.test', 'MAIL FROM:<>')).toBe('250 250')
  expect(await (await guest(world, '127.0.13.1')).codes('NOOP')).toBe('250')
  expect(await third.rest()).toBe(placeNeeded)
  // Of those that are left one has just had a message, one has a transaction, and one has just come.
  const late = await Caller.connect(world.listener.port, '127.0.14.1')
  expect(await late.rest()).toBe('421 4.7.0 Too many connections\r\n')
  expect(await second.codes('RCPT TO:<ann@known.test>', 'DATA', '.')).toBe('250 354 250')
})

test('whoever has many sessions gives way to whoever has fewer, without a wait', async () => {
  const world = await inboundWorld({ limits: { connections: 3 } })
  const one = await guest(world, '127.0.10.1')
  const many = [await guest(world, '127.0.11.1'), await guest(world, '127.0.11.1')]
  expect(await (await guest(world, '127.0.12.1')).codes('NOOP')).toBe('250')
  expect(await many[0]!.rest()).toBe(placeNeeded)
  expect(await many[1]!.codes('NOOP')).toBe('250')
  expect(await one.codes('NOOP')).toBe('250')
})

test('whoever has many sessions with a transaction and no content gives way after a while', async () => {
  const world = await inboundWorld({ limits: { connections: 4, evictAfterMs: 5_000 } })
  const one = await guest(world, '127.0.10.1')
  const many = [
    await guest(world, '127.0.11.1'),
    await guest(world, '127.0.11.1'),
    await guest(world, '127.0.11.1'),
  ] as const
  for (const caller of [one, ...many]) expect(await caller.codes('EHLO client.test', 'MAIL FROM:<>')).toBe('250 250')
  expect(await many[0].codes('RCPT TO:<ann@known.test>', 'DATA')).toBe('250 354')
  expect(await (await Caller.connect(world.listener.port, '127.0.12.1')).rest()).toBe(
    '421 4.7.0 Too many connections\r\n',
  )
  world.pass(5_000)
  expect(await many[1].codes('NOOP')).toBe('250')
  expect(await (await guest(world, '127.0.12.1')).codes('NOOP')).toBe('250')
  expect(await many[1].rest()).toBe(placeNeeded)
  expect(await many[0].codes('.')).toBe('250')
  for (const caller of [one, many[2]])
    expect(await caller.codes('RCPT TO:<ann@known.test>', 'DATA', '.')).toBe('250 354 250')
  expect(world.delivered).toHaveLength(3)
})

test('when it gets full nobody is waited for as long, whoever waits already included', async () => {
  const world = await inboundWorld({ limits: { busyConnections: 3 } })
  const [silent, within] = [await guest(world, '127.0.0.1'), await guest(world, '127.0.0.1')]
  await within.ask('EHLO client.test')
  expect(await within.codes('MAIL FROM:<>', 'RCPT TO:<ann@known.test>')).toBe('250 250')
  world.pass(usualLimits.busyCommandMs)
  expect(await within.codes('DATA')).toBe('354')
  await guest(world, '127.0.0.1')
  world.pass(0)
  expect(await silent.rest()).toBe('421 4.4.2 Timeout\r\n')
  await guest(world, '127.0.0.1')
  world.pass(usualLimits.busyDataMs)
  expect(await within.rest()).toBe('421 4.4.2 Timeout\r\n')
})

test('a session without a message ends after five minutes, whatever is said meanwhile', async () => {
  const world = await inboundWorld()
  const [chatty, busy] = [await guest(world, '127.0.0.1'), await guest(world, '127.0.0.1')]
  await busy.ask('EHLO client.test')
  for (let minute = 1; minute < 5; minute++) {
    world.pass(MINUTE - 1_000)
    expect(await chatty.codes(minute % 2 === 0 ? 'RSET' : 'EHLO client.test', 'MAIL FROM:<>')).toMatch(/^250/)
    expect(await busy.codes('MAIL FROM:<>', 'RCPT TO:<ann@known.test>', 'DATA', '.')).toBe('250 250 354 250')
  }
  world.pass(MINUTE - 1_000)
  expect(await busy.codes('NOOP')).toBe('250')
  expect(await chatty.codes('RSET')).toBe('250')
  world.pass(5_000)
  expect(await chatty.rest()).toBe('421 4.4.2 No message for too long, connect again\r\n')
  expect(await busy.codes('NOOP')).toBe('250')
})

test('a place is free as soon as the last word is said, not when the client hangs up', async () => {
  const world = await inboundWorld({ limits: { connections: 1 } })
  const slow = await guest(world, '127.0.10.1')
  slow.socket.removeAllListeners('end')
  expect(await slow.codes('QUIT')).toBe('221')
  expect(await (await guest(world, '127.0.11.1')).codes('NOOP')).toBe('250')
  world.pass(usualLimits.lingerMs)
  await eventually('the first is gone', () => world.listener.connections === 1)
})
