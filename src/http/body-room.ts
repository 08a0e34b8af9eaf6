/**
 * What the large bodies of all requests may take in memory at once. A body is within the limit of its route and its
 * caller has a key; a hundred of them at the same time would still be the end of the process, and of everybody else's
 * requests in it.
 */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../core/errors.ts'

export interface RoomLimits {
  /** Bytes for all requests together. */
  bytes: number
  /** Bytes for the requests of one key, so that no key can take all of it. */
  bytesPerKey: number
}

/** This much of every body is not counted: a small body always finds room, however many large ones are on their way. */
export const FREE_BYTES = 1024 * 1024

const usual: RoomLimits = { bytes: 256 * 1024 * 1024, bytesPerKey: 128 * 1024 * 1024 }

/** A refused client comes again when others are done; most large bodies are read within a second. */
const RETRY_SECONDS = 2

export class BodyRoom {
  readonly #limits: RoomLimits
  readonly #byKey = new Map<string, number>()
  #taken = 0

  constructor(limits: RoomLimits = usual) {
    this.#limits = limits
  }

  /** The body, counted as it comes: what was only announced takes no room. Given back when the request is over. */
  counted(request: FastifyRequest, reply: FastifyReply, body: Readable): Readable {
    if (!mayBeLarge(request)) return body
    const key = nameOf(request)
    let held = 0
    reply.raw.once('close', () => {
      this.#move(key, -held)
      held = 0
    })
    const hold = (bytes: number): void => {
      if (reply.raw.closed || !this.#hasRoom(key, bytes)) throw full()
      held += bytes
      this.#move(key, bytes)
    }
    return Readable.from(heldAs(body, hold), { objectMode: false })
  }

  #hasRoom(key: string, bytes: number): boolean {
    const own = this.#byKey.get(key) ?? 0
    return this.#taken + bytes <= this.#limits.bytes && own + bytes <= this.#limits.bytesPerKey
  }

  #move(key: string, bytes: number): void {
    this.#taken += bytes
    const own = (this.#byKey.get(key) ?? 0) + bytes
    if (own > 0) this.#byKey.set(key, own)
    else this.#byKey.delete(key)
  }
}

const mayBeLarge = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > FREE_BYTES

async function* heldAs(body: Readable, hold: (bytes: number) => void): AsyncIterable<Buffer> {
  let size = 0
  // The stream is not destroyed when we stop: a refused client must get its answer on this connection.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const before = size
    size += chunk.length
    const counting = Math.max(0, size - FREE_BYTES) - Math.max(0, before - FREE_BYTES)
    if (counting > 0) hold(counting)
    yield chunk
  }
}

const full = (): DomainError =>
  new DomainError(
    'unavailable',
    'Too many large requests are on their way: try again after the seconds in Retry-After.',
    { retryAfter: RETRY_SECONDS },
  )

/** The key or session that the body is counted for. */
const nameOf = ({ access }: FastifyRequest): string =>
  access === undefined ? '' : access.caller.type === 'key' ? access.caller.keyId : access.caller.sessionId
