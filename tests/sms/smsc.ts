/** An SMSC on real sockets, by the server's side of the codec. It behaves, until it is told not to. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished } from 'vitest'
import { PDU } from 'smpp/lib/pdu.js'
import { loadCodec } from '../../src/sms/smpp/codec.ts'
import type { Certificate } from '../support/certificates.ts'

export type Heard = Readonly<Record<string, unknown>> & {
  command: string
  sequence_number: number
  short_message: Buffer
}

export interface Line {
  /** Writes a PDU; for the answer to a request the request is given. */
  say(command: string, fields?: Record<string, unknown>, to?: Heard): void
  raw(octets: Buffer): void
  drop(): void
  /** Reads nothing more. */
  deafen(): void
}

export type Manners = (pdu: Heard, line: Line) => void

export interface Smsc {
  port: number
  /** Every request and answer, in order. */
  heard: Heard[]
  all(command: string): Heard[]
  connections(): number
  /** How it answers to a command, instead of how it usually does. */
  on(command: string, manners: Manners): void
  /** The connection that was bound last. */
  line(): Line
  stop(): Promise<void>
}

export async function startSmsc(options: { certificate?: Certificate } = {}): Promise<Smsc> {
  // It also takes the codec's own opinions about texts away.
  await loadCodec()
  const heard: Heard[] = []
  const manners = new Map<string, Manners>(Object.entries(usual()))
  const sockets = new Set<Socket>()
  let connections = 0
  let last: Line | undefined
  const serve = (socket: Socket): void => {
    connections++
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    const line = lineOver(socket)
    let rest = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 4 && rest.length >= rest.readUInt32BE(0)) {
        const length = rest.readUInt32BE(0)
        const pdu = { ...new PDU(Buffer.from(rest.subarray(0, length))) } as unknown as Heard
        rest = rest.subarray(length)
        heard.push(pdu)
        if (pdu.command.startsWith('bind_')) last = line
        manners.get(pdu.command)?.(pdu, line)
      }
    })
  }
  const server: Server = options.certificate ? createTlsServer(options.certificate, serve) : createServer(serve)
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(stop)
  return {
    port: (server.address() as AddressInfo).port,
    heard,
    all: (command) => heard.filter((pdu) => pdu.command === command),
    connections: () => connections,
    on: (command, behaviour) => void manners.set(command, behaviour),
    line: () => {
      if (last === undefined) throw new Error('nobody is bound')
      return last
    },
    stop,
  }
}

export const accepts: Manners = (pdu, line) => line.say(`${pdu.command}_resp`, {}, pdu)

export const refuses =
  (status: number): Manners =>
  (pdu, line) =>
    line.say(`${pdu.command}_resp`, { command_status: status }, pdu)

export const isSilent: Manners = () => {}

function usual(): Record<string, Manners> {
  let id = 0
  return {
    bind_transceiver: accepts,
    bind_transmitter: accepts,
    bind_receiver: accepts,
    enquire_link: accepts,
    unbind: accepts,
    submit_sm: (pdu, line) => line.say('submit_sm_resp', { message_id: `id-${++id}` }, pdu),
  }
}

function lineOver(socket: Socket): Line {
  let sequence = 0
  return {
    say: (command, fields = {}, to) => {
      const sequence_number = to?.sequence_number ?? ++sequence
      socket.write(new PDU(command, { ...fields, sequence_number }).toBuffer())
    },
    raw: (octets) => void socket.write(octets),
    drop: () => void socket.destroy(),
    deafen: () => void socket.pause(),
  }
}
