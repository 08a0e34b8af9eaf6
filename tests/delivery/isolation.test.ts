import { randomBytes, randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { Isolation } from '../../src/app/isolation.ts'
import type { Lease } from '../../src/dispatch/queue.ts'

const lease: Lease = {
  holds: () => true,
  begin: async () => 'begun',
  passing: async () => {},
  suspend: () => {},
  restrict: () => {},
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
