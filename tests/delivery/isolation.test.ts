import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Isolation } from '../../src/app/isolation.ts'
import { steadyClock } from '../../src/core/clock.ts'
import { Destinations } from '../../src/dispatch/destinations.ts'
import type { Lease } from '../../src/dispatch/queue.ts'
import { processTable } from '../support/process-table.ts'

const destination = new Destinations(() => ({ concurrency: 1 }), steadyClock).named('a.test')

const lease: Lease = {
  holds: () => true,
  confirm: async () => 'allowed',
  recordMayLeave: async () => {},
  lock: async () => true,
  destination,
  destinationNamed: () => destination,
  signal: new AbortController().signal,
}

function alone(env: Record<string, string>) {
  const isolation = new Isolation({
    PATH: process.env['PATH'],
    MASTER_KEY: randomBytes(32).toString('hex'),
    LOG_LEVEL: 'silent',
    ...env,
  })
  onTestFinished(() => isolation.stop())
  return isolation.deliver({ id: randomUUID(), destination: 'a.test' }, lease)
}

test('a database that is away sets no message aside', async () => {
  const outcome = await alone({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })
  expect(outcome).toMatchObject({ kind: 'returned' })
})

test('a courier that cannot begin says nothing about the message', async () => {
  expect(await alone({ PORT: 'no port' })).toMatchObject({ kind: 'returned' })
})

test('a message whose courier stands still is given up like one whose courier died', { timeout: 240_000 }, async () => {
  const courier = () => processTable().find(({ parent, command }) => parent === process.pid && /courier/.test(command))
  // It asks the database when it has begun.
  const database = createServer(() => process.kill(courier()!.pid, 'SIGSTOP')).listen(0, '127.0.0.1')
  onTestFinished(() => void database.close())
  await once(database, 'listening')
  const { port } = database.address() as AddressInfo
  expect(await alone({ DATABASE_URL: `postgres://posthouse@127.0.0.1:${port}/posthouse` })).toBeUndefined()
  expect(courier()).toBeUndefined()
})
