import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Caller } from './caller.ts'
import { inboundWorld } from './world.ts'

test('who has nothing under way is told to come again, who has may finish', async () => {
  const { call, delivered, listener } = await inboundWorld()
  const [idle, busy, writing] = [await call(), await call(), await call()]
  await idle.hello()
  await busy.hello()
  await busy.codes('MAIL FROM:<>')
  await writing.data()
  const stopped = listener.stop()
  expect(await idle.rest()).toBe('421 4.3.2 Service is shutting down, try again later\r\n')
  expect(await busy.codes('RCPT TO:<ann@known.test>', 'DATA', 'x\r\n.')).toBe('250 354 250')
  expect(await writing.ask('y\r\n.')).toMatch(/^250/)
  expect(await busy.rest()).toMatch(/^421 4\.3\.2 /)
  expect(await writing.rest()).toMatch(/^421 4\.3\.2 /)
  await stopped
  expect(delivered.map(({ raw }) => raw)).toEqual(['x\r\n', 'y\r\n'])
})

test('a transaction that does not come to its end is cut off, and nothing of it is kept', async () => {
  const { call, delivered, listener, pass } = await inboundWorld()
  const caller = await call()
  await caller.data()
  await caller.send('half a mess')
  const stopped = listener.stop()
  pass(15_000)
  expect(listener.connections).toBe(1)
  pass(5_000)
  expect(await caller.rest()).toBe('421 4.3.2 Service is shutting down, try again later\r\n')
  await stopped
  expect(delivered).toEqual([])
})

test('nothing is taken away from a delivery that has begun', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  let isStored = false
  const { call, listener, pass } = await inboundWorld({
    deliver: async () => {
      begun.resolve()
      await promise
      isStored = true
      return { code: 250, enhanced: '2.0.0', text: 'ok' }
    },
  })
  const caller = await call()
  await caller.data()
  await caller.send('x\r\n.\r\n')
  await begun.promise
  const stopped = listener.stop().then(() => isStored)
  pass(15_000)
  resolve()
  expect(await caller.rest()).toMatch(/^250 2\.0\.0 ok\r\n421 /)
  expect(await stopped).toBe(true)
})

test('nobody comes in any more', async () => {
  const { call, listener } = await inboundWorld()
  const caller = await call()
  await caller.data()
  const { port } = listener
  const stopped = listener.stop()
  const late = connect(port, '127.0.0.1')
  const [error] = await once(late, 'error')
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
  caller.kill()
  await stopped
})

test('a port that is taken is a reason to say so', async () => {
  const { listener } = await inboundWorld()
  const listen = { host: '127.0.0.1', port: listener.port }
  await expect(inboundWorld({ listen })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('connections can be handed over', async () => {
  const { listener } = await inboundWorld()
  const door = createServer({ pauseOnConnect: true }, (socket) => listener.take(socket))
  onTestFinished(() => void door.close())
  await once(door.listen(0, '127.0.0.1'), 'listening')
  const caller = await Caller.connect((door.address() as AddressInfo).port)
  expect(await caller.data()).toBe('250 250 354')
  expect(await caller.codes('.', 'QUIT')).toBe('250 221')
})
