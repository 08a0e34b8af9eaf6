import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { eventually } from '../support/eventually.ts'
import { mailWorld, steadyPauses } from '../support/mail-world.ts'
import type { Sink } from '../support/sink-mx.ts'

/** The return path that a server heard last. */
const heardBy = ({ connections }: Sink): string => {
  const wire = connections.map(({ chunks }) => Buffer.concat(chunks).toString('latin1')).join('')
  return /.*MAIL FROM:<(.*?)>/s.exec(wire)?.[1] ?? ''
}

test('a server that repeats our return path does not have its token kept anywhere', async () => {
  const here = await mailWorld({ circumstances: steadyPauses })
  const { sink, send, becomes, db } = here
  const heard: string[] = []
  const returnPath = (): string => {
    heard.push(heardBy(sink))
    return heard.at(-1)!
  }
  sink.options.replies = {
    get 'rcpt failed@sink.test'() {
      return `553 5.7.1 <${returnPath()}>: Sender address rejected`
    },
    get 'rcpt bounced@sink.test'() {
      return `550 5.1.1 no such user, said to ${returnPath().toUpperCase()}`
    },
    get 'dot deferred@sink.test'() {
      return `451 4.3.0 ${returnPath()}: later`
    },
  }
  for (const state of ['failed', 'bounced', 'deferred']) {
    const { events } = await becomes(await send(`${state}@sink.test`), state)
    expect(events.at(-1)!.detail, state).toContain('…')
  }
  const written = sql<{ kept: string }>`
    select to_jsonb(t)::text as kept from events t
     union all select to_jsonb(t)::text from dialogues t
     union all select to_jsonb(t)::text from suppressions t
     union all select to_jsonb(t)::text from destination_states t
     union all select to_jsonb(t)::text from destination_replies t`
  await eventually(
    'the worker has told what was answered',
    async () => (await db.all(sql`select from destination_replies`)).length === 3,
  )
  const kept = (await db.all(written)).map((row) => row.kept.toLowerCase()).join('\n')
  expect(kept).toContain('sender address rejected')
  const tokens = heard.map((address) => /^b\+(.{50,})@/.exec(address)?.[1] ?? '')
  expect(new Set(tokens).size).toBe(3)
  for (const token of tokens) expect([token.length > 0, kept.includes(token)]).toEqual([true, false])
})
