import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assembled, REASSEMBLY_MS } from '../../src/sms/inbound-parts.ts'
import { loadCodec } from '../../src/sms/smpp/codec.ts'
import { readDelivered } from '../../src/sms/smpp/deliver.ts'
import { Frames } from '../../src/sms/smpp/frames.ts'
import { providerIdOf } from '../../src/sms/smpp/provider-id.ts'
import { eventually } from '../support/eventually.ts'
import { SECRET_TEXT, world, type World } from './smpp-world.ts'

const RECEIPT = 0x04
const receiptText = (id: string, stat: string, err = '000'): Buffer =>
  Buffer.from(
    `id:${id} sub:001 dlvrd:001 submit date:2611031200 done date:2611031201 stat:${stat} err:${err} text:${SECRET_TEXT}`,
  )

const receive = async (one: World, fields: Record<string, unknown>): Promise<void> => {
  const before = one.smsc.all('deliver_sm_resp').length
  one.smsc.line().say('deliver_sm', { source_addr_ton: 1, source_addr: '12025551234', ...fields })
  await eventually('an answer', () => one.smsc.all('deliver_sm_resp').length > before)
}

test.each([
  ['DELIVRD', '000', { state: 'delivered' }],
  ['EXPIRED', '01b', { state: 'undelivered', errorCode: 'expired', providerCode: '01b' }],
  ['DELETED', '000', { state: 'undelivered', errorCode: 'carrier_rejected' }],
  ['UNDELIV', '005', { state: 'undelivered', errorCode: 'unknown', providerCode: '005' }],
  ['REJECTD', '000', { state: 'undelivered', errorCode: 'carrier_rejected' }],
  ['ENROUTE', '000', { state: 'enroute' }],
  ['ACCEPTD', '000', { state: 'accepted' }],
  ['UNKNOWN', '000', { state: 'unknown' }],
  ['delivrd', '000', { state: 'delivered' }],
  ['NONSENSE', '000', { state: 'unknown' }],
])('a receipt by text that says %s is read', async (stat, err, expected) => {
  const one = await world()
  await receive(one, { esm_class: RECEIPT, short_message: receiptText('A1', stat, err) })
  expect(one.receipts).toMatchObject([{ providerId: 'a1', ...expected }])
  expect(JSON.stringify(one.receipts)).not.toContain(SECRET_TEXT.slice(0, 8))
})

test('77: flagged as UCS-2, and ASCII all the same; or really UCS-2', async () => {
  const one = await world()
  await receive(one, { esm_class: RECEIPT, data_coding: 8, short_message: receiptText('7', 'DELIVRD') })
  const wide = Buffer.from('id:8 stat:DELIVRD err:000 text:', 'utf16le').swap16()
  await receive(one, { esm_class: RECEIPT, data_coding: 8, short_message: wide })
  expect(one.receipts).toMatchObject([
    { providerId: '7', state: 'delivered' },
    { providerId: '8', state: 'delivered' },
  ])
})

test('what a quoted text pretends to say is not believed', async () => {
  const one = await world()
  const spoofed = Buffer.from('id:5 stat:DELIVRD err:000 text:stat:UNDELIV id:6')
  const turned = Buffer.from('text:stat:UNDELIV id:6 xx STAT: DELIVRD Err:000 ID:5')
  await receive(one, { esm_class: RECEIPT, short_message: spoofed })
  await receive(one, { esm_class: RECEIPT, short_message: turned })
  expect(one.receipts).toMatchObject([
    { providerId: '5', state: 'delivered' },
    { providerId: '5', state: 'delivered' },
  ])
})

test('the fields of a receipt count more than its text', async () => {
  const one = await world()
  await receive(one, {
    esm_class: RECEIPT,
    short_message: receiptText('1', 'DELIVRD'),
    receipted_message_id: Buffer.from('ABC'),
    message_state: 5,
    network_error_code: Buffer.from([3, 0, 27]),
  })
  expect(one.receipts).toMatchObject([
    { providerId: 'abc', state: 'undelivered', errorCode: 'unreachable', providerCode: '27' },
  ])
})

test('an intermediate notice is never the last word, and a receipt about nothing is acknowledged', async () => {
  const one = await world()
  await receive(one, { esm_class: 0x20, short_message: receiptText('1', 'UNDELIV') })
  await receive(one, { esm_class: RECEIPT, short_message: Buffer.from('hello') })
  await receive(one, { esm_class: 0x08, short_message: Buffer.from('read by hand') })
  expect(one.receipts).toMatchObject([{ providerId: '1', state: 'enroute' }])
  expect(one.inbound).toEqual([])
  expect(one.smsc.all('deliver_sm_resp').map((pdu) => pdu['command_status'])).toEqual([0, 0, 0])
})

test.each([
  ['hex_then_dec', '1a2B', '6699'],
  ['dec_then_hex', '6699', '1A2B'],
  ['same', '00ABc', 'abC'],
  ['same', '0042', '42'],
  ['hex_then_dec', '0000001a2b', '0006699'],
] as const)('77: ids that are written %s: %s is %s', (form, answer, receipt) => {
  expect(providerIdOf(answer, 'answer', form)).toBe(providerIdOf(receipt, 'receipt', form))
})

test('what is delivered is acknowledged when it is kept, and comes again when it could not be', async () => {
  const one = await world()
  const { promise, resolve } = Promise.withResolvers<void>()
  one.sink.before = () => promise
  one.smsc
    .line()
    .say('deliver_sm', { source_addr_ton: 1, source_addr: '12025551234', short_message: Buffer.from('hi') })
  one.smsc.line().say('enquire_link')
  await eventually('the second is answered', () => one.smsc.all('enquire_link_resp').length === 1)
  expect(one.smsc.all('deliver_sm_resp')).toEqual([])
  resolve()
  await eventually('the first, too', () => one.smsc.all('deliver_sm_resp').length === 1)
  one.sink.before = () => Promise.reject(new Error('no database'))
  await receive(one, { short_message: Buffer.from('hi') })
  expect(one.smsc.all('deliver_sm_resp').map((pdu) => pdu['command_status'])).toEqual([0, 0x64])
})

test('receipts of one message are kept in the order in which they came, twice or not', async () => {
  const one = await world()
  const states = ['ENROUTE', 'DELIVRD', 'DELIVRD', 'UNDELIV']
  let slow = 40
  one.sink.before = () => new Promise((resolve) => setTimeout(resolve, (slow -= 10)))
  for (const stat of states) {
    one.smsc.line().say('deliver_sm', { esm_class: RECEIPT, short_message: receiptText('1', stat) })
  }
  await eventually('all of them', () => one.receipts.length === 4)
  expect(one.receipts.map(({ state }) => state)).toEqual(['enroute', 'delivered', 'delivered', 'undelivered'])
})

test.each<[string, Record<string, unknown>, string]>([
  ['GSM 03.38', { data_coding: 0, short_message: Buffer.from([0x00, 0x1b, 0x65]) }, '@€'],
  ['Latin-1', { data_coding: 3, short_message: Buffer.from('é', 'latin1') }, 'é'],
  ['UCS-2', { data_coding: 8, short_message: Buffer.from('😀', 'utf16le').swap16() }, '😀'],
  ['UCS-2 of a message class', { data_coding: 0x18, short_message: Buffer.from([0x00, 0x41]) }, 'A'],
  ['UCS-2 and an octet too many', { data_coding: 8, short_message: Buffer.from([0, 65, 0]) }, 'A'],
  ['a payload', { data_coding: 0, short_message: Buffer.alloc(0), message_payload: Buffer.from('long') }, 'long'],
  ['octets', { data_coding: 4, short_message: Buffer.from([1, 2, 3]) }, ''],
  ['a header that is none', { esm_class: 0x40, data_coding: 0, short_message: Buffer.from('STOP') }, 'STOP'],
])('a message from a handset in %s is read', async (_what, fields, text) => {
  const one = await world()
  await receive(one, { dest_addr_ton: 0, destination_addr: '12025550199', ...fields })
  expect(one.inbound).toMatchObject([{ from: '+12025551234', to: '+12025550199', text }])
})

test('a short code, a name and a national number stay what they are', async () => {
  const one = await world()
  for (const [source_addr_ton, source_addr] of [
    [3, '12345'],
    [5, 'Bank'],
    [2, '02025551234'],
  ] as const) {
    await receive(one, { source_addr_ton, source_addr, short_message: Buffer.from('x') })
  }
  await receive(one, { source_addr_ton: 0, source_addr: '0012025551234', short_message: Buffer.from('x') })
  expect(one.inbound.map(({ from }) => from)).toEqual(['12345', 'Bank', '02025551234', '+12025551234'])
})

test('85: parts in any order, twice, with reference 0 and a character across the seam become one text', async () => {
  const one = await world()
  const text = Buffer.from('STOP 😀 now', 'utf16le').swap16()
  const pieces = [text.subarray(0, 12), text.subarray(12, 14), text.subarray(14)]
  for (const seq of [3, 1, 1, 2, 3]) {
    const header = Buffer.from([5, 0, 3, 0, 3, seq])
    await receive(one, { esm_class: 0x40, data_coding: 8, short_message: Buffer.concat([header, pieces[seq - 1]!]) })
  }
  expect(one.inbound.map(({ concat }) => concat)).toEqual([3, 1, 1, 2, 3].map((seq) => ({ ref: 0, total: 3, seq })))
  expect(assembled(one.inbound, 0)).toEqual({ text: 'STOP 😀 now', firstPart: 'STOP \ufffd', complete: true })
})

test('85: a missing part is waited for, and then what is there counts', async () => {
  const one = await world()
  for (const seq of [1, 3]) {
    const fields = { sar_msg_ref_num: 9, sar_total_segments: 3, sar_segment_seqnum: seq }
    await receive(one, { short_message: Buffer.from(`part ${seq} `), ...fields })
  }
  expect(assembled(one.inbound, REASSEMBLY_MS - 1)).toBeUndefined()
  expect(assembled(one.inbound, REASSEMBLY_MS)).toEqual({
    text: 'part 1 part 3 ',
    firstPart: 'part 1 ',
    complete: false,
  })
})

test('a total or a place that cannot be makes a text of its own', async () => {
  const one = await world()
  for (const [total, seq] of [
    [0, 0],
    [2, 3],
    [0, 1],
  ]) {
    await receive(one, { esm_class: 0x40, short_message: Buffer.from([5, 0, 3, 7, total!, seq!, 0x41]) })
  }
  expect(one.inbound.map(({ concat, text }) => ({ concat, text }))).toEqual(
    Array.from({ length: 3 }, () => ({ concat: undefined, text: 'A' })),
  )
})

const head = (length: number, command: number, sequence = 1): Buffer => {
  const octets = Buffer.alloc(16)
  octets.writeUInt32BE(length, 0)
  octets.writeUInt32BE(command, 4)
  octets.writeUInt32BE(sequence, 12)
  return octets
}

test.each([
  ['longer than we allow', head(16_385, 5)],
  ['as long as can be', head(0xffffffff, 5)],
  ['shorter than its head', head(15, 5)],
  ['of no length', head(0, 5)],
])('83: a PDU that is %s closes the connection, and another is opened', async (_what, octets) => {
  const one = await world()
  one.smsc.line().raw(octets)
  await eventually('a second bind', () => one.smsc.all('bind_transceiver').length === 2)
  await one.isUp()
  expect(await one.submit()).toMatchObject({ ok: true })
})

test('an unknown command is refused, an unknown answer ignored, and the line stays open', async () => {
  const one = await world()
  one.smsc.line().raw(head(16, 0x7777, 41))
  one.smsc.line().raw(head(16, 0x80007777, 42))
  one.smsc.line().raw(head(16, 0x80000004, 43))
  one.smsc.line().raw(head(16, 0x102, 44))
  await receive(one, { short_message: Buffer.from('hi') })
  expect(one.smsc.all('generic_nack')).toMatchObject([{ sequence_number: 41, command_status: 3 }])
  expect(one.smsc.connections()).toBe(1)
})

/** A deliver_sm whose last TLV says that it has two octets, and has none. */
function poisoned(): Buffer {
  const body = Buffer.concat([Buffer.alloc(17), Buffer.from([0x02, 0x04, 0x00, 0x02])])
  return Buffer.concat([head(16 + body.length, 5, 77), body])
}

test('one poisoned message is refused and does not block the line; many of them close it', async () => {
  const one = await world()
  one.smsc.line().raw(poisoned())
  await receive(one, { short_message: Buffer.from('hi') })
  expect(one.smsc.all('generic_nack')).toMatchObject([{ sequence_number: 77, command_status: 2 }])
  expect(one.smsc.connections()).toBe(1)
  for (let i = 0; i < 20; i++) one.smsc.line().raw(poisoned())
  await eventually('a second bind', () => one.smsc.all('bind_transceiver').length === 2)
})

test('an answer that makes no sense leaves the submit ambiguous', async () => {
  const one = await world()
  one.smsc.on('submit_sm', (pdu, line) => {
    const tlv = Buffer.from([0, 0x02, 0x04, 0x00, 0x02])
    line.raw(Buffer.concat([head(16 + tlv.length, 0x80000004, pdu.sequence_number), tlv]))
  })
  expect(await one.submit()).toEqual({ ok: false, kind: 'ambiguous' })
  one.smsc.on('submit_sm', (pdu, line) => line.say('enquire_link_resp', {}, pdu))
  expect(await one.submit()).toEqual({ ok: false, kind: 'ambiguous' })
})

test('a flood is taken in no faster than it is kept', async () => {
  const one = await world()
  let [now, most] = [0, 0]
  one.sink.before = async () => {
    most = Math.max(most, ++now)
    await new Promise((resolve) => setImmediate(resolve))
    now--
  }
  const long = Buffer.alloc(250, 'x')
  for (let i = 0; i < 5_000; i++) one.smsc.line().say('deliver_sm', { source_addr: '1', short_message: long })
  await eventually('all of them', () => one.inbound.length === 5_000)
  // Sixty-four, and what was in the last chunk that had been read.
  expect(most).toBeLessThan(1_000)
  expect(one.smsc.connections()).toBe(1)
})

test('somebody who asks and asks and never listens is left', async () => {
  const one = await world()
  one.smsc.line().deafen()
  one.smsc.line().raw(Buffer.concat(Array.from({ length: 1_000_000 }, () => head(16, 0x15))))
  await eventually('a second bind', () => one.smsc.all('bind_transceiver').length === 2)
  expect(one.logged()).toContain('does not read')
})

test('whatever octets come, reading them neither throws nor takes long', async () => {
  const codec = await loadCodec()
  const commands = fc.constantFrom(5, 0x103, 0x80000004, 0x80000009, 0x15, 0x80000000, 0x21, 0x80000021)
  fc.assert(
    fc.property(commands, fc.uint8Array({ maxLength: 400 }), (command, body) => {
      const frame = Buffer.concat([head(16 + body.length, command), body])
      const pdu = codec.decode(frame)
      if (pdu !== undefined) readDelivered(pdu, { idForm: 'hex_then_dec', defaultAlphabet: 'gsm7' })
    }),
    { numRuns: 3_000 },
  )
})

test('however the octets are cut, the same PDUs come out', () => {
  const bodies = fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 12 })
  fc.assert(
    fc.property(bodies, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (list, sizes) => {
      const frames = list.map((body) => Buffer.concat([head(16 + body.length, 5), body]))
      const stream = Buffer.concat(frames)
      const reader = new Frames()
      const found: Buffer[] = []
      for (let at = 0, i = 0; at < stream.length; i++) {
        const size = sizes[i % sizes.length]!
        found.push(...reader.push(stream.subarray(at, at + size))!)
        at += size
      }
      expect(found).toEqual(frames)
    }),
  )
})
