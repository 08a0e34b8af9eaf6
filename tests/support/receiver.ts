import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Certificate } from './certificates.ts'

/** A request as it came, to the byte. */
export interface Heard {
  path: string
  headers: Readonly<Record<string, string>>
  raw: Buffer
  body: Record<string, string>
  at: number
  /** By the clock on the wall. */
  wall: number
}

export type Behaviour = (request: IncomingMessage, response: ServerResponse, heard: Heard) => void

export interface Receiver {
  url: string
  port: number
  /** Every request whose body arrived whole, in order. */
  heard: Heard[]
  /** How many connections were opened. */
  connections(): number
  /** What it does from now on. */
  behave(behaviour: Behaviour): void
  stop(): Promise<void>
}

export const answers =
  (status: number, headers: Record<string, string> = {}, body = ''): Behaviour =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body)

interface ReceiverOptions {
  behaviour?: Behaviour
  address?: string
  port?: number
  certificate?: Certificate
}

/** Whoever is told of events: a real server that keeps a ledger. Acknowledges unless told otherwise. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { behaviour = answers(204), address = '127.0.0.1', port = 0, certificate } = options
  let behave = behaviour
  let connections = 0
  const heard: Heard[] = []
  const sockets = new Set<Socket>()
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = entry(request, Buffer.concat(chunks))
      heard.push(one)
      behave(request, response, one)
    })
  }
  const server: Server = certificate ? createTlsServer(certificate, handle) : createServer(handle)
  server.on('connection', (socket) => {
    connections++
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => {}))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, address, resolve))
  const at = server.address() as AddressInfo
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(stop)
  return {
    url: `${certificate ? 'https' : 'http'}://${address}:${at.port}/hook`,
    port: at.port,
    heard,
    connections: () => connections,
    behave: (next) => void (behave = next),
    stop,
  }
}

const entry = (request: IncomingMessage, raw: Buffer): Heard => ({
  path: request.url ?? '',
  headers: request.headers as Record<string, string>,
  raw,
  body: JSON.parse(raw.toString('utf8')) as Record<string, string>,
  at: performance.now(),
  wall: Date.now(),
})
