import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { compose, type House } from '../../src/app/compose.ts'
import { Vault } from '../../src/app/vault.ts'
import { loadConfig } from '../../src/config/load.ts'
import { systemClock } from '../../src/core/clock.ts'
import { decodeId, type SmsId } from '../../src/core/ids.ts'
import type { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import { startSmsc, type Smsc } from '../sms/smsc.ts'
import { Client } from '../support/client.ts'
import { moveClock } from '../support/clock.ts'
import { freshDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { startPosthouse, type PosthouseProcess } from '../support/posthouse-process.ts'
import { seedFor } from '../support/seed.ts'
import {
  connectionsFile,
  goLive,
  LIVE_SEGMENT,
  OURS,
  smppConnection,
  THEIRS,
  writtenConsent,
} from '../support/sms-live.ts'
import { smsWorld } from '../support/sms-world.ts'
import { accepted, created } from '../support/world.ts'

interface SmsNode {
  node: PosthouseProcess
  db: Database
  house: House
  smsc: Smsc
  api: Client
  send(): Promise<string>
  status(id: string): Promise<string>
  balance(): Promise<{ availableMicros: number; reservedMicros: number }>
}

/** A whole installation as an operator starts it, live, with a carrier of ours at the other end. */
async function startSmsNode(failpoints: string): Promise<SmsNode> {
  const { db, url, drop } = await freshDatabase()
  onTestFinished(drop)
  const smsc = await startSmsc()
  const env = {
    DATABASE_URL: url,
    MASTER_KEY: randomBytes(32).toString('hex'),
    SMS_LIVE_ENABLED: 'true',
    SMS_CONNECTIONS_FILE: connectionsFile({ main: smppConnection(smsc.port) }),
    EGRESS_ALLOW: '127.0.0.0/8',
    DNS_SERVERS: '127.0.0.1:1',
    POSTHOUSE_FAILPOINTS: failpoints,
    LOG_LEVEL: 'error',
  }
  const node = await startPosthouse({ env })
  const config = loadConfig(env)
  const house = compose(db, new Vault(config, db), config, systemClock)
  const workspace = (await house.projects.workspace())!
  const project = decodeId('prj', node.keys.projectId)!
  const api = new Client(node.url, node.keys.project)
  await house.sms.operator.invite(workspace, project)
  const { programId, senderId } = await goLive({ house, workspace, project, projectApi: api })
  created(await api.post('sms/consents', writtenConsent(THEIRS, programId)))
  const body = { to: THEIRS, category: 'transactional', body: 'Your order has shipped.', programId, senderId }
  return {
    node,
    db,
    house,
    smsc,
    api,
    send: async () =>
      accepted(
        await api.post<{ id: string }>('sms/messages', body, { 'sms-idempotency-key': randomBytes(8).toString('hex') }),
      ).id,
    status: async (id) => String((await api.get(`sms/messages/${id}`)).body['status']),
    balance: async () =>
      (await api.get<{ availableMicros: number; reservedMicros: number }>('sms/wallet/balance')).body,
  }
}

const RECEIPT = 0x04

test('58: killed between the carrier’s answer and our commit: nothing is submitted twice, and the money follows the report', async () => {
  const { node, db, house, smsc, send, status, balance } = await startSmsNode('sms.after-submit=kill')
  smsc.on('submit_sm', (pdu, line) => line.say('submit_sm_resp', { message_id: 'lost1' }, pdu))
  const worker = node.rolePid('worker')
  const id = await send()
  await eventually('the worker died', () => node.rolePid('worker') !== worker, 60_000)
  await eventually('another one is there', () => node.rolePid('worker') !== undefined, 60_000)
  // Whoever died is known to be dead, and what he held has rested.
  await eventually(
    'it is in doubt',
    async () => {
      const [part] = await db.all(sql<{ state: string }>`select state from sms_parts`)
      return part?.state === 'waiting'
    },
    60_000,
  )
  await moveClock(db, 61)
  await eventually('it is unconfirmed', async () => (await status(id)) === 'unconfirmed', 60_000)
  expect(smsc.all('submit_sm')).toHaveLength(1)
  expect(await balance()).toMatchObject({ reservedMicros: LIVE_SEGMENT })
  smsc.line().say('deliver_sm', {
    esm_class: RECEIPT,
    source_addr_ton: 1,
    source_addr: THEIRS.slice(1),
    dest_addr_ton: 1,
    destination_addr: OURS.slice(1),
    short_message: Buffer.from('id:lost1 sub:001 dlvrd:001 stat:DELIVRD err:000 text:Your order has'),
  })
  await eventually('the report is kept', async () => (await db.all(sql`select from sms_orphan_receipts`)).length === 1)
  await moveClock(db, 61 + 121)
  await house.sms.housekeeping.sweep()
  expect(await status(id)).toBe('delivered')
  expect(await balance()).toMatchObject({ availableMicros: 25_000_000 - LIVE_SEGMENT, reservedMicros: 0 })
  expect(smsc.all('submit_sm')).toHaveLength(1)
  await expectInOrder(house)
}, 240_000)

test('58: without a report the money comes back after three days, and not before', async () => {
  const { node, db, house, smsc, send, status, balance } = await startSmsNode('sms.after-submit=kill')
  const worker = node.rolePid('worker')
  const id = await send()
  await eventually('the worker died', () => node.rolePid('worker') !== worker, 60_000)
  await eventually(
    'it is in doubt',
    async () => (await db.all(sql`select from sms_parts where state = 'waiting'`)).length === 1,
    60_000,
  )
  await moveClock(db, 61)
  await eventually('it is unconfirmed', async () => (await status(id)) === 'unconfirmed', 60_000)
  await moveClock(db, 71 * 3_600)
  await house.sms.housekeeping.sweep()
  expect(await balance()).toMatchObject({ reservedMicros: LIVE_SEGMENT })
  await moveClock(db, 73 * 3_600)
  await house.sms.housekeeping.sweep()
  expect(await balance()).toMatchObject({ availableMicros: 25_000_000, reservedMicros: 0 })
  expect(await status(id)).toBe('unconfirmed')
  expect(smsc.all('submit_sm')).toHaveLength(1)
  await expectInOrder(house)
}, 240_000)

test('what was not submitted when the worker was killed is submitted once by the next', async () => {
  const { node, house, smsc, send, status } = await startSmsNode('sms.before-submit=hang')
  const id = await send()
  await eventually('it hangs before the carrier', async () => (await status(id)) === 'submitting', 60_000)
  expect(smsc.all('submit_sm')).toEqual([])
  await expectInOrder(house)
  process.kill(node.rolePid('worker')!, 'SIGKILL')
  await expectInOrder(house)
  expect(smsc.all('submit_sm')).toEqual([])
}, 120_000)

/** What anybody may do, in any order, at the same time. */
const deeds = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      to: fc.constantFrom('00', '01', '02', '03', '06', '07', '11', '12', '13', '14', '18', '21', '22'),
      long: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('receipt' as const), pick: fc.nat(), good: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stop' as const), pick: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('money' as const),
      amount: fc.integer({ min: -50_000, max: 200_000 }),
      pick: fc.nat(40),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'sweep' as const }) },
)

test('the books are in order after ten thousand deeds, with workers that come and go and statements that fail', async () => {
  const here = await smsWorld({ workers: 0, env: { SMS_SIM_TIME_SCALE: '0.001' } })
  const { db, house, workspace, project, text, startWorker, projectApi, balance, expectBooksInOrder } = here
  const of = { workspace, project, mode: 'test' } as const
  await sabotage(db)
  const all = fc.sample(deeds, { seed: seedFor('sms'), numRuns: 10_000 })
  let worker = await startWorker()
  let refused = 0
  const doIt = async (deed: (typeof all)[number]): Promise<void> => {
    if (deed.kind === 'send') {
      const { status } = await text(deed.to, deed.long ? { body: 'a'.repeat(161) } : {})
      if (status !== 202) refused++
      expect([202, 402, 422, 500]).toContain(status)
    }
    if (deed.kind === 'money') {
      const reference = `adjustment ${deed.pick}`
      await house.sms.operator.adjust(of, BigInt(deed.amount), reference, 'a test').catch(() => {})
    }
    if (deed.kind === 'receipt' || deed.kind === 'stop') {
      const [part] = await db.all(sql<{ id: string; messageId: SmsId; mode: string }>`
        select p.id, p.message_id as "messageId", m.mode
          from sms_parts p join sms_messages m on m.id = p.message_id
         offset ${deed.pick % 2_000} limit 1`)
      if (part === undefined) return
      if (deed.kind === 'stop')
        await house.sms.inbox.simulated(part.messageId, deed.pick % 2 ? 'STOP' : 'START', String(deed.pick))
      else {
        const state = deed.good ? 'delivered' : 'undelivered'
        await house.sms.reports.receipt('simulator', { providerId: `sim-${part.id}`, state })
      }
    }
    if (deed.kind === 'sweep') await house.sms.housekeeping.sweep()
  }
  for (let at = 0; at < all.length; at += 250) {
    const some = all.slice(at, at + 250)
    // A few hands at a time.
    await Promise.all(
      Array.from({ length: 8 }, async (_, hand) => {
        for (let i = hand; i < some.length; i += 8) await doIt(some[i]!).catch(onlySabotage)
      }),
    )
    const { availableMicros, reservedMicros } = await balance()
    expect(availableMicros).toBeGreaterThanOrEqual(0)
    expect(reservedMicros).toBeGreaterThanOrEqual(0)
    if (at % 2_500 === 0) {
      await worker.stop()
      worker = await startWorker()
      await expectBooksInOrder()
    }
  }
  await db.run(sql`drop trigger sabotage on sms_events`)
  await eventually(
    'everything has come to an end',
    async () => {
      const { open } = await db.one(sql<{ open: number }>`
        select count(*) as open from sms_parts where state in ('waiting', 'ready', 'claimed', 'in_flight', 'held')`)
      return open === 0
    },
    120_000,
  )
  await expectBooksInOrder()
  // 64: what usage says is what the ledger says.
  const { charges } = await db.one(sql<{ charges: number }>`
    select coalesce(-sum(reserved_delta_micros), 0)::bigint as charges from sms_ledger where type = 'charge'`)
  const usage = await projectApi.get<{ totals: { chargedMicros: number } }>('sms/usage?mode=test')
  expect(usage.body.totals.chargedMicros).toBe(charges)
  expect(charges).toBeGreaterThan(0)
  expect(refused).toBeGreaterThan(0)
}, 580_000)

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

function onlySabotage(error: unknown): void {
  if (!(error instanceof Error) || !/sabotage|deadlock/.test(error.message)) throw error
  expect(error.message).not.toContain('deadlock')
}

async function expectInOrder(house: House): Promise<void> {
  expect((await house.sms.operator.reconcile(undefined, false)).violations).toEqual([])
}
