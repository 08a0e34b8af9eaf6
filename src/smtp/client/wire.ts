/** One connection as the protocol sees it: things to say, replies to hear, and an end that comes when it likes. */
import type { Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { reasonOf, secure } from '../../net/dial.ts'
import { ReplyReader, type Spoken } from './reply-reader.ts'

export type Heard = Spoken | Gone

export interface Gone {
  kind: 'gone'
  reason: string
  timedOut: boolean
}

/** Nobody needs more than a handful of replies in advance. */
const MAX_UNHEARD = 1_000

export class Wire {
  #socket: Socket
  #reader = new ReplyReader()
  #unheard: Spoken[] = []
  #gone: Gone | undefined
  #listener: ((heard: Heard) => void) | undefined
  #flushed: (() => void) | undefined
  #onGone: (() => void) | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    this.#attach()
  }

  get gone(): Gone | undefined {
    return this.#gone
  }

  /** Something was said that nobody has listened to yet. */
  get hasSpoken(): boolean {
    return this.#unheard.length > 0
  }

  get localAddress(): string | undefined {
    return this.#socket.localAddress
  }

  set whenGone(listener: (() => void) | undefined) {
    this.#onGone = listener
  }

  /** All parts in one write: with TCP_NODELAY every write is a packet of its own. */
  send(...parts: readonly (string | Uint8Array)[]): void {
    if (!this.#gone) this.#socket.write(joined(parts))
  }

  /** What was said already, without waiting. */
  overheard(): Spoken | undefined {
    return this.#unheard.shift()
  }

  /** The next reply. It has to be complete in time: a server that drips letters gains nothing by it. */
  hear(timeoutMs: number): Promise<Heard> {
    const spoken = this.#unheard.shift()
    if (spoken) return Promise.resolve(spoken)
    if (this.#gone) return Promise.resolve(this.#gone)
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#end('no reply in time', true), timeoutMs)
      this.#listener = (heard) => {
        clearTimeout(timer)
        this.#listener = undefined
        resolve(heard)
      }
    })
  }

  /** Sends and waits until it has left us, or the end has come. */
  async flush(parts: readonly (string | Uint8Array)[], timeoutMs: number): Promise<void> {
    if (this.#gone) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#flushed = resolve
    const timer = setTimeout(() => this.#end('nobody reads what we send', true), timeoutMs)
    const last = parts.length - 1
    const whenWritten = (error?: Error | null): void => {
      if (error) this.#end(reasonOf(error), false)
      resolve()
    }
    this.#socket.cork()
    parts.forEach((part, at) => this.#socket.write(part, at === last ? whenWritten : undefined))
    this.#socket.uncork()
    await promise
    this.#flushed = undefined
    clearTimeout(timer)
  }

  /**
   * Goes on encrypted. Whatever was said before is forgotten: somebody on the way may have added it, to have it taken
   * for an answer that comes from inside (CVE-2011-0411 and its kin).
   */
  async secure(options: ConnectionOptions, timeoutMs: number, onSession: (session: Buffer) => void) {
    this.#detach()
    this.#unheard = []
    this.#reader = new ReplyReader()
    const secured = await secure(this.#socket, options, timeoutMs)
    if (secured.kind === 'failed') {
      this.#end(secured.reason, false)
      return secured
    }
    this.#socket = secured.socket
    secured.socket.on('session', onSession)
    this.#attach()
    return { kind: 'secured' as const, protocol: secured.socket.getProtocol() ?? 'TLS' }
  }

  /** Says good-bye and does not wait for the answer longer than a moment. */
  quit(): void {
    if (this.#gone) return
    this.send('QUIT\r\n')
    const socket = this.#socket
    socket.end()
    const timer = setTimeout(() => socket.destroy(), QUIT_MS)
    timer.unref()
    socket.once('close', () => clearTimeout(timer))
    this.#finish('we closed the connection', false)
  }

  hangUp(reason: string): void {
    this.#end(reason, false)
  }

  #attach(): void {
    this.#socket
      .on('data', this.#hearChunk)
      .on('error', this.#hearError)
      .on('end', this.#hearEnd)
      .on('close', this.#hearEnd)
  }

  #detach(): void {
    this.#socket
      .off('data', this.#hearChunk)
      .off('error', this.#hearError)
      .off('end', this.#hearEnd)
      .off('close', this.#hearEnd)
      .on('error', () => {})
  }

  readonly #hearChunk = (chunk: Buffer): void => {
    if (this.#gone) return
    for (const spoken of this.#reader.take(chunk)) {
      if (this.#listener) this.#listener(spoken)
      else this.#unheard.push(spoken)
    }
    if (this.#reader.fault) this.#end(this.#reader.fault, false)
    else if (this.#unheard.length > MAX_UNHEARD) this.#end('the server talks without being asked', false)
  }

  readonly #hearError = (error: Error): void => this.#end(reasonOf(error), false)

  readonly #hearEnd = (): void => this.#end('the server closed the connection', false)

  #end(reason: string, timedOut: boolean): void {
    if (this.#gone) return
    this.#socket.destroy()
    this.#finish(reason, timedOut)
  }

  #finish(reason: string, timedOut: boolean): void {
    this.#gone = { kind: 'gone', reason, timedOut }
    this.#listener?.(this.#gone)
    this.#flushed?.()
    this.#onGone?.()
  }
}

const QUIT_MS = 2_000

/** One buffer, so that it is one write and, under TLS, one record. Copying a few kilobytes costs less than `writev`. */
function joined(parts: readonly (string | Uint8Array)[]): string | Uint8Array {
  const [first = '', ...others] = parts
  if (others.length === 0) return first
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part)))
}
