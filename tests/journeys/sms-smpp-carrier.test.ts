import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { refuses, startSmsc, isSilent, type Heard, type Smsc } from '../sms/smsc.ts'
import { eventually } from '../support/eventually.ts'
import { LIVE_SEGMENT, liveWorld, OURS, smppConnection, THEIRS, type LiveWorld } from '../support/sms-live.ts'
import type { SmsDetail } from '../support/sms-world.ts'

interface Carried extends LiveWorld {
  smsc: Smsc
  /** Its id. */
  sendLive(more?: Record<string, unknown>): Promise<string>
  /** As the SMSC reports, each acknowledged before the next is said. */
  report(id: string, ...states: string[]): Promise<void>
}

async function carried(more: Record<string, unknown> = {}): Promise<Carried> {
  const smsc = await startSmsc()
  const here = await liveWorld(smppConnection(smsc.port, more))
  await here.consent(THEIRS)
  const sendLive = async (fields = {}): Promise<string> => String((await here.live(THEIRS, fields)).body['id'])
  const report = async (id: string, ...states: string[]): Promise<void> => {
    for (const state of states) {
      const before = smsc.all('deliver_sm_resp').length
      smsc.line().say('deliver_sm', receipt(id, state))
      await eventually('it is kept', () => smsc.all('deliver_sm_resp').length > before)
      expect(smsc.all('deliver_sm_resp').at(-1)).toMatchObject({ command_status: 0 })
    }
  }
  return { ...here, smsc, sendLive, report }
}

const receipt = (id: string, state: string) => ({
  esm_class: 0x04,
  source_addr_ton: 1,
  source_addr: THEIRS.slice(1),
  dest_addr_ton: 1,
  destination_addr: OURS.slice(1),
  short_message: Buffer.from(
    `id:${id} sub:001 dlvrd:001 stat:${state} err:${state === 'UNDELIV' ? '005' : '000'} text:Your order`,
  ),
})

const receiptsIn = ({ events }: SmsDetail): string[] =>
  events.filter(({ type }) => type === 'receipt').map(({ detail }) => detail)

const answersWith =
  (...ids: string[]) =>
  (pdu: Heard, line: ReturnType<Smsc['line']>): void =>
    line.say('submit_sm_resp', { message_id: ids.shift() ?? 'more' }, pdu)

test('77: a report that comes before the answer that it is about counts', async () => {
  const { smsc, sendLive, smsBecomes, expectBooksInOrder } = await carried()
  smsc.on('submit_sm', (pdu, line) => {
    line.say('deliver_sm', receipt('early', 'DELIVRD'))
    answersWith('early')(pdu, line)
  })
  const detail = await smsBecomes(await sendLive(), 'delivered')
  expect(detail).toMatchObject({ chargedMicros: LIVE_SEGMENT })
  expect(receiptsIn(detail)).toHaveLength(1)
  await expectBooksInOrder()
})

test('77: whatever is reported again or otherwise, the first final word stays and all of them are on record', async () => {
  const { smsc, sendLive, sms, smsBecomes, report, db, advance, services, expectBooksInOrder } = await carried()
  smsc.on('submit_sm', answersWith('good', 'bad'))
  const good = await sendLive()
  await smsBecomes(good, 'sent')
  const bad = await sendLive()
  await smsBecomes(bad, 'sent')
  await report('good', 'ENROUTE', 'DELIVRD', 'DELIVRD', 'UNDELIV')
  await report('bad', 'UNDELIV', 'DELIVRD')
  expect(await sms(good)).toMatchObject({ status: 'delivered', errorCode: null })
  expect(receiptsIn(await sms(good))).toEqual([
    'report without effect: enroute',
    'report: delivered',
    'report without effect: delivered',
    'report without effect: undelivered',
  ])
  expect(await sms(bad)).toMatchObject({ status: 'undelivered', errorCode: 'unknown' })
  expect(receiptsIn(await sms(bad))).toEqual(['report: undelivered', 'report without effect: delivered'])
  // About nothing that we know: taken, since the SMSC would go on telling it, and forgotten after a while.
  await report('nobody', 'DELIVRD')
  await advance({ minutes: 11 })
  await services.sms.housekeeping.sweep()
  expect(await db.all(sql`select from sms_orphan_receipts`)).toEqual([])
  await expectBooksInOrder()
})

test('77: an id that is answered in hexadecimal and reported in decimal, with zeros before it, is one id', async () => {
  const { smsc, sendLive, smsBecomes, report } = await carried({ idForm: 'hex_then_dec' })
  smsc.on('submit_sm', answersWith('1A2B'))
  const id = await sendLive()
  await smsBecomes(id, 'sent')
  await report('0000006699', 'DELIVRD')
  await smsBecomes(id, 'delivered')
})

/** A NUL to whoever reads ASCII by dropping the eighth bit. */
const NUL = '\x80'

test('octets that are no text, in an id or a number, keep nothing back', async () => {
  const { smsc, sendLive, smsBecomes, projectApi } = await carried()
  const octets = (text: string): Buffer => Buffer.from(text, 'latin1')
  smsc.on('submit_sm', (pdu, line) => line.say('submit_sm_resp', { message_id: octets(`a${NUL}b`) }, pdu))
  const { parts } = await smsBecomes(await sendLive(), 'sent')
  expect(parts).toMatchObject([{ providerMessageId: 'ab' }])
  const said = { source_addr: octets(`${NUL}${THEIRS.slice(1)}`), short_message: Buffer.from('STOP') }
  smsc.line().say('deliver_sm', { ...said, destination_addr: octets(`nobody${NUL}`) })
  smsc.line().say('deliver_sm', { ...said, destination_addr: OURS.slice(1) })
  await eventually('both are answered', () => smsc.all('deliver_sm_resp').length === 2)
  expect(smsc.all('deliver_sm_resp')).toMatchObject([{ command_status: 0 }, { command_status: 0 }])
  const { data } = (await projectApi.get<{ data: object[] }>('sms/suppressions')).body
  expect(data).toMatchObject([{ origin: 'keyword', status: 'active' }])
})

test('78: the second part is lost before the first is delivered: undelivered, and why stays', async () => {
  const { smsc, sendLive, smsBecomes, sms, report, expectBooksInOrder } = await carried()
  smsc.on('submit_sm', answersWith('first', 'second'))
  const id = await sendLive({ body: 'a'.repeat(161) })
  await smsBecomes(id, 'sent')
  await report('second', 'UNDELIV')
  expect(await sms(id)).toMatchObject({ status: 'undelivered', errorCode: 'unknown' })
  await report('first', 'DELIVRD')
  const { status, errorCode, parts, chargedMicros } = await sms(id)
  expect({ status, errorCode, chargedMicros }).toEqual({
    status: 'undelivered',
    errorCode: 'unknown',
    chargedMicros: 2 * LIVE_SEGMENT,
  })
  expect(parts.map((part) => part.status)).toEqual(['delivered', 'undelivered'])
  await expectBooksInOrder()
})

const OVERSIZE = Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 1])

test.each<[string, (smsc: Smsc) => void]>([
  ['hangs up', (smsc) => smsc.line().drop()],
  ['says something that cannot be', (smsc) => smsc.line().raw(OVERSIZE)],
])(
  '79, 83: an SMSC that takes three and %s: their fate is unknown, and none is submitted again',
  async (_what, spoil) => {
    const { smsc, sendLive, smsBecomes, balance, advance, services, db, sms, expectBooksInOrder } = await carried()
    smsc.on('submit_sm', isSilent)
    const texts = ['one', 'two', 'three']
    const ids = await Promise.all(texts.map((body) => sendLive({ body })))
    await eventually('all are under way', () => smsc.all('submit_sm').length === 3)
    spoil(smsc)
    for (const id of ids) await smsBecomes(id, 'unconfirmed')
    expect(await balance('live')).toMatchObject({ reservedMicros: 3 * LIVE_SEGMENT })
    smsc.on('submit_sm', answersWith('after'))
    await eventually('it is bound again', () => smsc.all('bind_transceiver').length === 2)
    await advance({ minutes: 5 })
    await smsBecomes(await sendLive({ body: 'four' }), 'sent')
    const said = smsc.all('submit_sm').map(({ short_message }) => short_message.toString('latin1'))
    expect(said.toSorted()).toEqual([...texts, 'four'].toSorted())
    // The answers come after all, on a day when nobody waits for them any more: one yes, one no.
    const parts = await db.all(sql<{ id: string; message: string }>`
    select p.id from sms_parts p where p.state = 'unknown' order by p.id`)
    const late = (part: number, outcome: Parameters<typeof services.sms.outcomes.answeredLate>[2]) =>
      services.sms.outcomes.answeredLate('main', parts[part]!.id, outcome)
    await late(0, { ok: true, providerIds: ['late'] })
    await late(0, { ok: true, providerIds: ['late'] })
    await late(1, { ok: false, kind: 'permanent', errorCode: 'carrier_rejected' })
    await late(2, { ok: false, kind: 'ambiguous' })
    const charged = await Promise.all(ids.map(async (id) => (await sms(id)).ledger.map(({ type }) => type).join(' ')))
    expect(charged.toSorted()).toEqual(['reservation', 'reservation charge', 'reservation release'])
    expect(await balance('live')).toMatchObject({ reservedMicros: LIVE_SEGMENT })
    await expectBooksInOrder()
  },
)

test('80: throttled three times and then taken: one charge, and the parts in their order', async () => {
  const { smsc, sendLive, smsBecomes, expectBooksInOrder } = await carried()
  let times = 0
  smsc.on('submit_sm', (pdu, line) => (++times <= 3 ? refuses(0x58)(pdu, line) : answersWith(`t${times}`)(pdu, line)))
  const { ledger } = await smsBecomes(await sendLive({ body: 'a'.repeat(161) }), 'sent')
  const places = smsc.all('submit_sm').map(({ short_message }) => short_message[5])
  expect(places).toEqual([1, 1, 1, 1, 2])
  expect(ledger.map(({ type, amountMicros }) => [type, amountMicros])).toEqual([
    ['reservation', 2 * LIVE_SEGMENT],
    ['charge', 2 * LIVE_SEGMENT],
  ])
  await expectBooksInOrder()
})
