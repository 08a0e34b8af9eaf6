/**
 * Asks a DNS server for how much longer it will give the answer that it gives now. Node's resolver tells that of addresses
 * alone, so this is a question of our own: one datagram to a server of the operator's choice, and of the answer nothing
 * is read but the times. What cannot be read is not known; nothing depends on it.
 */
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'

export interface Lifetime {
  /** The server that answered. */
  server: string
  /** Of an answer that there is nothing, how long the server will say so. Null where the answer does not tell. */
  ttlSeconds: number | null
}

export type LifetimeType = keyof typeof TYPES

const TYPES = { CNAME: 5, MX: 15, TXT: 16 } as const

const PATIENCE_MS = 1_500
const MAX_SERVERS = 2

/** Undefined when no server answers in time. A server is written as `address` or `address:port`. */
export async function askLifetime(
  servers: readonly string[],
  name: string,
  type: LifetimeType,
): Promise<Lifetime | undefined> {
  const question = questionOf(name, TYPES[type])
  if (question === undefined) return undefined
  for (const server of servers.slice(0, MAX_SERVERS)) {
    const answer = await exchange(server, question)
    if (answer !== undefined) return { server: withoutUsualPort(server), ttlSeconds: ttlIn(answer) }
  }
  return undefined
}

const HEADER = 12
/** RFC 9715 §3.2: larger datagrams are lost on some paths. */
const MAX_DATAGRAM = 1_232

/** RFC 1035 §4.1: recursion is desired; one question; one additional record, which says how much we can take (RFC 6891). */
function questionOf(name: string, type: number): Buffer | undefined {
  const labels = name.split('.').map((label) => Buffer.from(label, 'latin1'))
  if (name.length > 253 || labels.some(({ length }) => length === 0 || length > 63)) return undefined
  const written = Buffer.concat([...labels.flatMap((label) => [Buffer.from([label.length]), label]), Buffer.from([0])])
  const header = Buffer.alloc(HEADER)
  header.writeUInt16BE(0x01_00, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(1, 10)
  const asked = Buffer.alloc(4)
  asked.writeUInt16BE(type, 0)
  asked.writeUInt16BE(1, 2)
  const capacity = Buffer.alloc(11)
  capacity.writeUInt16BE(41, 1)
  capacity.writeUInt16BE(MAX_DATAGRAM, 3)
  return Buffer.concat([header, written, asked, capacity])
}

/** Undefined when nothing comes in time that belongs to the question. */
function exchange(server: string, question: Buffer): Promise<Buffer | undefined> {
  const { address, port } = partsOf(server)
  const message = Buffer.from(question)
  message.writeUInt16BE(randomInt(0x1_00_00), 0)
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  return new Promise<Buffer | undefined>((resolve) => {
    const timer = setTimeout(resolve, PATIENCE_MS, undefined)
    const end = (answer: Buffer | undefined): void => {
      clearTimeout(timer)
      resolve(answer)
    }
    socket
      .on('error', () => end(undefined))
      .on('message', (answer) => {
        if (belongsTo(answer, message)) end(answer)
      })
      // A connected socket hears nobody else.
      .connect(port, address, () => socket.send(message))
  }).finally(() => socket.close())
}

/** The same number, an answer, and the question as it was asked. */
const belongsTo = (answer: Buffer, question: Buffer): boolean => {
  const end = endOfName(question, HEADER) + 4
  return (
    answer.length >= end &&
    answer.readUInt16BE(0) === question.readUInt16BE(0) &&
    (answer.readUInt8(2) & 0x80) !== 0 &&
    answer.toString('latin1', HEADER, end).toLowerCase() === question.toString('latin1', HEADER, end).toLowerCase()
  )
}

const NAME_ERROR = 3

/** RFC 2308 §5: of an answer that there is nothing, the time stands at the record of the zone behind it. */
function ttlIn(answer: Buffer): number | null {
  const code = answer.readUInt8(3) & 0x0f
  const isTruncated = (answer.readUInt8(2) & 0x02) !== 0
  if (isTruncated || (code !== 0 && code !== NAME_ERROR)) return null
  const [answers, authorities] = [answer.readUInt16BE(6), answer.readUInt16BE(8)]
  const count = Math.min(answers > 0 ? answers : authorities, MAX_RECORDS)
  try {
    return count === 0 ? null : Math.min(...ttls(answer, endOfName(answer, HEADER) + 4, count))
  } catch (error) {
    // An answer that ends in the middle of a record, or says that it does.
    if (error instanceof RangeError) return null
    throw error
  }
}

const MAX_RECORDS = 100

function ttls(answer: Buffer, start: number, count: number): number[] {
  const found: number[] = []
  let place = start
  while (found.length < count) {
    const fixed = endOfName(answer, place)
    // RFC 2181 §8: with the highest bit set it counts as none.
    const ttl = answer.readInt32BE(fixed + 4)
    found.push(Math.max(0, ttl))
    place = fixed + 10 + answer.readUInt16BE(fixed + 8)
  }
  return found
}

/** A name ends with an empty label, or with a reference to an earlier one, which is two bytes long. */
function endOfName(message: Buffer, start: number): number {
  let place = start
  for (;;) {
    const length = message.readUInt8(place)
    if (length >= 0xc0) return place + 2
    place += length + 1
    if (length === 0) return place
  }
}

function partsOf(server: string): { address: string; port: number } {
  const [, bracketed, inBrackets] = /^\[(.+)\](?::(\d+))?$/.exec(server) ?? []
  if (bracketed !== undefined) return { address: bracketed, port: Number(inBrackets ?? USUAL_PORT) }
  if (isIPv6(server)) return { address: server, port: USUAL_PORT }
  const [address = server, port] = server.split(':')
  return { address, port: Number(port ?? USUAL_PORT) }
}

const USUAL_PORT = 53

const withoutUsualPort = (server: string): string => {
  const { address, port } = partsOf(server)
  return port === USUAL_PORT ? address : server
}
