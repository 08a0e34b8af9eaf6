/**
 * Accepts connections for the receiving server. It counts clients, reads the PROXY header behind a load balancer, and
 * checks the deadlines of all sessions in one round, which is cheaper than a timer for each wait and lets a test set
 * the time.
 */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { isWithin, type Network } from '../../net/networks.ts'
import { Admission, usualAddress, type Admitted } from './admission.ts'
import * as answers from './answers.ts'
import { formatAnswer } from './answers.ts'
import type { SessionFacts } from './envelope.ts'
import type { SessionContext } from './context.ts'
import { Memory } from './memory.ts'
import { readProxyHeader } from './proxy.ts'
import { Session } from './session.ts'
import { Wire } from './wire.ts'

export interface ListenerOptions extends Omit<SessionContext, 'memory' | 'isBusy'> {
  /** Without it, only connections that are handed over are served. */
  listen?: { host: string; port: number }
  /** A client in these networks must send a PROXY header; no other client may. */
  proxies?: readonly Network[]
}

const WATCH_MS = 500

interface Connection {
  wire: Wire
  /** The session is undefined until the client is known. */
  session?: Session
}

export class Listener {
  readonly #options: ListenerOptions
  readonly #context: SessionContext
  readonly #server: Server
  readonly #admission: Admission
  readonly #connections = new Set<Connection>()
  /** These sessions are running; those that are being ended are not among them. */
  readonly #sessions = new Map<Session, Admitted>()
  #watching: NodeJS.Timeout | undefined
  #stopBy: number | undefined
  #whenEmpty: (() => void) | undefined

  constructor(options: ListenerOptions) {
    this.#options = options
    const { limits } = options
    const isBusy = (): boolean => this.#sessions.size >= limits.busyConnections
    this.#context = { ...options, memory: new Memory(limits.largeMessagesBytes), isBusy }
    this.#admission = new Admission(limits)
    this.#server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => this.take(socket))
  }

  get connections(): number {
    return this.#connections.size
  }

  /** Large messages use this many octets at the moment. */
  get memoryTaken(): number {
    return this.#context.memory.taken
  }

  /** Returns 0 when the listener has no port of its own. */
  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' ? (address?.port ?? 0) : 0
  }

  async start(): Promise<void> {
    if (this.#options.listen) {
      this.#server.listen(this.#options.listen)
      await once(this.#server, 'listening')
    }
    this.#watching = setInterval(() => this.watch(), WATCH_MS)
    // A client that cannot be accepted (no file descriptor left) must not end the server.
    this.#server.on('error', (error) => this.#context.log.warn({ err: error }, 'connection not accepted'))
  }

  /** A connection that we accepted or that was handed over. */
  take(socket: Socket): void {
    const address = socket.remoteAddress
    if (address === undefined) return void socket.destroy()
    if (this.#stopBy !== undefined) return reject(socket, formatAnswer(answers.shuttingDown))
    // The limit leaves room for clients that are not known yet and for those that are disconnecting.
    if (this.#connections.size >= 2 * this.#context.limits.connections) {
      return reject(socket, formatAnswer(answers.tooManyConnections))
    }
    const connection: Connection = { wire: new Wire(socket) }
    this.#connections.add(connection)
    const gone = new Promise((resolve) => socket.once('close', resolve))
    const client = { address: usualAddress(address), port: socket.remotePort ?? 0 }
    void this.#receive(connection, client, gone).finally(async () => {
      await gone
      this.#connections.delete(connection)
      if (this.#connections.size === 0) this.#whenEmpty?.()
    })
  }

  /** Ends sessions that have reached a deadline. A timer calls it twice a second. */
  watch(): void {
    const now = this.#context.clock.now()
    const stopBy = this.#stopBy ?? Infinity
    for (const { wire, session } of this.#connections) {
      wire.checkDeadline(now)
      if (now >= stopBy) session?.interrupt()
      if (now >= stopBy + this.#context.limits.lingerMs) wire.destroy()
    }
  }

  /**
   * Open transactions may go on for a while; all other sessions are ended. A message that is being delivered is always
   * waited for: the caller may take away what delivery uses afterwards.
   */
  async stop(): Promise<void> {
    this.#stopBy ??= this.#context.clock.now() + this.#context.limits.graceMs
    if (this.#server.listening) this.#server.close()
    for (const { wire, session } of this.#connections) {
      if (session) session.end()
      else wire.destroy()
    }
    if (this.#connections.size > 0) await new Promise<void>((resolve) => (this.#whenEmpty = resolve))
    clearInterval(this.#watching)
  }

  async #receive(connection: Connection, peer: SessionFacts['client'], gone: Promise<unknown>): Promise<void> {
    const { wire } = connection
    const client = await this.#clientBehind(peer, wire)
    if (client === undefined) return wire.destroy()
    const admitted = this.#admission.admit(client.address)
    void gone.then(() => admitted?.release())
    if (admitted === undefined || !this.#makeRoom(admitted)) {
      wire.write(formatAnswer(answers.tooManyConnections))
      return wire.close(this.#context.clock.now() + this.#context.limits.lingerMs)
    }
    const session = new Session(wire, client, this.#context)
    connection.session = session
    this.#sessions.set(session, admitted)
    await session.run()
    this.#sessions.delete(session)
  }

  /**
   * Returns false when no session can be evicted for the new client. A session without a transaction can be when it has
   * been idle for a while, or when its client has more sessions than the new client; a session with a transaction and
   * no content only when both hold. Among several, a session of the client with the most sessions goes, and of those
   * the one whose last message is longest ago.
   */
  #makeRoom(newcomer: Admitted): boolean {
    const { limits, clock } = this.#context
    if (this.#sessions.size < limits.connections) return true
    const quietBefore = clock.now() - limits.evictAfterMs
    let last: { session: Session; since: number; count: number } | undefined
    for (const [session, admitted] of this.#sessions) {
      const since = session.idleSince
      const count = admitted.count()
      if (since === undefined) continue
      const [isLong, isOneOfMany] = [since <= quietBefore, count > newcomer.count()]
      if (!(session.hasTransaction ? isLong && isOneOfMany : isLong || isOneOfMany)) continue
      if (last && (count < last.count || (count === last.count && since >= last.since))) continue
      last = { session, since, count }
    }
    if (last === undefined) return false
    last.session.evict()
    return this.#sessions.delete(last.session)
  }

  /** Undefined when that cannot be found out. */
  async #clientBehind(peer: SessionFacts['client'], wire: Wire): Promise<SessionFacts['client'] | undefined> {
    const { proxies = [], limits, clock } = this.#options
    if (!isWithin(peer.address, proxies)) return peer
    const deadline = clock.now() + limits.commandMs
    for (;;) {
      if ((await wire.readMore(() => deadline)) !== 'input') return undefined
      const bytes = wire.take()
      const header = readProxyHeader(bytes)
      if (header.kind === 'malformed') return undefined
      wire.unread(header.kind === 'partial' ? bytes : bytes.subarray(header.length))
      if (header.kind === 'own') return peer
      if (header.kind === 'client') return { address: usualAddress(header.address), port: header.port }
    }
  }
}

function reject(socket: Socket, words: string): void {
  socket.on('error', () => {}).end(words, () => socket.destroy())
}
