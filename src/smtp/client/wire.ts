/** One connection as SMTP sees it: it writes commands, reads replies, and may close at any time. */
import type { Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { reasonOf, secure } from '../../net/dial.ts'
import { ReplyReader, type RawReply } from './reply-reader.ts'

export type ReplyOrClosed = RawReply | Closed

export interface Closed {
  kind: 'closed'
  reason: string
  timedOut: boolean
}

/** A server has no reason to send more replies than it got commands. */
const MAX_BUFFERED_REPLIES = 1_000

export class Wire {
  #socket: Socket
  #reader = new ReplyReader()
  #buffered: RawReply[] = []
  #closed: Closed | undefined
  #listener: ((answer: ReplyOrClosed) => void) | undefined
  #flushed: (() => void) | undefined
  #closeListener: (() => void) | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    this.#attach()
  }

  get closed(): Closed | undefined {
    return this.#closed
  }

  /** A reply has arrived that was not read yet. */
  get hasBufferedReply(): boolean {
    return this.#buffered.length > 0
  }

  get localAddress(): string | undefined {
    return this.#socket.localAddress
  }

  set onClosed(listener: (() => void) | undefined) {
    this.#closeListener = listener
  }

  /** All parts in one write: with TCP_NODELAY every write is a packet of its own. */
  write(...parts: readonly (string | Uint8Array)[]): void {
    if (!this.#closed) this.#socket.write(joined(parts))
  }

  /** Returns a reply that has already arrived, without waiting. */
  bufferedReply(): RawReply | undefined {
    return this.#buffered.shift()
  }

  /**
   * Waits for the next reply. The whole reply has to arrive in time, so that a server cannot hold us by sending single
   * octets.
   */
  readReply(timeoutMs: number): Promise<ReplyOrClosed> {
    const early = this.#buffered.shift()
    if (early) return Promise.resolve(early)
    if (this.#closed) return Promise.resolve(this.#closed)
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#end('no reply in time', true), timeoutMs)
      this.#listener = (answer) => {
        clearTimeout(timer)
        this.#listener = undefined
        resolve(answer)
      }
    })
  }

  /** Writes, and waits until the kernel has taken everything or the connection is closed. */
  async flush(parts: readonly (string | Uint8Array)[], timeoutMs: number): Promise<void> {
    if (this.#closed) return
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
   * Continues with TLS. It discards everything received before: an attacker between us may have added replies that
   * would then look authenticated (CVE-2011-0411).
   */
  async secure(options: ConnectionOptions, timeoutMs: number, onSession: (session: Buffer) => void) {
    this.#detach()
    this.#buffered = []
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

  /** Sends QUIT, and waits no longer than two seconds for the server to close. */
  quit(): void {
    if (this.#closed) return
    this.write('QUIT\r\n')
    const socket = this.#socket
    socket.end()
    const timer = setTimeout(() => socket.destroy(), QUIT_MS)
    timer.unref()
    socket.once('close', () => clearTimeout(timer))
    this.#finish('we closed the connection', false)
  }

  close(reason: string): void {
    this.#end(reason, false)
  }

  #attach(): void {
    this.#socket.on('data', this.#onData).on('error', this.#onError).on('end', this.#onEnd).on('close', this.#onEnd)
  }

  #detach(): void {
    this.#socket
      .off('data', this.#onData)
      .off('error', this.#onError)
      .off('end', this.#onEnd)
      .off('close', this.#onEnd)
      .on('error', () => {})
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#closed) return
    for (const reply of this.#reader.take(chunk)) {
      if (this.#listener) this.#listener(reply)
      else this.#buffered.push(reply)
    }
    if (this.#reader.fault) this.#end(this.#reader.fault, false)
    else if (this.#buffered.length > MAX_BUFFERED_REPLIES) this.#end('the server talks without being asked', false)
  }

  readonly #onError = (error: Error): void => this.#end(reasonOf(error), false)

  readonly #onEnd = (): void => this.#end('the server closed the connection', false)

  #end(reason: string, timedOut: boolean): void {
    if (this.#closed) return
    this.#socket.destroy()
    this.#finish(reason, timedOut)
  }

  #finish(reason: string, timedOut: boolean): void {
    this.#closed = { kind: 'closed', reason, timedOut }
    this.#listener?.(this.#closed)
    this.#flushed?.()
    this.#closeListener?.()
  }
}

const QUIT_MS = 2_000

/** One buffer, so that it is one write and, under TLS, one record. Copying a few kilobytes costs less than `writev`. */
function joined(parts: readonly (string | Uint8Array)[]): string | Uint8Array {
  const [first = '', ...others] = parts
  if (others.length === 0) return first
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part)))
}
