import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from '../core/errors.ts'
import type { ToRole } from './role-messages.ts'

/** The port of a predecessor that was killed a moment ago may not be free yet. */
const PORT_ATTEMPTS = 30
const PORT_RETRY_MS = 100

/** Further connections are closed while so many wait for a process, or for its word that it took them. */
const MAX_QUEUE_LENGTH = 4_096

/**
 * The supervisor holds the port of a role and hands each connection to a process of it. While none is there (it died, it
 * is being replaced), connections wait here instead of being refused, so a restart costs time but no request.
 *
 * A connection is in transit until the process says that it has taken it. One that was in transit to a process that died
 * goes to the next one: not a byte of it was read. Without that message it would stay open here, unread, for ever.
 */
export class SocketBroker {
  readonly #server: Server
  readonly #waiting: Socket[] = []
  readonly #inTransit = new Map<number, { socket: Socket; host: ChildProcess }>()
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
        // A connection that cannot be accepted (no file descriptor left) must not end the server.
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
  add(host: ChildProcess): void {
    this.#hosts.push(host)
    for (const socket of this.#waiting.splice(0)) this.#receive(socket)
  }

  /** From now on this process gets no connection. */
  remove(host: ChildProcess): void {
    this.#hosts = this.#hosts.filter((other) => other !== host)
  }

  /** The process holds the connection; ours was a second handle on it. */
  taken(id: number): void {
    this.#inTransit.get(id)?.socket.destroy()
    this.#inTransit.delete(id)
  }

  /** The process has ended, and all its messages were read: the next one gets what it had not taken. */
  requeue(host: ChildProcess): void {
    this.remove(host)
    for (const [id, { socket, host: meant }] of this.#inTransit) {
      if (meant !== host) continue
      this.#inTransit.delete(id)
      this.#receive(socket)
    }
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#waiting.splice(0)) socket.destroy()
  }

  #receive(socket: Socket): void {
    // Several processes take turns.
    const host = this.#hosts.shift()
    if (host) this.#hosts.push(host)
    const isFull = this.#waiting.length + this.#inTransit.size >= MAX_QUEUE_LENGTH
    if (isFull || !this.#server.listening) socket.destroy()
    else if (host) this.#handOver(socket, host)
    else this.#waiting.push(socket)
  }

  #handOver(socket: Socket, host: ChildProcess): void {
    const id = ++this.#lastId
    this.#inTransit.set(id, { socket, host })
    // When this fails the process has died, and `requeue` is called.
    host.send({ type: 'connection', id } satisfies ToRole, socket, { keepOpen: true }, () => {})
  }
}

/** The names of the variables with which an operator chooses another host or port. */
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
