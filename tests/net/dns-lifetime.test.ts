import { createSocket } from 'node:dgram'
import { expect, onTestFinished, test } from 'vitest'
import { askLifetime } from '../../src/net/dns-lifetime.ts'
import { startDnsServer, type DnsServer, type Zones } from '../support/dns-server.ts'

async function serverOf(zones: Zones): Promise<DnsServer> {
  const server = await startDnsServer(zones)
  onTestFinished(() => server.stop())
  return server
}

/** A server that answers whatever it is asked with the same bytes behind the question's. */
async function saying(answer: (question: Buffer) => Buffer): Promise<string> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => void socket.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => void socket.close(resolve)))
  socket.on('message', (question, { port, address }) => socket.send(answer(question), port, address))
  return `127.0.0.1:${socket.address().port}`
}

test('the time is the shortest of the answer, and the server is named', async () => {
  const { address } = await serverOf({
    'example.test': { TXT: ['one', 'two'], MX: ['10 mx.example.test'], ttl: 120 },
    'alias.test': { CNAME: 'example.test', ttl: 30 },
  })
  expect(await askLifetime([address], 'example.test', 'TXT')).toEqual({ server: address, ttlSeconds: 120 })
  expect(await askLifetime([address], 'Example.test', 'MX')).toEqual({ server: address, ttlSeconds: 120 })
  expect(await askLifetime([address], 'alias.test', 'TXT')).toEqual({ server: address, ttlSeconds: 30 })
})

test('of nothing, and of an answer that is cut or refused, the time is not known', async () => {
  const { address } = await serverOf({
    'long.test': { TXT: ['x'.repeat(255), 'y'.repeat(255), 'z'.repeat(255)] },
    'broken.test': { fault: 'servfail' },
  })
  for (const name of ['absent.test', 'long.test', 'broken.test']) {
    expect(await askLifetime([address], name, 'TXT'), name).toEqual({ server: address, ttlSeconds: null })
  }
})

/** The header and the question of an answer, with one record in the authority section. */
const denial = (question: Buffer, ttl: number): Buffer => {
  const end = question.indexOf(0, 12) + 5
  const head = Buffer.from(question.subarray(0, end))
  head.writeUInt16BE(0x81_83, 2)
  head.writeUInt16BE(1, 8)
  head.writeUInt16BE(0, 10)
  const record = Buffer.alloc(14)
  record.writeUInt16BE(0xc0_0c, 0)
  record.writeUInt16BE(6, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt32BE(ttl, 6)
  record.writeUInt16BE(2, 10)
  return Buffer.concat([head, record])
}

test('of an answer that there is no such name, the time is that of the denial', async () => {
  const server = await saying((question) => denial(question, 900))
  expect(await askLifetime([server], 'absent.test', 'TXT')).toEqual({ server, ttlSeconds: 900 })
  const negative = await saying((question) => denial(question, 0x80_00_00_01))
  expect(await askLifetime([negative], 'absent.test', 'TXT')).toEqual({ server: negative, ttlSeconds: 0 })
})

test('an answer that ends in the middle of a record tells no time', async () => {
  for (let length = 30; length < 41; length++) {
    const server = await saying((question) => denial(question, 900).subarray(0, length))
    expect(await askLifetime([server], 'absent.test', 'TXT'), String(length)).toEqual({ server, ttlSeconds: null })
  }
})

test('an answer to another question is none, and the next server is asked', async () => {
  const stranger = await saying((question) => {
    const other = denial(question, 900)
    other.writeUInt16BE((question.readUInt16BE(0) + 1) % 0x1_00_00, 0)
    return other
  })
  const { address } = await serverOf({ 'example.test': { TXT: ['one'], ttl: 60 } })
  const found = await askLifetime([stranger, address], 'example.test', 'TXT')
  expect(found).toEqual({ server: address, ttlSeconds: 60 })
  expect(await askLifetime([stranger], 'example.test', 'TXT')).toBeUndefined()
})

test('names that no packet can carry are not asked for', async () => {
  const { address, questions } = await serverOf({})
  for (const name of ['a..b', `${'a'.repeat(64)}.test`, `${'a.'.repeat(130)}test`]) {
    expect(await askLifetime([address], name, 'TXT')).toBeUndefined()
  }
  expect(questions).toEqual([])
})
