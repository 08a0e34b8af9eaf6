import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DomainError } from '../../src/core/errors.ts'
import { decodeId, type SmsId } from '../../src/core/ids.ts'
import type { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import { moveClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import { seedFor } from '../support/seed.ts'
import { startSmsNode, type SmsNode } from '../support/sms-node.ts'
import { created } from '../support/world.ts'

const OPERATIONS = 10_000
/** Fewer than there are connections to the database: nobody waits for one. */
const HANDS = 12
const CONNECTIONS = 16
const KILL_EVERY = 2_500
/** Each with a wallet that its own messages wait for; others do not. */
const PROJECTS = 3

/** What is not delivered is given back, so that there is also that. */
const REFUNDING = {
  country: 'US',
  senderType: 'simulator',
  category: null,
  base: 10_000n,
  carrierFee: 900n,
  currency: 'USD',
  refundUndelivered: true,
  effectiveFrom: new Date(Date.now() - 60_000),
}

/** What anybody may do, in any order, at the same time. */
const operations = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      project: fc.nat(PROJECTS - 1),
      to: fc.constantFrom('00', '01', '02', '03', '06', '07', '11', '12', '13', '14', '18', '21', '22'),
      long: fc.boolean(),
    }),
  },
  { weight: 15, arbitrary: fc.record({ kind: fc.constant('receipt' as const), pick: fc.nat(), good: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('say' as const), pick: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('money' as const),
      project: fc.nat(PROJECTS - 1),
      // A little less than what the messages cost, so that it does not suffice for all of them.
      amount: fc.integer({ min: -50_000, max: 80_000 }),
      pick: fc.nat(500),
    }),
  },
)
type Operation = typeof operations extends fc.Arbitrary<infer T> ? T : never

test('64: the books are in order after ten thousand deeds, with workers that are killed and statements that fail, and usage agrees', async () => {
  const here = await startSmsNode({ SMS_SIM_TIME_SCALE: '0.001' }, CONNECTIONS)
  const { db, services, node, workspace, expectBooksInOrder } = here
  await services.sms.operator.loadRates(workspace, [REFUNDING])
  const projects = await poorProjects(here)
  await sabotage(db)
  const hand = handOf(here, projects)
  let kills = 0
  const answers = new Set<number>()
  const all = fc.sample(operations, { seed: seedFor('sms'), numRuns: OPERATIONS }).entries()
  await Promise.all(
    Array.from({ length: HANDS }, async () => {
      for (const [i, operation] of all) {
        if (i % KILL_EVERY === KILL_EVERY / 2) {
          const worker = await eventually('there is a worker', () => node.rolePid('worker'))
          process.kill(worker, 'SIGKILL')
          kills++
          await expectBooksInOrder()
        }
        answers.add(await hand(operation))
      }
    }),
  )
  await db.run(sql`drop trigger sabotage on sms_events`)
  await everythingEnds(here)
  await expectBooksInOrder()
  for (const project of projects) {
    const { charges, refunds, below, reserved } = await db.one(sql<Record<string, number>>`
      select coalesce(-sum(reserved_delta_micros) filter (where type = 'charge'), 0)::bigint as charges,
             coalesce(sum(available_delta_micros) filter (where type = 'refund'), 0)::bigint as refunds,
             count(*) filter (where available_after_micros < 0 or reserved_after_micros < 0) as below,
             sum(reserved_delta_micros)::bigint as reserved
        from sms_ledger
       where project_id = ${decodeId('prj', project)!}`)
    // Not at any time: every movement is there with what it left.
    expect({ below, reserved }).toEqual({ below: 0, reserved: 0 })
    expect(charges).toBeGreaterThan(0)
    expect(refunds).toBeGreaterThan(0)
    const headers = { 'x-service-project-id': project }
    const usage = await node.api.get<{ totals: Record<string, number> }>('sms/usage?mode=test', { headers })
    expect(usage.body.totals).toMatchObject({ chargedMicros: charges, refundedMicros: refunds, pending: 0 })
  }
  expect(kills).toBe(OPERATIONS / KILL_EVERY)
  expect([...answers]).toContain(402)
  expect(node.stderr).not.toContain('deadlock')
}, 580_000)

/** With so little that it does not suffice for everything. */
async function poorProjects({ node, services, workspace }: SmsNode): Promise<string[]> {
  const { operator } = services.sms
  return Promise.all(
    Array.from({ length: PROJECTS }, async (_, i) => {
      const { id } = created(await node.api.post<{ id: string }>('projects', { name: `Project ${i}` }))
      const project = decodeId('prj', id)!
      await operator.invite(workspace, project)
      await operator.adjust({ workspace, project, mode: 'test' }, -99_800_000n, 'scarce', 'a test')
      return id
    }),
  )
}

/** Does what it is told; answers the status of a request, and 0 for anything else. */
function handOf(
  { db, services, node, workspace }: SmsNode,
  projects: readonly string[],
): (operation: Operation) => Promise<number> {
  let sent = 0
  const parts: { id: string; messageId: SmsId }[] = []
  const pick = async (n: number) => {
    // Now and then a look at what there is.
    if (n % 100 === 0 || parts.length === 0) {
      parts.splice(0)
      parts.push(
        ...(await db.all(sql<{ id: string; messageId: SmsId }>`select id, message_id as "messageId" from sms_parts`)),
      )
    }
    return parts[n % Math.max(1, parts.length)]
  }
  const todo = async (operation: Operation): Promise<number> => {
    if (operation.kind === 'send') {
      const body = {
        to: `+120255501${operation.to}`,
        category: 'transactional',
        body: operation.long ? 'a'.repeat(161) : 'Your order has shipped.',
      }
      const headers = { 'sms-idempotency-key': `deed ${sent++}`, 'x-service-project-id': projects[operation.project]! }
      const { status, text } = await node.api.post('sms/messages', body, headers)
      expect([202, 402, 422, 500, 503], text).toContain(status)
      return status
    }
    if (operation.kind === 'money') {
      const of = { workspace, project: decodeId('prj', projects[operation.project]!)!, mode: 'test' } as const
      await services.sms.operator.adjust(of, BigInt(operation.amount), `adjustment ${operation.pick}`, 'a test')
      return 0
    }
    const part = await pick(operation.pick)
    if (part === undefined) return 0
    if (operation.kind === 'say') {
      await services.sms.inbox.simulated(part.messageId, operation.pick % 2 ? 'STOP' : 'START', String(operation.pick))
    } else {
      const state = operation.good ? 'delivered' : 'undelivered'
      await services.sms.reports.receipt('simulator', { providerId: `sim-${part.id}`, state })
    }
    return 0
  }
  return (operation) =>
    todo(operation).catch((error: unknown) => {
      if (error instanceof DomainError || (error instanceof Error && error.message === 'sabotage')) return 0
      throw error
    })
}

/** What the dead held has rested; then of what nothing was heard for three days of the simulator nothing more is expected. */
async function everythingEnds({ db, services }: SmsNode): Promise<void> {
  const none = (states: readonly string[]) => async () => {
    for (const queue of ['sms_parts', 'sms_simulations']) services.doorbell.ring(queue)
    await services.sms.housekeeping.sweep()
    const { open } = await db.one(sql<{ open: number }>`
      select count(*) as open from sms_parts where state = any(${states}::text[])`)
    return open === 0
  }
  await moveClock(db, 120)
  await eventually('all have left', none(['waiting', 'ready', 'claimed', 'in_flight', 'held']), 120_000)
  await moveClock(db, 120 + 300)
  await eventually('nothing is open', none(['sent', 'unknown']), 120_000)
}

/** Now and then a transaction of ours dies in the middle, after its money has moved. */
const sabotage = (db: Database): Promise<unknown> =>
  db.withClient((client) =>
    client.query(`
      create function sabotage() returns trigger language plpgsql as $$
      begin
        if random() < 0.01 then raise exception 'sabotage'; end if;
        return null;
      end $$;
      create trigger sabotage after insert on sms_events for each statement execute function sabotage();`),
  )
