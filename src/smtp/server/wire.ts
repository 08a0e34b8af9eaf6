/**
 * One connection as the session sees it: it gives lines and chunks, collects answers, and has a deadline that the
 * listener checks. It reads little input ahead of the session, and none while the client does not read our answers.
 */
import type { Socket } from 'node:net'
import { TLSSocket, type SecureContext } from 'node:tls'

/** A wait ends with input, the end of the connection, the deadline (`late`), or `interrupt`. */
export type WakeReason = 'input' | 'ended' | 'late' | 'interrupted'

/** Computed at every check, because the time-out depends on how many sessions are open. */
export type Deadline = () => number

export interface TlsFacts {
  /** The version is written as `TLSv1.3`. */
  version: string
  /** The cipher is written as `TLS_AES_256_GCM_SHA384`. */
  cipher: string
}

/** A line of more octets than this ends the session (RFC 5321 asks for 512). */
const MAX_INPUT_LINE_LENGTH = 4_096

const MAX_UNREAD = 65_536
const LF = 10
const CR = 13
const EMPTY: Buffer = Buffer.alloc(0)
const never: Deadline = () => Infinity

export class Wire {
  #socket: Socket
  #input = EMPTY
  #output = ''
  #isEnded = false
  #isClosing = false
  #deadline: Deadline = never
  #wake: ((reason: WakeReason) => void) | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    // A client that has sent everything and closed its side still reads our answers.
    socket.allowHalfOpen = true
    this.#attach()
  }

  /** Input has arrived that was not taken yet. */
  get hasInput(): boolean {
    return this.#input.length > 0
  }

  /** The next line without its end; undefined when it is not complete. */
  line(): { bytes: Buffer; isWhole: boolean; endsWell: boolean } | undefined {
    const end = this.#input.indexOf(LF)
    if (end === -1 || end >= MAX_INPUT_LINE_LENGTH) {
      if (this.#input.length < MAX_INPUT_LINE_LENGTH) return undefined
      return { bytes: this.take(), isWhole: false, endsWell: false }
    }
    const endsWell = end > 0 && this.#input[end - 1] === CR
    const bytes = this.#input.subarray(0, endsWell ? end - 1 : end)
    this.#input = this.#input.subarray(end + 1)
    return { bytes, isWhole: true, endsWell }
  }

  /** Takes all input that has arrived. */
  take(): Buffer {
    const input = this.#input
    this.#input = EMPTY
    return input
  }

  /** Puts back input that was taken in excess. */
  unread(rest: Buffer): void {
    this.#input = rest
  }

  /** Goes out with the next wait: the answers to a group of commands are one packet (RFC 2920 §3.2). */
  write(words: string): void {
    this.#output += words
  }

  /** Sends the collected answers and waits for more input. */
  readMore(deadline: Deadline): Promise<WakeReason> {
    const isRead = this.#flush()
    if (this.#isEnded) return Promise.resolve('ended')
    if (!isRead) this.#socket.pause()
    else if (this.#socket.isPaused()) this.#socket.resume()
    return this.#wait(deadline)
  }

  /** Waits for this time, or until input arrives too early. */
  async pause(ms: number): Promise<WakeReason> {
    if (this.hasInput) return 'input'
    const timer = setTimeout(() => this.#end('late'), ms)
    const reason = await this.readMore(never)
    clearTimeout(timer)
    return reason
  }

  /** Ends the wait; has no effect when there is none. */
  interrupt(): void {
    this.#end('interrupted')
  }

  /** The listener calls this twice a second. */
  checkDeadline(now: number): void {
    if (now < this.#deadline()) return
    if (this.#isClosing) this.#socket.destroy()
    else this.#end('late')
  }

  /**
   * Continues with TLS. It discards everything received before: an attacker between us may have added commands that
   * would then look authenticated (CVE-2011-0411).
   */
  async secure(secureContext: SecureContext, deadline: Deadline): Promise<TlsFacts | undefined> {
    this.#flush()
    this.#detach()
    this.#input = EMPTY
    const socket = new TLSSocket(this.#socket, { isServer: true, secureContext })
    socket.once('secure', () => this.#end('input'))
    this.#socket = socket
    this.#attach()
    const reason = this.#isEnded ? 'ended' : await this.#wait(deadline)
    if (reason !== 'input') {
      this.destroy()
      return undefined
    }
    return { version: socket.getProtocol() ?? 'TLS', cipher: socket.getCipher()?.standardName ?? '' }
  }

  /**
   * Sends the last answers and closes. Closing with unread input would reset the connection, and the reset destroys
   * answers on their way; so the input is read and thrown away until the other side has closed too or the deadline has
   * passed.
   */
  close(deadline: number): void {
    if (this.#isClosing) return
    this.#isClosing = true
    this.#deadline = () => deadline
    this.#input = EMPTY
    this.#flush()
    this.#socket.end()
    this.#socket.resume()
  }

  destroy(): void {
    this.#isEnded = true
    this.#isClosing = true
    this.#socket.destroy()
  }

  #wait(deadline: Deadline): Promise<WakeReason> {
    this.#deadline = deadline
    return new Promise((resolve) => (this.#wake = resolve))
  }

  #end(reason: WakeReason): void {
    const wake = this.#wake
    if (wake === undefined) return
    this.#wake = undefined
    this.#deadline = never
    wake(reason)
  }

  /** Returns false when the other side does not read our answers. */
  #flush(): boolean {
    if (this.#output === '' || this.#socket.destroyed) return true
    const words = this.#output
    this.#output = ''
    return this.#socket.write(words, 'latin1')
  }

  #attach(): void {
    this.#socket
      .on('data', this.#onData)
      .on('drain', this.#onDrain)
      .on('end', this.#onEnd)
      .on('error', this.#onEnd)
      .on('close', this.#onEnd)
  }

  #detach(): void {
    this.#socket
      .off('data', this.#onData)
      .off('drain', this.#onDrain)
      .off('end', this.#onEnd)
      .off('error', this.#onEnd)
      .off('close', this.#onEnd)
      .on('error', () => {})
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#isClosing) return
    this.#input = this.#input.length === 0 ? chunk : Buffer.concat([this.#input, chunk])
    if (this.#wake) this.#end('input')
    else if (this.#input.length > MAX_UNREAD) this.#socket.pause()
  }

  readonly #onDrain = (): void => {
    if (this.#wake) this.#socket.resume()
  }

  readonly #onEnd = (): void => {
    this.#isEnded = true
    this.#end('ended')
  }
}
