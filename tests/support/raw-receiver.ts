import { createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface RawReceiver {
  url: string
  port: number
  /** Requests that arrived whole. */
  requests(): number
  connections(): number
  /** Connections that are still open. */
  open(): number
}

interface Manners {
  /** As soon as somebody connects, before they have said anything. */
  greet?: (socket: Socket) => void
  /** When a request has arrived whole. */
  answer?: (socket: Socket) => void
}

/** A receiver that speaks whatever it likes, byte by byte: what no HTTP server would send. */
export async function startRawReceiver({ greet, answer }: Manners): Promise<RawReceiver> {
  let requests = 0
  let connections = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    connections++
    sockets.add(socket)
    let received = Buffer.alloc(0)
    socket
      .on('close', () => sockets.delete(socket))
      .on('error', () => {})
      .on('data', (chunk) => {
        received = Buffer.concat([received, chunk])
        const length = lengthOfRequest(received)
        if (length === undefined || received.length < length) return
        received = received.subarray(length)
        requests++
        answer?.(socket)
      })
    greet?.(socket)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    requests: () => requests,
    connections: () => connections,
    open: () => sockets.size,
  }
}

/** Says `first`, and then `then` ten times a second for as long as somebody listens. */
export function drip(socket: Socket, first: string, then: string): void {
  socket.write(first)
  const timer = setInterval(() => socket.write(then), 100)
  socket.once('close', () => clearInterval(timer))
}

function lengthOfRequest(received: Buffer): number | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [, length = '0'] = /^content-length: *(\d+)/im.exec(received.subarray(0, end).toString('latin1')) ?? []
  return end + 4 + Number(length)
}
