import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How long a connection whose last answer was sent may stay open. */
export const LINGER_MS = 5_000

/**
 * Makes this answer the last one on its connection, whatever else the client has sent or goes on sending. Not closed at
 * once: a connection that is closed with something unread is reset, and the reset may overtake our answer. What comes
 * in meanwhile stays with the kernel, which soon takes no more.
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
