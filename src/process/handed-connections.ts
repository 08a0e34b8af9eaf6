import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { closeUnread } from '../http/closing.ts'

/** A client that keeps its connection busy sends its next request within this time, and learns that it was the last. */
const LAST_REQUEST_WITHIN_MS = 1_000
const POLL_MS = 20

/**
 * The connections that the supervisor handed to this process. An HTTP server that does not listen itself knows nothing
 * of them when it is closed, so they are counted here: nothing behind the server may be taken away while a request is
 * being answered. Closing an idle connection at once would cut off a request that is on its way to us; so each gets a
 * moment to send one more, which is answered with `Connection: close`.
 */
export class HandedConnections {
  /** Each with the answers that it still waits for. */
  readonly #open = new Map<Socket, Set<ServerResponse>>()
  #leaving = false

  constructor() {
    subscribe('http.server.request.start', (message) => this.#begin(message as Begun))
  }

  add(socket: Socket): void {
    this.#open.set(socket, new Set())
    socket.once('close', () => this.#open.delete(socket))
  }

  /** Resolves when every request that was begun is answered and every connection closed. */
  async drain(): Promise<void> {
    this.#leaving = true
    for (const responses of this.#open.values()) for (const response of responses) response.shouldKeepAlive = false
    for (const start = Date.now(); this.#open.size > 0; await sleep(POLL_MS)) {
      if (Date.now() - start < LAST_REQUEST_WITHIN_MS) continue
      for (const [socket, { size }] of this.#open) if (size === 0) socket.destroy()
    }
  }

  #begin({ socket, request, response }: Begun): void {
    const responses = this.#open.get(socket)
    if (responses === undefined) return
    responses.add(response)
    response.once('close', () => responses.delete(response))
    // Before Node's own listener, which decides what becomes of the connection.
    response.prependOnceListener('finish', () => {
      const isLast = !response.shouldKeepAlive || response.statusCode === 413
      if (isLast && !request.complete) closeUnread(request, response)
    })
    if (this.#leaving) response.shouldKeepAlive = false
  }
}

interface Begun {
  socket: Socket
  request: IncomingMessage
  response: ServerResponse
}
