/** A DNS server on loopback, over UDP and TCP, whose zones are data and whose faults are orders. */
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { promisify } from 'node:util'
import * as dnsPacket from 'dns-packet'

export interface Records {
  A?: readonly string[]
  AAAA?: readonly string[]
  CNAME?: string
  /** At names such as `1.2.0.192.in-addr.arpa`. */
  PTR?: readonly string[]
  /** `10 mx.example.com`; `0 .` is the null MX. */
  MX?: readonly string[]
  TXT?: readonly (string | readonly string[])[]
  NS?: readonly string[]
  ttl?: number
  /** What happens instead of an answer. */
  fault?: Fault
}

type Fault = 'silence' | 'servfail' | 'refused' | 'garbage'

/** By name; a name that begins with `*.` stands for all below it that have no records of their own. */
export type Zones = Record<string, Records>

export interface DnsServer {
  /** `127.0.0.1:port`, as in `DNS_SERVERS`. */
  address: string
  /** May be changed at any time. */
  zones: Zones
  /** Every question that came, `MX example.com`, in order. */
  questions: string[]
  stop(): Promise<void>
}

const MAX_UDP_SIZE = 512

export async function startDnsServer(zones: Zones = {}): Promise<DnsServer> {
  const questions: string[] = []
  const server: DnsServer = { address: '', zones, questions, stop: async () => {} }
  const sockets = new Set<Socket>()
  const tcp = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)))
    overTcp(socket, server)
  })
  const { udp, port } = await bindBoth(tcp)
  udp.on('message', (message, { port: from, address }) => {
    const answer = answerTo(message, server)
    if (answer === undefined) return
    udp.send(answer.length > MAX_UDP_SIZE ? truncated(message) : answer, from, address)
  })
  server.address = `127.0.0.1:${port}`
  server.stop = async () => {
    for (const socket of sockets) socket.destroy()
    await Promise.all([promisify(tcp.close.bind(tcp))(), new Promise<void>((resolve) => void udp.close(resolve))])
  }
  return server
}

/** Both on one port; another process may have the other half of it, so we try until both are free. */
async function bindBoth(tcp: Server): Promise<{ udp: UdpSocket; port: number }> {
  for (;;) {
    const udp = createSocket('udp4')
    await new Promise<void>((resolve) => void udp.bind(0, '127.0.0.1', resolve))
    const { port } = udp.address()
    const bound = await new Promise<boolean>((resolve) => {
      tcp.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (bound) return { udp, port: (tcp.address() as AddressInfo).port }
    udp.close()
  }
}

function overTcp(socket: Socket, server: DnsServer): void {
  let received = Buffer.alloc(0)
  socket
    .on('error', () => {})
    .on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const length = received.readUInt16BE(0)
        const answer = answerTo(received.subarray(2, 2 + length), server)
        received = received.subarray(2 + length)
        if (answer === undefined) continue
        const head = Buffer.alloc(2)
        head.writeUInt16BE(answer.length)
        socket.write(Buffer.concat([head, answer]))
      }
    })
}

function answerTo(message: Buffer, { zones, questions }: DnsServer): Buffer | undefined {
  const query = dnsPacket.decode(message)
  const question = query.questions?.[0]
  if (question === undefined) return undefined
  const name = question.name.toLowerCase()
  questions.push(`${question.type} ${name}`)
  const zone = zones[name]
  if (zone?.fault === 'silence') return undefined
  if (zone?.fault === 'garbage') return Buffer.concat([message.subarray(0, 2), Buffer.from('this is not DNS')])
  const answers = zone?.fault ? [] : answersFor(name, question.type, zones)
  return dnsPacket.encode({
    type: 'response',
    id: query.id ?? 0,
    flags: dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE | rcode(name, zones),
    questions: [question],
    answers,
  })
}

function rcode(name: string, zones: Zones): number {
  const fault = zones[name]?.fault
  if (fault === 'servfail') return 2
  if (fault === 'refused') return 5
  const exists =
    recordsAt(name, zones) !== undefined ||
    Object.keys(zones).some((known) => known === name || known.endsWith(`.${name}`))
  return exists ? 0 : 3
}

const recordsAt = (name: string, zones: Zones): Records | undefined =>
  zones[name] ?? zones[Object.keys(zones).find((one) => one.startsWith('*.') && name.endsWith(one.slice(1))) ?? '']

function answersFor(name: string, type: string, zones: Zones): dnsPacket.Answer[] {
  const records = recordsAt(name, zones)
  if (records === undefined) return []
  const common = { name, ttl: records.ttl ?? 300 }
  if (records.CNAME !== undefined) {
    const alias: dnsPacket.Answer = { ...common, type: 'CNAME', data: records.CNAME }
    return type === 'CNAME' ? [alias] : [alias, ...answersFor(records.CNAME.toLowerCase(), type, zones)]
  }
  switch (type) {
    case 'A':
      return (records.A ?? []).map((data) => ({ ...common, type: 'A', data }))
    case 'AAAA':
      return (records.AAAA ?? []).map((data) => ({ ...common, type: 'AAAA', data }))
    case 'NS':
      return (records.NS ?? []).map((data) => ({ ...common, type: 'NS', data }))
    case 'TXT':
      return (records.TXT ?? []).map((data) => ({ ...common, type: 'TXT', data: [data].flat() as string[] }))
    case 'MX':
      return (records.MX ?? []).map((record) => {
        const [preference = '', exchange = ''] = record.split(' ')
        return { ...common, type: 'MX', data: { preference: Number(preference), exchange } }
      })
    case 'PTR':
      return (records.PTR ?? []).map((data) => ({ ...common, type: 'PTR', data }))
    default:
      return []
  }
}

/** Tells the client to come back over TCP. */
function truncated(message: Buffer): Buffer {
  const { id = 0, questions = [] } = dnsPacket.decode(message)
  const flags = dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE | dnsPacket.TRUNCATED_RESPONSE
  return dnsPacket.encode({ type: 'response', id, flags, questions })
}
