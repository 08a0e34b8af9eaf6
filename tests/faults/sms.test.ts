import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { startSmsc, type Smsc } from '../sms/smsc.ts'
import { moveClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import {
  connectionsFile,
  goLive,
  LIVE_SEGMENT,
  OURS,
  smppConnection,
  THEIRS,
  writtenConsent,
} from '../support/sms-live.ts'
import { startSmsNode, type SmsNode } from '../support/sms-node.ts'
import { accepted, created } from '../support/world.ts'

interface Doubtful extends SmsNode {
  smsc: Smsc
  /** A message that the carrier took, and whose worker has died of it. */
  id: string
}

type Moment = 'with the answer in its hand' | 'while it waits for the answer'

/** The worker dies after it has submitted; another one has found what it left behind. */
async function killed(moment: Moment): Promise<Doubtful> {
  const isAnswered = moment === 'with the answer in its hand'
  const smsc = await startSmsc()
  smsc.on('submit_sm', (pdu, line) => isAnswered && line.say('submit_sm_resp', { message_id: 'lost1' }, pdu))
  const here = await startSmsNode({
    SMS_LIVE_ENABLED: 'true',
    SMS_CONNECTIONS_FILE: connectionsFile({ main: smppConnection(smsc.port) }),
    // Not of an answer that it could not be sent.
    ...(isAnswered ? { POSTHOUSE_FAILPOINTS: 'sms.after-submit=kill@accepted' } : {}),
  })
  const { api, node, db, status } = here
  const { programId, senderId } = await goLive({ ...here, projectApi: api })
  created(await api.post('sms/consents', writtenConsent(THEIRS, programId)))
  const worker = node.rolePid('worker')
  const body = { to: THEIRS, category: 'transactional', body: 'Your order has shipped.', programId, senderId }
  const { id } = accepted(await api.post<{ id: string }>('sms/messages', body, { 'sms-idempotency-key': 'once' }))
  await eventually('the carrier has it', () => smsc.all('submit_sm').length === 1)
  if (!isAnswered) process.kill(worker!, 'SIGKILL')
  await eventually('the worker died', () => node.rolePid('worker') !== worker)
  // It waits for a minute, as everything does that somebody held who is gone.
  const isLeft = async () => (await db.all(sql`select from sms_parts where state = 'waiting'`)).length === 1
  await eventually('another one has found it', isLeft)
  await moveClock(db, 61)
  await eventually('it is unconfirmed', async () => (await status(id)) === 'unconfirmed')
  return { ...here, smsc, id }
}

test.each<Moment>(['with the answer in its hand', 'while it waits for the answer'])(
  '58: killed between submit and commit, %s: nothing is submitted twice, and the report settles the money',
  async (moment) => {
    const { db, services, smsc, id, status, balance, expectBooksInOrder } = await killed(moment)
    expect(smsc.all('submit_sm')).toHaveLength(1)
    expect(await balance()).toMatchObject({ availableMicros: 25_000_000 - LIVE_SEGMENT, reservedMicros: LIVE_SEGMENT })
    const report = {
      esm_class: 0x04,
      source_addr_ton: 1,
      source_addr: THEIRS.slice(1),
      dest_addr_ton: 1,
      destination_addr: OURS.slice(1),
      short_message: Buffer.from('id:lost1 sub:001 dlvrd:001 stat:DELIVRD err:000 text:Your order has'),
    }
    // Twice, as carriers do.
    for (let i = 0; i < 2; i++) smsc.line().say('deliver_sm', report)
    await eventually('both are kept', () => smsc.all('deliver_sm_resp').length === 2)
    await moveClock(db, 61 + 121)
    await services.sms.housekeeping.sweep()
    expect(await status(id)).toBe('delivered')
    expect(await balance()).toMatchObject({ availableMicros: 25_000_000 - LIVE_SEGMENT, reservedMicros: 0 })
    const entries = await db.all(
      sql<{ type: string }>`select type from sms_ledger where message_id is not null order by seq`,
    )
    expect(entries.map(({ type }) => type)).toEqual(['reservation', 'charge'])
    expect(smsc.all('submit_sm')).toHaveLength(1)
    await expectBooksInOrder()
  },
  240_000,
)

test('58: without a report the money comes back after three days, and not before', async () => {
  const { db, services, smsc, id, status, balance, expectBooksInOrder } = await killed('with the answer in its hand')
  await moveClock(db, 71 * 3_600)
  await services.sms.housekeeping.sweep()
  expect(await balance()).toMatchObject({ reservedMicros: LIVE_SEGMENT })
  await moveClock(db, 73 * 3_600)
  await services.sms.housekeeping.sweep()
  expect(await balance()).toMatchObject({ availableMicros: 25_000_000, reservedMicros: 0 })
  expect(await status(id)).toBe('unconfirmed')
  expect(smsc.all('submit_sm')).toHaveLength(1)
  await expectBooksInOrder()
}, 240_000)
