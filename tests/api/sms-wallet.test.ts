import { expect, test } from 'vitest'
import type { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import { SEGMENT, smsWorld } from '../support/sms-world.ts'

interface List<T = Record<string, unknown>> {
  data: T[]
  hasMore: boolean
  nextCursor: string | null
}

test('a wallet is shown the same at its three addresses, each entry with both of its sides', async () => {
  const { projectApi, sendSms } = await smsWorld({ workers: 0 })
  await sendSms('00')
  const [a, b, c] = await Promise.all(
    ['', '/balance', '/state'].map(async (path) => (await projectApi.get(`sms/wallet${path}`)).body),
  )
  const shown = {
    object: 'sms_wallet',
    mode: 'test',
    currency: 'USD',
    availableMicros: 100_000_000 - SEGMENT,
    reservedMicros: SEGMENT,
    totalMicros: 100_000_000,
    status: 'active',
    lowBalanceThresholdMicros: 1_000_000,
    dailySpendCapMicros: null,
    spentTodayMicros: 0,
    asOf: expect.any(String),
    ledgerSeq: 2,
  }
  for (const body of [a, b, c]) expect(body).toEqual(shown)
  const { data } = (await projectApi.get<List>('sms/wallet/ledger')).body
  expect(data.map(({ type }) => type)).toEqual(['reservation', 'top_up'])
  expect(data[0]).toMatchObject({
    seq: 2,
    messageId: expect.stringMatching(/^sms_/),
    availableDeltaMicros: -SEGMENT,
    reservedDeltaMicros: SEGMENT,
    availableAfterMicros: 100_000_000 - SEGMENT,
    reservedAfterMicros: SEGMENT,
    postings: [
      { account: 'wallet:available', debitMicros: SEGMENT },
      { account: 'wallet:reserved', creditMicros: SEGMENT },
    ],
  })
  expect((await projectApi.get(`sms/wallet/ledger/${data[0]!['id']}`)).body).toEqual(data[0])
  const filtered = (await projectApi.get<List>(`sms/wallet/ledger?messageId=${data[0]!['messageId']}`)).body.data
  expect(filtered).toEqual([data[0]])
  expect((await projectApi.get<List>('sms/wallet/ledger?type=top_up&limit=1')).body).toMatchObject({ hasMore: false })
  const page = (await projectApi.get<List>('sms/wallet/ledger?limit=1')).body
  expect((await projectApi.get<List>(`sms/wallet/ledger?limit=1&cursor=${page.nextCursor}`)).body.data).toEqual([
    data[1],
  ])
})

test('54: a hundred at once with money for ten: ten are sent, ninety refused, and nothing is left', async () => {
  const { insist, services, workspace, project, balance, expectBooksInOrder } = await smsWorld({ workers: 0 })
  const rest = BigInt((await balance()).availableMicros) - 10n * BigInt(SEGMENT)
  await services.sms.operator.adjust({ workspace, project, mode: 'test' }, -rest, 'rest', 'a test')
  const replies = await Promise.all(Array.from({ length: 100 }, (_, i) => insist('00', `one of a hundred: ${i}`)))
  const count = (status: number): number => replies.filter((reply) => reply.status === status).length
  expect([count(202), count(402)]).toEqual([10, 90])
  expect(await balance()).toMatchObject({ availableMicros: 0, reservedMicros: 10 * SEGMENT, status: 'empty' })
  await expectBooksInOrder()
})

test('59: a report that comes again charges nothing again', async () => {
  const { sendSms, smsBecomes, services, balance, sms, expectBooksInOrder } = await smsWorld()
  const id = await sendSms('00')
  const [part] = (await smsBecomes(id, 'delivered')).parts
  const before = await balance()
  for (let i = 0; i < 3; i++) {
    await services.sms.reports.receipt('simulator', { providerId: part!.providerMessageId!, state: 'delivered' })
  }
  expect(await balance()).toMatchObject({ ledgerSeq: before.ledgerSeq, totalMicros: before.totalMicros })
  expect((await sms(id)).ledger).toHaveLength(2)
  await expectBooksInOrder()
})

test('59: an outcome that is recorded again charges nothing again', async () => {
  const { sendSms, smsBecomes, services, db, balance, sms, expectBooksInOrder } = await smsWorld()
  const id = await sendSms('06')
  await smsBecomes(id, 'sent')
  const before = await balance()
  const [part] = await db.all(sql<{ id: string }>`select id from sms_parts`)
  const outcome = { kind: 'accepted', providerIds: [`sim-${part!.id}`], isWhole: false, later: [] } as const
  for (let i = 0; i < 3; i++) {
    await db.transaction((tx) =>
      services.sms.outcomes.record(tx, [
        { id: part!.id, connection: 'simulator', outcome: { ...outcome, providerIds: [...outcome.providerIds] } },
      ]),
    )
  }
  expect(await balance()).toMatchObject({ ledgerSeq: before.ledgerSeq, totalMicros: before.totalMicros })
  expect((await sms(id)).ledger.map(({ type }) => type)).toEqual(['reservation', 'charge'])
  await expectBooksInOrder()
})

test('60: a top-up that is taken back may leave less than nothing; nothing can be sent then, and all can be read', async () => {
  const { text, services, workspace, project, projectApi, balance, expectBooksInOrder } = await smsWorld()
  const { operator } = services.sms
  const of = { workspace, project, mode: 'test' } as const
  await operator.topUp(of, 1_000_000n, 'INV-0099')
  await operator.adjust(of, -BigInt((await balance()).availableMicros - 500_000), 'spent', 'a test')
  expect(await operator.reverse(of, 'INV-0099')).toMatchObject({ status: 'reversed' })
  expect(await balance()).toMatchObject({ availableMicros: -500_000, status: 'empty' })
  expect(await text('00')).toMatchObject({ status: 402 })
  // Again changes nothing.
  await operator.reverse(of, 'INV-0099')
  expect((await balance()).availableMicros).toBe(-500_000)
  const { data } = (await projectApi.get<List>('sms/wallet/ledger?limit=1')).body
  expect(data[0]).toMatchObject({ type: 'top_up_reversal', reversesEntryId: expect.stringMatching(/^sml_/) })
  await expectBooksInOrder()
})

test('the same reference is the same top-up, and with another amount a mistake; references are not shown whole', async () => {
  const { services, workspace, project, projectApi, projectId, balance } = await smsWorld({ workers: 0 })
  const of = { workspace, project, mode: 'live' } as const
  const first = await services.sms.operator.topUp(of, 25_000_000n, 'INV-00042')
  expect(await services.sms.operator.topUp(of, 25_000_000n, 'INV-00042')).toEqual(first)
  await expect(services.sms.operator.topUp(of, 1n, 'INV-00042')).rejects.toMatchObject({ code: 'already_exists' })
  expect(await balance('live')).toMatchObject({ availableMicros: 25_000_000 })
  const { data } = (await projectApi.get<List>('sms/wallet/top-ups?mode=live')).body
  expect(data).toEqual([
    {
      id: expect.stringMatching(/^smtu_/),
      projectId,
      amountMicros: 25_000_000,
      currency: 'USD',
      status: 'settled',
      method: 'operator',
      referenceMasked: 'INV-***42',
      createdAt: expect.any(String),
      settledAt: expect.any(String),
      ledgerEntryId: expect.stringMatching(/^sml_/),
    },
  ])
  expect((await projectApi.get(`sms/wallet/top-ups/${data[0]!['id']}`)).body).toEqual(data[0])
})

test('a frozen wallet pays for nothing until it is not frozen any more', async () => {
  const { text, services, workspace, project, balance } = await smsWorld({ workers: 0 })
  const of = { workspace, project, mode: 'test' } as const
  await services.sms.operator.freeze(of, true)
  expect((await balance()).status).toBe('frozen')
  expect(await text('00')).toMatchObject({ status: 402, body: { code: 'sms_insufficient_funds' } })
  await services.sms.operator.freeze(of, false)
  expect((await text('00')).status).toBe(202)
})

test('what may be spent in a day is a quota: clients stop, and hear when it begins anew', async () => {
  const { text, services, workspace, project } = await smsWorld({ workers: 0 })
  await services.sms.operator.cap({ workspace, project, mode: 'test' }, BigInt(2 * SEGMENT))
  expect([(await text('00')).status, (await text('00')).status]).toEqual([202, 202])
  expect(await text('00')).toMatchObject({
    status: 403,
    body: {
      code: 'quota_exceeded',
      quota: 'smsMicrosPerDay',
      limit: 2 * SEGMENT,
      used: 2 * SEGMENT,
      resetsAt: expect.stringMatching(/T00:00:00\.000Z$/),
    },
  })
})

test('61: what is reserved in one month and charged in the next is charged in the next, and each opens as the last closed', async () => {
  const { sendSms, startWorker, smsBecomes, projectApi, db, expectBooksInOrder } = await smsWorld({ workers: 0 })
  await setClock(db, '2030-01-31 23:59:59.9Z')
  const id = await sendSms('00', { validitySeconds: 172_800 })
  await setClock(db, '2030-02-01 00:00:00.1Z')
  await startWorker()
  await smsBecomes(id, 'sent')
  const { data } = (await projectApi.get<List>('sms/wallet/periods?limit=2')).body
  expect(data).toMatchObject([
    {
      id: '2030-02',
      status: 'open',
      openingMicros: 100_000_000,
      chargesMicros: SEGMENT,
      segmentsCharged: 1,
      closingMicros: null,
    },
    { id: '2030-01', status: 'closed', openingMicros: 100_000_000, chargesMicros: 0, closingMicros: 100_000_000 },
  ])
  expect(data[0]).toMatchObject({ startsAt: '2030-02-01T00:00:00.000Z', endsAt: '2030-03-01T00:00:00.000Z' })
  const all = (
    await projectApi.get<List<{ openingMicros: number; closingMicros: number }>>('sms/wallet/periods?limit=100')
  ).body.data
  for (const [i, period] of all.entries()) if (i > 0) expect(period.closingMicros).toBe(all[i - 1]!.openingMicros)
  expect((await projectApi.get('sms/wallet/periods/2030-02')).body).toEqual(data[0])
  expect((await projectApi.get('sms/wallet/periods/1999-01')).status).toBe(404)
  expect((await projectApi.get('sms/wallet/periods/%00')).status).toBe(404)
  await expectBooksInOrder()
})

test('no entry can be changed or removed, nor its sides', async () => {
  const { db, sendSms } = await smsWorld({ workers: 0 })
  await sendSms('00')
  for (const statement of [
    sql`update sms_ledger set available_delta_micros = 0`,
    sql`delete from sms_ledger`,
    sql`truncate sms_postings`,
    sql`update sms_postings set debit_micros = 1`,
    sql`delete from sms_consents`,
    sql`update sms_consents set action = 'granted'`,
  ]) {
    await expect(db.run(statement)).rejects.toThrow('append-only')
  }
})

test('what does not add up is found, whatever it is', async () => {
  const { db, services, sendSms } = await smsWorld({ workers: 0 })
  await sendSms('00')
  const found = async (): Promise<string[]> =>
    (await services.sms.operator.reconcile(undefined, false)).violations.map(({ invariant }) => invariant)
  expect(await found()).toEqual([])
  await db.run(sql`update sms_wallets set available_micros = available_micros + 1 where mode = 'test'`)
  expect(await found()).toEqual(['the wallet is not what its ledger says'])
  await db.run(sql`update sms_wallets set available_micros = available_micros - 1 where mode = 'test'`)
  await db.run(sql`update sms_messages set money_settled_at = clock_now()`)
  expect(await found()).toEqual(
    expect.arrayContaining([
      'what is reserved is not what open messages need',
      expect.stringContaining('was resolved'),
    ]),
  )
})

test('a reservation of a message that is over is resolved by the operator, by its state and not by its age', async () => {
  const { db, services, sendSms, expectBooksInOrder, balance } = await smsWorld({ workers: 0 })
  const [over, waiting] = [await sendSms('00'), await sendSms('00')]
  void waiting
  await db.run(sql`
    update sms_parts set state = 'stopped'
     where message_id = (select id from sms_messages order by id limit 1)`)
  await db.run(sql`
    update sms_messages set status = 'failed' where id = (select id from sms_messages order by id limit 1)`)
  expect(await services.sms.operator.reconcile(undefined, true)).toEqual({ fixed: 1, violations: [] })
  expect(await balance()).toMatchObject({ reservedMicros: SEGMENT })
  expect(over).toMatch(/^sms_/)
  await expectBooksInOrder()
})

const setClock = (db: Database, moment: string): Promise<unknown> =>
  db.withClient((client) =>
    client.query(
      `create or replace function clock_now() returns timestamptz language sql stable as $$ select timestamptz '${moment}' $$`,
    ),
  )
