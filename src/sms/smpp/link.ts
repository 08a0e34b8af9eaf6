/**
 * One connection to an SMSC: our requests with their answers, its requests, and enquire_link. The memory for a
 * connection is bounded, whatever the other side does; a connection that sends nonsense is closed.
 */
import type { Socket } from 'node:net'
import { headOf, isResponse, type Codec, type Pdu } from './codec.ts'
import { Frames } from './frames.ts'
import { LAST_SEQUENCE, Status, type CommandName } from './protocol.ts'

export type Answer =
  | { kind: 'answered'; pdu: Pdu }
  /** Nothing went out. */
  | { kind: 'unsent' }
  /** The request was sent, and its result is unknown. */
  | { kind: 'unanswered' }

export interface LinkOptions {
  enquireEveryMs: number
  /** Handles a PDU of the SMSC and resolves with the status to answer, once that is safe. */
  onDelivered(pdu: Pdu): Promise<number>
  onClosed(reason: string): void
}

export interface RequestOptions {
  timeoutMs: number
  /** An answer that came after we had given up. */
  late?: (pdu: Pdu) => void
}

const MISSES = 2
const MAX_LATE = 1_000
const MAX_DELIVERIES = 64
const MAX_UNREADABLE = 10
const MAX_UNREAD_OCTETS = 1024 * 1024

export class Link {
  readonly #socket: Socket
  readonly #codec: Codec
  readonly #options: LinkOptions
  readonly #frames = new Frames()
  readonly #pending = new Map<number, (answer: Answer) => void>()
  readonly #late = new Map<number, (pdu: Pdu) => void>()
  readonly #heartbeat: NodeJS.Timeout
  #sequence = 0
  #unansweredBeats = 0
  #deliveries = 0
  #unreadable = 0
  #closed = false

  constructor(socket: Socket, codec: Codec, options: LinkOptions) {
    this.#socket = socket
    this.#codec = codec
    this.#options = options
    this.#heartbeat = setInterval(() => this.#beat(), options.enquireEveryMs)
    socket.on('data', (chunk: Buffer) => this.#hear(chunk))
    socket.on('error', () => this.close('the connection broke'))
    socket.on('close', () => this.close('the SMSC closed the connection'))
  }

  get isBusy(): boolean {
    return this.#pending.size > 0 || this.#deliveries > 0
  }

  ask(command: CommandName, fields: Record<string, unknown>, { timeoutMs, late }: RequestOptions): Promise<Answer> {
    if (this.#closed) return Promise.resolve({ kind: 'unsent' })
    const sequence = this.#nextSequence()
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        if (late) this.#remember(sequence, late)
        settle({ kind: 'unanswered' })
      }, timeoutMs)
      const settle = (answer: Answer): void => {
        clearTimeout(timer)
        this.#pending.delete(sequence)
        resolve(answer)
      }
      this.#pending.set(sequence, settle)
      this.#send(command, { ...fields, sequence_number: sequence })
    })
  }

  /** Requests without an answer stay unanswered. */
  close(reason: string): void {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#heartbeat)
    this.#socket.destroy()
    for (const settle of this.#pending.values()) settle({ kind: 'unanswered' })
    this.#late.clear()
    this.#options.onClosed(reason)
  }

  #send(command: CommandName, fields: { sequence_number: number; command_status?: number }): void {
    if (this.#closed) return
    this.#socket.write(this.#codec.encode(command, fields))
    // The SMSC sends requests and does not read our answers.
    if (this.#socket.writableLength > MAX_UNREAD_OCTETS) this.close('the SMSC does not read')
  }

  #nextSequence(): number {
    do this.#sequence = this.#sequence >= LAST_SEQUENCE ? 1 : this.#sequence + 1
    while (this.#pending.has(this.#sequence))
    return this.#sequence
  }

  #remember(sequence: number, late: (pdu: Pdu) => void): void {
    this.#late.set(sequence, late)
    const [oldest] = this.#late.keys()
    if (this.#late.size > MAX_LATE && oldest !== undefined) this.#late.delete(oldest)
  }

  #hear(chunk: Buffer): void {
    const frames = this.#frames.push(chunk)
    if (frames === undefined) return this.close('a PDU of an impossible length')
    for (const frame of frames) {
      if (this.#closed) return
      this.#unansweredBeats = 0
      this.#read(frame)
    }
  }

  #read(frame: Buffer): void {
    const head = headOf(frame)
    const pdu = this.#codec.decode(frame)
    if (pdu === undefined) return this.#unreadableFrame(head)
    if (isResponse(head)) this.#answered(pdu)
    else this.#asked(pdu)
  }

  /**
   * The frame is complete, but its fields contradict each other. Closing at once would let one poisoned message block
   * the connection.
   */
  #unreadableFrame(head: { commandId: number; sequence: number }): void {
    if (++this.#unreadable > MAX_UNREADABLE) return this.close('too many PDUs that make no sense')
    if (isResponse(head)) this.#pending.get(head.sequence)?.({ kind: 'unanswered' })
    else this.#refuse(head.sequence, Status.invalidCommandLength)
  }

  #answered(pdu: Pdu): void {
    const settle = this.#pending.get(pdu.sequence)
    if (settle !== undefined) return settle({ kind: 'answered', pdu })
    const late = this.#late.get(pdu.sequence)
    this.#late.delete(pdu.sequence)
    late?.(pdu)
  }

  #asked(pdu: Pdu): void {
    const sequence_number = pdu.sequence
    switch (pdu.command) {
      case 'deliver_sm':
        return this.#deliver(pdu, 'deliver_sm_resp')
      case 'data_sm':
        return this.#deliver(pdu, 'data_sm_resp')
      case 'enquire_link':
        return this.#send('enquire_link_resp', { sequence_number })
      case 'unbind':
        this.#send('unbind_resp', { sequence_number })
        return this.close('the SMSC said goodbye')
      // It has no answer (§4.12.1).
      case 'alert_notification':
        return
      default:
        return this.#refuse(sequence_number, Status.invalidCommand)
    }
  }

  /** Reading stops while many are being kept: the SMSC waits, and we do not collect. */
  #deliver(pdu: Pdu, answer: CommandName): void {
    if (++this.#deliveries >= MAX_DELIVERIES) this.#socket.pause()
    const done = (status: number): void => {
      if (--this.#deliveries < MAX_DELIVERIES) this.#socket.resume()
      this.#send(answer, { sequence_number: pdu.sequence, command_status: status })
    }
    this.#options.onDelivered(pdu).then(done, () => done(Status.temporaryAppError))
  }

  #refuse(sequence: number, status: number): void {
    this.#send('generic_nack', { sequence_number: sequence, command_status: status })
  }

  #beat(): void {
    // Nothing is received while the socket is paused.
    if (this.#socket.isPaused()) return
    if (this.#unansweredBeats >= MISSES) return this.close('the SMSC does not answer')
    this.#unansweredBeats++
    const timeoutMs = this.#options.enquireEveryMs * (MISSES + 1)
    void this.ask('enquire_link', {}, { timeoutMs })
  }
}
