import { expect, test } from 'vitest'
import type { Role } from '../../src/config/schema.ts'
import { eventually } from '../support/eventually.ts'
import { startMailNode, type MailNode } from '../support/mail-node.ts'
import type { MailNumbers } from '../support/statistics.ts'

const people = (count: number, name = 'user'): string[] =>
  Array.from({ length: count }, (_, i) => `${name}${i}@sink.test`)

/** Kills roles in turn, each after so many more acknowledgements or deliveries, as long as the work goes on. */
async function killWhile(here: MailNode, work: Promise<unknown>, roles: readonly Role[]): Promise<number> {
  const progress = { isDone: false }
  void work.finally(() => (progress.isDone = true))
  let kills = 0
  for (let i = 0; !progress.isDone; i++) {
    const before = here.sink.taken.length
    // The last ones may be those that nobody knows about, and they take a minute and a half.
    await eventually('there is progress', () => progress.isDone || here.sink.taken.length >= before + 250, 150_000)
    if (progress.isDone) break
    await here.kill(roles[i % roles.length]!)
    kills++
  }
  return kills
}

interface Listed {
  data: { createdAt: string; status: string }[]
  nextCursor: string | null
}

/** Every minute has as many accepted recipients as emails were made in it, and as many were delivered as say so. */
async function countedAsListed({ api }: MailNode, least: number): Promise<void> {
  const listed = await eventually('all are recorded as delivered', async () => {
    const found: Listed['data'] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: Listed } = await api.get<Listed>(`emails?limit=100${cursor && `&cursor=${cursor}`}`)
      found.push(...body.data)
      cursor = body.nextCursor
    }
    return found.length >= least && found.every(({ status }) => status === 'delivered') && found
  })
  const minutes = new Map<string, number>()
  for (const { createdAt } of listed) {
    const minute = `${createdAt.slice(0, 16)}:00.000Z`
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1)
  }
  const time = `from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`
  const { body } = await api.get<MailNumbers>(`statistics/emails?${time}&step=minute`)
  const points = body.series.flatMap((series) => series.points).filter(({ accepted }) => accepted !== 0)
  expect(Object.fromEntries(points.map(({ at, accepted }) => [at, accepted]))).toEqual(Object.fromEntries(minutes))
  expect(body.totals).toMatchObject({ accepted: listed.length, delivered: listed.length, bounced: 0, failed: 0 })
}

test('2,000 acknowledged mails survive kills of every process, and only those past the dot can come twice', async () => {
  const here = await startMailNode()
  const recipients = people(2_000)
  const sending = here.sendAll(recipients)
  const arriving = sending.then(() =>
    eventually('everything has arrived', () => here.ledger().size === recipients.length, 120_000),
  )
  const kills = await killWhile(here, arriving, ['worker', 'api', 'worker'])
  await arriving
  const acknowledged = await sending
  const ledger = here.ledger()
  expect(kills).toBeGreaterThan(3)
  expect([...acknowledged.keys()].filter((to) => !ledger.has(to))).toEqual([])
  const duplicates = [...ledger.values()].reduce((sum, count) => sum + count - 1, 0)
  // The journal knows of all but those whose reply was on its way in the moment of a kill: one per connection.
  expect(duplicates).toBeLessThanOrEqual(kills * 10)
  for (const id of acknowledged.values()) expect(id).toMatch(/^em_/)
  await countedAsListed(here, recipients.length)
  expect(new Set(acknowledged.values()).size).toBe(recipients.length)
}, 240_000)
