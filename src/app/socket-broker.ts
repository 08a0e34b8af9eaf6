import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from '../core/errors.ts'
import type { ToRole } from './role-messages.ts'

/** A predecessor that was killed a moment ago may still be letting go of the port. */
const PORT_ATTEMPTS = 30
const PORT_RETRY_MS = 100

/** More callers than this, waiting at a closed door or for a process that takes none, are turned away. */
const MAX_QUEUE_LENGTH = 4_096

/**
 * The supervisor holds the port of a role and hands each connection to a process of it. While none is there (it died, it
 * is being replaced), callers wait at the door instead of being refused, so a restart costs time but no request.
 *
 * A connection is on its way until the process says that it has taken it. What was on its way to a process that died
 * goes to the next one: not a byte of it was read. Without that word it would stay open here, unread, for ever.
 */
export class SocketBroker {
  readonly #server: Server
  readonly #waiting: Socket[] = []
  readonly #onTheWay = new Map<number, { socket: Socket; host: ChildProcess }>()
  #hosts: ChildProcess[] = []
  #lastId = 0

  constructor() {
    // The connection is left unread: its first byte belongs to the process that will answer.
    this.#server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.#receive(socket))
  }

  /** The port that is listened on; 0 when none is. */
  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' ? (address?.port ?? 0) : 0
  }

  async listen(host: string, port: number, variables: Variables = { host: 'HOST', port: 'PORT' }): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#server.listen({ host, port })
        await once(this.#server, 'listening')
        // A caller who cannot be let in (no file descriptor left) must not take the others down with him.
        this.#server.on('error', () => {})
        return
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code
        if (code !== 'EADDRINUSE' || attempt === PORT_ATTEMPTS) throw explain(code, host, port, variables)
        await sleep(PORT_RETRY_MS)
      }
    }
  }

  /** From now on this process gets connections, those that wait first. */
  admit(host: ChildProcess): void {
    this.#hosts.push(host)
    for (const socket of this.#waiting.splice(0)) this.#receive(socket)
  }

  /** From now on it gets none. */
  dismiss(host: ChildProcess): void {
    this.#hosts = this.#hosts.filter((other) => other !== host)
  }

  /** The process holds the connection; ours was a second handle on it. */
  taken(id: number): void {
    this.#onTheWay.get(id)?.socket.destroy()
    this.#onTheWay.delete(id)
  }

  /** The process is gone, and every word it said was heard. */
  lost(host: ChildProcess): void {
    this.dismiss(host)
    for (const [id, { socket, host: meant }] of this.#onTheWay) {
      if (meant !== host) continue
      this.#onTheWay.delete(id)
      this.#receive(socket)
    }
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#waiting.splice(0)) socket.destroy()
  }

  #receive(socket: Socket): void {
    // In turns, should there ever be several.
    const host = this.#hosts.shift()
    if (host) this.#hosts.push(host)
    const isFull = this.#waiting.length + this.#onTheWay.size >= MAX_QUEUE_LENGTH
    if (isFull || !this.#server.listening) socket.destroy()
    else if (host) this.#handOver(socket, host)
    else this.#waiting.push(socket)
  }

  #handOver(socket: Socket, host: ChildProcess): void {
    const id = ++this.#lastId
    this.#onTheWay.set(id, { socket, host })
    // When this fails the process is about to be reported lost.
    host.send({ type: 'connection', id } satisfies ToRole, socket, { keepOpen: true }, () => {})
  }
}

/** Where an operator says something else. */
interface Variables {
  host: string
  port: string
}

function explain(code: string | undefined, host: string, port: number, variables: Variables): SetupError {
  switch (code) {
    case 'EADDRINUSE':
      return new SetupError(
        `Port ${port} on ${host} is taken by another program. Stop it, or choose another with ${variables.port}.`,
      )
    case 'EACCES':
      return new SetupError(
        `Port ${port} needs more rights than this user has. Choose one above 1023 with ${variables.port}.`,
      )
    default:
      return new SetupError(
        `Cannot listen on ${host} port ${port} (${code}). Check ${variables.host} and ${variables.port}.`,
      )
  }
}
