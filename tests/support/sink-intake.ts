import type { Socket } from 'node:net'

/** What comes in on a connection, as lines and as content, without ever reading past the end of either. */
export class Intake {
  readonly #socket: Socket
  readonly #chunks: Buffer[]
  /** Grows by doubling, so that 25 MB cost 25 MB of copying and not its square. */
  #room = Buffer.alloc(65_536)
  #start = 0
  #end = 0
  #isOver = false
  #more: () => void = () => {}

  constructor(socket: Socket, chunks: Buffer[]) {
    this.#socket = socket
    this.#chunks = chunks
    socket.on('data', this.#onData).on('error', this.#onEnd).on('close', this.#onEnd)
  }

  /** Lines end in CRLF and in nothing else. */
  async line(): Promise<string | undefined> {
    const end = await this.#find('\r\n')
    return end === undefined ? undefined : this.#cut(end, 2).toString('utf8')
  }

  /** Up to CRLF.CRLF, and without the dots that were added. */
  async content(): Promise<Buffer | undefined> {
    if (this.#rest.length < 3 && (await this.#find('\n')) === undefined) return undefined
    if (this.#rest.toString('latin1', 0, 3) === '.\r\n') return this.#cut(0, 3)
    const end = await this.#find('\r\n.\r\n')
    if (end === undefined) return undefined
    const stuffed = this.#cut(end + 2, 3)
    return Buffer.from(stuffed.toString('latin1').replace(/(^|\r\n)\.\./g, '$1.'), 'latin1')
  }

  /** The rest belongs to somebody else. */
  leave(): void {
    this.#socket.off('data', this.#onData)
  }

  get #rest(): Buffer {
    return this.#room.subarray(this.#start, this.#end)
  }

  async #find(what: string): Promise<number | undefined> {
    for (let from = 0; ;) {
      const at = this.#rest.indexOf(what, from, 'latin1')
      if (at !== -1) return at
      if (this.#isOver) return undefined
      from = Math.max(0, this.#rest.length - what.length)
      await new Promise<void>((resolve) => (this.#more = resolve))
    }
  }

  #cut(end: number, skipped: number): Buffer {
    const piece = Buffer.from(this.#rest.subarray(0, end))
    this.#start += end + skipped
    return piece
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#chunks.push(chunk)
    if (this.#end + chunk.length > this.#room.length) {
      const rest = this.#rest
      const room = Buffer.alloc(Math.max(65_536, 2 * (rest.length + chunk.length)))
      rest.copy(room)
      this.#room = room
      this.#start = 0
      this.#end = rest.length
    }
    chunk.copy(this.#room, this.#end)
    this.#end += chunk.length
    this.#more()
  }

  readonly #onEnd = (): void => {
    this.#isOver = true
    this.#more()
  }
}
