import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { usualTimes } from '../../src/sms/smpp/client.ts'
import { eventually, stretched } from '../support/eventually.ts'
import { makeAuthority, selfSigned } from '../support/certificates.ts'
import { accepts, isSilent, refuses } from './smsc.ts'
import { NUMBER, PASSWORD, SECRET_TEXT, world } from './smpp-world.ts'

test('it introduces itself as a transceiver of version 3.4', async () => {
  const { smsc } = await world({ systemType: 'ours' })
  expect(smsc.all('bind_transceiver')).toMatchObject([
    { system_id: 'us', password: PASSWORD, system_type: 'ours', interface_version: 0x34 },
  ])
})

test('where there are no transceivers it binds as a pair', async () => {
  const { smsc, submit } = await world({
    prepare: (one) => one.on('bind_transceiver', (pdu, line) => line.say('generic_nack', { command_status: 3 }, pdu)),
  })
  expect(smsc.all('bind_transmitter')).toHaveLength(1)
  expect(smsc.all('bind_receiver')).toHaveLength(1)
  expect(await submit()).toMatchObject({ ok: true })
})

test('one that was only confused about transceivers is asked for one again', async () => {
  let times = 0
  const { smsc } = await world({
    prepare: (one) => {
      one.on('bind_transceiver', (pdu, line) =>
        times++ === 0 ? line.say('generic_nack', { command_status: 0x08 }, pdu) : accepts(pdu, line),
      )
      one.on('bind_transmitter', refuses(0x0d))
    },
    timeouts: { refusedRetry: 20 },
  })
  expect(smsc.all('bind_transceiver')).toHaveLength(2)
})

test('a part is written one septet per octet, with numbers without a plus, a receipt wanted and a relative validity', async () => {
  const { smsc, submit } = await world()
  expect(await submit({ text: 'a@€', validUntil: new Date(Date.now() + 90_000_500) })).toEqual({
    ok: true,
    providerIds: ['id-1'],
  })
  expect(smsc.all('submit_sm')).toMatchObject([
    {
      source_addr_ton: 1,
      source_addr_npi: 1,
      source_addr: '12025550199',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: NUMBER.slice(1),
      esm_class: 0,
      data_coding: 0,
      registered_delivery: 1,
      validity_period: expect.stringMatching(/^00000101000[01]000R$/),
      short_message: Buffer.from([0x61, 0x00, 0x1b, 0x65]),
    },
  ])
})

test('names and short codes have types of their own', async () => {
  const { smsc, submit } = await world({ form: { shortCode: { ton: 6, npi: 9 } } })
  await submit({ from: { kind: 'alphanumeric', value: 'Acme' } })
  await submit({ from: { kind: 'short_code', value: '12345' } })
  expect(smsc.all('submit_sm')).toMatchObject([
    { source_addr_ton: 5, source_addr_npi: 0, source_addr: 'Acme' },
    { source_addr_ton: 6, source_addr_npi: 9, source_addr: '12345' },
  ])
})

const concat = { ref: 0x1234, total: 3, seq: 2 }

test.each([
  ['a header of six octets', { concatRef: 8 } as const, [5, 0, 3, 0x34, 3, 2]],
  ['a header of seven octets', { concatRef: 16 } as const, [6, 8, 4, 0x12, 0x34, 3, 2]],
])('parts are tied together by %s', async (_what, form, header) => {
  const { smsc, submit } = await world({ form })
  await submit({ text: 'é', encoding: 'ucs2', concat })
  const [pdu] = smsc.all('submit_sm')
  expect(pdu).toMatchObject({ esm_class: 0x40, data_coding: 8 })
  expect([...pdu!.short_message]).toEqual([...header, 0x00, 0xe9])
})

test('or by fields, or not at all where the SMSC splits by itself', async () => {
  const sar = await world({ form: { concatenation: 'sar' } })
  await sar.submit({ concat })
  expect(sar.smsc.all('submit_sm')).toMatchObject([
    { esm_class: 0, sar_msg_ref_num: 0x1234, sar_total_segments: 3, sar_segment_seqnum: 2 },
  ])
  const whole = await world({ form: { concatenation: 'payload' } })
  expect(whole.carrier.caps.splitsItself).toBe(true)
  await whole.submit({ text: 'a'.repeat(1000) })
  expect(whole.smsc.all('submit_sm')).toMatchObject([{ message_payload: Buffer.alloc(1000, 'a') }])
})

test.each([
  ['throttled', 0x58, { kind: 'throttled', retryAfterMs: 1000 }],
  ['a full queue', 0x14, { kind: 'throttled' }],
  ['a system error', 0x08, { kind: 'transient', providerCode: '0x8' }],
  ['a temporary error', 0x64, { kind: 'transient' }],
  ['a bad source', 0x0a, { kind: 'permanent', errorCode: 'unregistered_sender' }],
  ['a bad destination', 0x0b, { kind: 'permanent', errorCode: 'invalid_number' }],
  ['a bad length', 0x01, { kind: 'permanent', errorCode: 'carrier_rejected' }],
  ['a failed submit', 0x45, { kind: 'permanent', errorCode: 'carrier_rejected' }],
  ['a rejection', 0x66, { kind: 'permanent', errorCode: 'carrier_rejected' }],
  ['a code of its own', 0x4ff, { kind: 'permanent', errorCode: 'carrier_rejected', providerCode: '0x4ff' }],
])('an answer that means %s is understood', async (_what, status, outcome) => {
  const { smsc, submit } = await world()
  smsc.on('submit_sm', refuses(status))
  expect(await submit()).toMatchObject({ ok: false, ...outcome })
})

test('a no that says that all is well is neither yes nor no', async () => {
  const { smsc, submit } = await world()
  smsc.on('submit_sm', (pdu, line) => line.say('generic_nack', { command_status: 0 }, pdu))
  expect(await submit()).toEqual({ ok: false, kind: 'ambiguous' })
})

test('80: throttled three times, then accepted: each is one submit and one answer, in order', async () => {
  const { smsc, submit } = await world()
  let times = 0
  smsc.on('submit_sm', (pdu, line) => {
    if (++times <= 3) refuses(0x58)(pdu, line)
    else line.say('submit_sm_resp', { message_id: 'X7' }, pdu)
  })
  const outcomes = []
  for (let attempt = 1; attempt <= 4; attempt++) outcomes.push(await submit({ attempt }))
  expect(outcomes.map((outcome) => outcome.ok)).toEqual([false, false, false, true])
  expect(outcomes.at(-1)).toEqual({ ok: true, providerIds: ['x7'] })
  expect(smsc.all('submit_sm')).toHaveLength(4)
})

test('an SMSC that has forgotten the bind is bound to again', async () => {
  const { smsc, submit, isUp } = await world()
  smsc.on('submit_sm', refuses(0x04))
  expect(await submit()).toMatchObject({ ok: false, kind: 'transient' })
  smsc.on('submit_sm', accepts)
  await eventually('a second bind', () => smsc.all('bind_transceiver').length === 2)
  await isUp()
  expect(await submit()).toMatchObject({ ok: true })
})

test('79: a socket dropped in mid-window makes all that is pending ambiguous, and nothing is sent again', async () => {
  const { smsc, submit, isUp } = await world({ window: 3 })
  smsc.on('submit_sm', isSilent)
  const outcomes = Array.from({ length: 5 }, () => submit())
  await eventually('a full window', () => smsc.all('submit_sm').length === 3)
  smsc.line().drop()
  expect((await Promise.all(outcomes)).map((outcome) => (outcome.ok ? 'ok' : outcome.kind)).toSorted()).toEqual([
    'ambiguous',
    'ambiguous',
    'ambiguous',
    'transient',
    'transient',
  ])
  await eventually('a second bind', () => smsc.all('bind_transceiver').length === 2)
  await isUp()
  smsc.on('submit_sm', accepts)
  expect(await submit()).toMatchObject({ ok: true })
  expect(smsc.all('submit_sm')).toHaveLength(4)
})

test('no more than the window is unanswered at any time', async () => {
  const { smsc, submit } = await world({ window: 2 })
  const held: (() => void)[] = []
  let most = 0
  smsc.on('submit_sm', (pdu, line) => {
    held.push(() => line.say('submit_sm_resp', { message_id: 'x' }, pdu))
    most = Math.max(most, held.length)
  })
  const outcomes = Promise.all(Array.from({ length: 7 }, () => submit()))
  await eventually('all seven', () => {
    held.shift()?.()
    return smsc.all('submit_sm').length === 7 && held.length === 0
  })
  expect((await outcomes).every((outcome) => outcome.ok)).toBe(true)
  expect(most).toBe(2)
})

test('whoever gives up while waiting for a place has sent nothing', async () => {
  const { smsc, submit } = await world({ window: 1 })
  smsc.on('submit_sm', isSilent)
  const first = submit()
  await eventually('the first', () => smsc.all('submit_sm').length === 1)
  const giveUp = new AbortController()
  const second = submit({}, giveUp.signal)
  giveUp.abort()
  expect(await second).toMatchObject({ ok: false, kind: 'transient' })
  smsc.line().drop()
  expect(await first).toEqual({ ok: false, kind: 'ambiguous' })
  expect(smsc.all('submit_sm')).toHaveLength(1)
})

test('no answer in time is ambiguous; when it comes late it is told', async () => {
  const { smsc, submit, late, receipts } = await world({ timeouts: { response: 50 } })
  let answer = (): void => {}
  smsc.on('submit_sm', (pdu, line) => (answer = () => line.say('submit_sm_resp', { message_id: 'L8' }, pdu)))
  expect(await submit({ partId: 'part-9' })).toEqual({ ok: false, kind: 'ambiguous' })
  answer()
  await eventually('the late answer', () => late.length === 1)
  expect(late).toMatchObject([{ part: { partId: 'part-9' }, outcome: { ok: true, providerIds: ['l8'] } }])
  // Once more; what comes behind it on the line is heard after it.
  answer()
  smsc.line().say('enquire_link')
  await eventually('it was heard', () => smsc.all('enquire_link_resp').length === 1)
  expect(late).toHaveLength(1)
  expect(receipts).toEqual([])
})

test('what is not valid any more, or cannot be said there, is not sent', async () => {
  const { smsc, submit } = await world({ form: { defaultAlphabet: 'latin1' } })
  expect(await submit({ validUntil: new Date(Date.now() - 1) })).toMatchObject({
    kind: 'permanent',
    errorCode: 'expired',
  })
  expect(await submit({ text: 'Δ' })).toMatchObject({ kind: 'permanent', errorCode: 'carrier_rejected' })
  expect(smsc.all('submit_sm')).toEqual([])
  await submit({ text: '@é' })
  expect(smsc.all('submit_sm')).toMatchObject([{ short_message: Buffer.from([0x40, 0xe9]) }])
})

test('81: two enquire_links without an answer, and it connects again', async () => {
  const { smsc } = await world({ timeouts: { enquireEvery: 40 }, prepare: (one) => one.on('enquire_link', isSilent) })
  await eventually('a second connection', () => smsc.all('bind_transceiver').length >= 2)
  expect(smsc.all('enquire_link').length).toBeGreaterThanOrEqual(2)
})

test('a link that is answered stays; so does one that asks us', async () => {
  const { smsc, carrier } = await world({ timeouts: { enquireEvery: 20 } })
  await eventually('many signs of life', () => smsc.all('enquire_link').length > 10)
  smsc.line().say('enquire_link')
  await eventually('our answer', () => smsc.all('enquire_link_resp').length === 1)
  expect(smsc.connections()).toBe(1)
  expect(carrier.health().state).toBe('up')
})

test.each([
  ['a wrong password', 0x0e],
  ['a wrong system id', 0x0f],
  ['a failed bind', 0x0d],
])('82: after %s it asks once, and not again before the time for that', async (_what, status) => {
  const asked: number[] = []
  const { carrier, submit, logged } = await world({
    awaitUp: false,
    prepare: (one) =>
      one.on('bind_transceiver', (pdu, line) => {
        asked.push(performance.now())
        refuses(status)(pdu, line)
      }),
    timeouts: { refusedRetry: 500, firstRetry: 1, lastRetry: 1 },
  })
  await eventually('misconfigured', () => carrier.health().state === 'misconfigured')
  expect(await submit()).toMatchObject({ ok: false, kind: 'transient' })
  await eventually('a second try', () => asked.length >= 2)
  // A timer of ours may be a millisecond early by this clock.
  expect(asked[1]! - asked[0]!).toBeGreaterThan(495)
  expect(carrier.health()).toMatchObject({ state: 'misconfigured', lastError: expect.stringContaining('refused') })
  expect(logged()).not.toContain(PASSWORD)
})

test('82: the time for that is five minutes, unless somebody says otherwise', () => {
  expect(usualTimes.refusedRetry).toBe(5 * 60_000)
})

test('where it is bound already it waits, and then is let in', async () => {
  const { smsc, isUp } = await world({
    awaitUp: false,
    prepare: (one) => one.on('bind_transceiver', refuses(0x05)),
    timeouts: { occupiedRetry: 50 },
  })
  await eventually('a first try', () => smsc.all('bind_transceiver').length === 1)
  smsc.on('bind_transceiver', accepts)
  await isUp()
})

test('an SMSC that says goodbye is answered and connected to again', async () => {
  const { smsc } = await world()
  smsc.line().say('unbind')
  await eventually('the answer', () => smsc.all('unbind_resp').length === 1)
  await eventually('a second bind', () => smsc.all('bind_transceiver').length === 2)
})

test('stopping waits for what is under way, then says goodbye, and takes nothing more', async () => {
  const { smsc, submit, carrier } = await world()
  let answer = (): void => {}
  smsc.on('submit_sm', (pdu, line) => (answer = () => line.say('submit_sm_resp', { message_id: 'x' }, pdu)))
  const outcome = submit()
  await eventually('the submit', () => smsc.all('submit_sm').length === 1)
  const stopped = carrier.stop(5_000)
  expect(await submit()).toMatchObject({ ok: false, kind: 'transient' })
  expect(smsc.all('unbind')).toEqual([])
  answer()
  expect(await outcome).toMatchObject({ ok: true })
  await stopped
  expect(smsc.all('unbind')).toHaveLength(1)
  expect(carrier.health().state).toBe('down')
})

test('84: TLS with a certificate of nobody that we know is refused; with ours it is spoken', async () => {
  const stranger = await world({ certificate: selfSigned(['127.0.0.1']), tls: {}, awaitUp: false })
  await eventually('the refusal', () => stranger.carrier.health().lastError?.includes('signed by itself'))
  expect(stranger.smsc.heard).toEqual([])
  const authority = makeAuthority()
  const wrongName = await world({
    certificate: authority.issue(['other.test']),
    tls: { authorities: [authority.cert] },
    awaitUp: false,
  })
  await eventually('the refusal', () => wrongName.carrier.health().lastError?.includes('another name'))
  const known = await world({ certificate: authority.issue(['127.0.0.1']), tls: { authorities: [authority.cert] } })
  expect(await known.submit()).toMatchObject({ ok: true })
})

test('an address that the egress filter does not allow is not connected to', async () => {
  const { smsc, carrier } = await world({ egress: { allow: [], own: [] }, awaitUp: false })
  await eventually('the refusal', () => carrier.health().lastError?.includes('egress'))
  expect(smsc.connections()).toBe(0)
})

test('no log says a text, a number or the password, whatever goes wrong', async () => {
  const { smsc, submit, sink, logged } = await world({ timeouts: { response: 40 } })
  sink.before = () => Promise.reject(new Error(`duplicate key ${NUMBER} ${SECRET_TEXT}`))
  smsc
    .line()
    .say('deliver_sm', { source_addr_ton: 1, source_addr: NUMBER.slice(1), short_message: Buffer.from(SECRET_TEXT) })
  await eventually('the answer', () => smsc.all('deliver_sm_resp').length === 1)
  smsc.on('submit_sm', isSilent)
  await submit()
  smsc.line().drop()
  await eventually('a second bind', () => smsc.all('bind_transceiver').length === 2)
  expect(logged()).toContain('could not be kept')
  for (const secret of [SECRET_TEXT, NUMBER, NUMBER.slice(1), PASSWORD]) expect(logged()).not.toContain(secret)
})

test('stopping does not wait for an SMSC that keeps us waiting for a handshake', async () => {
  const { port, silent } = await silentServer()
  const { carrier } = await world({ awaitUp: false, port, tls: {} })
  await silent
  const startedAt = performance.now()
  await carrier.stop(100)
  expect(performance.now() - startedAt).toBeLessThan(stretched(3_000))
})

/** Takes connections and says nothing. */
async function silentServer() {
  const { promise: silent, resolve } = Promise.withResolvers<void>()
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    resolve()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, silent }
}
