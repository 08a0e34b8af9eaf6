import { createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Tarpit {
  address: string
  port: number
  /** Connections that it keeps waiting now, and the most there ever were at one time. */
  held: number
  mostHeld: number
  /** Senders that wait in the middle of their message. */
  heldInData: number
}

export interface TarpitOptions {
  address: string
  port?: number
  /** Before an answer to the nth caller; infinity never gives one. */
  answersAfterMs(nth: number): number
}

/** A mail server that takes its time: it accepts everybody, and reads nothing of a message once it has begun. */
export async function startTarpit({ address, port = 0, answersAfterMs }: TarpitOptions): Promise<Tarpit> {
  const tarpit: Tarpit = { address, port, held: 0, mostHeld: 0, heldInData: 0 }
  const sockets = new Set<Socket>()
  let callers = 0
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    tarpit.mostHeld = Math.max(tarpit.mostHeld, ++tarpit.held)
    socket
      .on('error', () => {})
      .on('close', () => {
        sockets.delete(socket)
        tarpit.held--
      })
    converse(socket, tarpit, answersAfterMs(callers++))
  })
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(port, address, resolve))
  tarpit.port = (server.address() as AddressInfo).port
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return tarpit
}

function converse(socket: Socket, tarpit: Tarpit, afterMs: number): void {
  const say = (words: string): void => {
    if (afterMs === 0) socket.write(words)
    else if (Number.isFinite(afterMs)) setTimeout(() => socket.writable && socket.write(words), afterMs).unref()
  }
  let rest = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const word = line.slice(0, 4).toUpperCase()
      say(word === 'EHLO' ? '250-pit\r\n250 PIPELINING\r\n' : word === 'DATA' ? '354 go on\r\n' : '250 ok\r\n')
      if (word !== 'DATA') continue
      tarpit.heldInData++
      socket.pause().on('close', () => tarpit.heldInData--)
    }
  })
  say('220 pit\r\n')
}
