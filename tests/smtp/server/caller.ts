import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls, TLSSocket } from 'node:tls'

/** A client that says exactly what it is told to, and hears whole replies. */
export class Caller {
  #socket: Socket
  #heard = ''
  #isClosed = false
  #wake: () => void = () => {}

  private constructor(socket: Socket) {
    this.#socket = socket
    this.#attach()
  }

  static async connect(port: number, localAddress = '127.0.0.1'): Promise<Caller> {
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true, allowHalfOpen: true })
    const caller = new Caller(socket)
    await once(socket, 'connect')
    return caller
  }

  get socket(): Socket {
    return this.#socket
  }

  /** Resolves when it has left us. */
  send(words: string | Buffer): Promise<void> {
    return new Promise((resolve) => this.#socket.write(words, () => resolve()))
  }

  /** One reply with all its lines; what was left over when the connection ended, if it did. */
  async reply(): Promise<string> {
    for (;;) {
      const [whole] = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(this.#heard) ?? []
      if (whole !== undefined) {
        this.#heard = this.#heard.slice(whole.length)
        return whole.trimEnd()
      }
      if (this.#isClosed) return this.#heard
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  async ask(line: string | Buffer): Promise<string> {
    await this.send(Buffer.concat([Buffer.from(line), Buffer.from('\r\n')]))
    return this.reply()
  }

  /** Several in turn, the codes only. */
  async codes(...lines: readonly string[]): Promise<string> {
    const codes: string[] = []
    for (const line of lines) codes.push((await this.ask(line)).slice(0, 3))
    return codes.join(' ')
  }

  /** Everything until the other side has closed. */
  async rest(): Promise<string> {
    while (!this.#isClosed) await new Promise<void>((resolve) => (this.#wake = resolve))
    return this.#heard
  }

  /** Through greeting and EHLO, up to MAIL. */
  async hello(): Promise<void> {
    await this.reply()
    await this.ask('EHLO client.test')
  }

  /** Up to 354. */
  async data(to = 'ann@known.test'): Promise<string> {
    await this.hello()
    return this.codes('MAIL FROM:<sender@client.test>', `RCPT TO:<${to}>`, 'DATA')
  }

  async secure(): Promise<void> {
    this.#socket.removeAllListeners('data').removeAllListeners('end').removeAllListeners('close')
    this.#heard = ''
    const socket = connectTls({ socket: this.#socket, rejectUnauthorized: false })
    this.#socket = socket
    await once(socket, 'secureConnect')
    this.#attach()
  }

  end(): void {
    this.#socket.end()
  }

  kill(): void {
    if (this.#socket instanceof TLSSocket) this.#socket.destroy()
    else this.#socket.resetAndDestroy()
  }

  #attach(): void {
    const close = (): void => {
      this.#isClosed = true
      this.#wake()
      this.#socket.end()
    }
    this.#socket
      .on('data', (chunk) => {
        this.#heard += chunk.toString('latin1')
        this.#wake()
      })
      .on('error', close)
      .on('end', close)
      .on('close', close)
  }
}
