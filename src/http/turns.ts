/**
 * Requests that come over one connection without waiting for answers (RFC 9112 §9.3.2, "pipelining"). Node's parser
 * hands over all that stand in a packet at once: 64 KiB hold more than a thousand. Here they are worked off one after
 * the other, and whoever uses another connection comes in between.
 */
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../core/errors.ts'
import { closeInStages } from './closing.ts'

/** A connection with more requests waiting than this is closed: they take memory. */
const MAX_WAITING = 100
const RETRY_SECONDS = 1

interface Line {
  waiting: number
  isTooLong: boolean
}

export class Turns {
  readonly #lines = new WeakMap<Socket, Line>()

  /**
   * Calls back when the answer to the request before this one has been sent. In a line that got too long the next one
   * hears so, and nothing of those behind it has happened: their connection ends without an answer to them.
   */
  wait({ raw: { socket } }: FastifyRequest, { raw: response }: FastifyReply, done: (refusal?: Error) => void): void {
    // Node gives the connection to the first response that waits for it.
    if (response.socket !== null) {
      done()
      return
    }
    const line = this.#lineOf(socket)
    if (line.waiting === MAX_WAITING) {
      line.isTooLong = true
      socket.pause()
      return
    }
    line.waiting++
    response.once('socket', () => {
      line.waiting--
      if (line.isTooLong) closeInStages(socket, response)
      setImmediate(() => done(line.isTooLong ? tooMany() : undefined))
    })
  }

  #lineOf(socket: Socket): Line {
    let line = this.#lines.get(socket)
    if (line === undefined) {
      line = { waiting: 0, isTooLong: false }
      this.#lines.set(socket, line)
    }
    return line
  }
}

const tooMany = (): DomainError =>
  new DomainError('rate_limited', `More than ${MAX_WAITING} requests wait for an answer on this connection.`, {
    retryAfter: RETRY_SECONDS,
  })
