import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How long a connection whose last answer was sent may stay open. */
export const LINGER_MS = 5_000

/**
 * Makes this answer the last one on its connection, whatever else the client has sent or goes on sending. RFC 9112 §9.6:
 * a connection that is closed with something unread is reset, and the reset may overtake our answer. So our side is
 * closed first, and the rest after the client had time to read. What comes in meanwhile stays with the kernel, which
 * soon takes no more.
 */
export function closeInStages(socket: Socket, response: ServerResponse): void {
  response.shouldKeepAlive = false
  socket.destroySoon = () => {
    socket.end()
    // Node has just asked for more, and learns of that only after this turn of the event loop.
    setImmediate(() => socket.pause())
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
}

/** The same for an answer that comes before the end of its request, like that to a body which is too large. */
export function closeUnread(request: IncomingMessage, response: ServerResponse): void {
  // Node would read the rest of the body to throw it away, a gigabyte of it if need be. A reader that has begun, and
  // pauses, keeps it from doing so.
  request.read(0)
  request.pause()
  closeInStages(request.socket, response)
}

/**
 * Ends the connections on which no request has come yet, when the function that it returns is called. A server that closes
 * would wait for them, because Node's own limit for them ends with the closing; and browsers open some that they never use.
 */
export function endUnasked(server: Server): () => void {
  const unasked = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    unasked.add(socket)
    socket.once('close', () => unasked.delete(socket))
  })
  server.on('request', ({ socket }) => unasked.delete(socket))
  return () => {
    for (const socket of unasked) socket.destroy()
  }
}
