/**
 * Answers that nobody fetches. Whatever the kernel does not take stays in our memory until the client reads on; one that
 * never does is given up.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export interface UnreadLimits {
  /** An answer may make no progress for this long. */
  patienceMs: number
  /** Bytes that may wait for all connections together. */
  bytes: number
}

const usual: UnreadLimits = { patienceMs: 30_000, bytes: 256 * 1024 * 1024 }

/** All connections are looked at this often, so that no request pays for it. */
const LOOK_EVERY_MS = 500

/** Watches the connections of this server until the function that it returns is called. */
export function giveUpUnread(server: Server, limits: UnreadLimits = usual): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  /** The connections with something unread, in the order in which they were first seen so. */
  const stuck = new Set<Socket>()
  const looking = setInterval(() => {
    for (const socket of open) look(socket, stuck, limits.patienceMs)
    makeRoom(stuck, limits.bytes)
  }, LOOK_EVERY_MS)
  looking.unref()
  return () => clearInterval(looking)
}

/**
 * Node's own time-out knows of progress within one large write, and ends the connection unless told otherwise. It also
 * takes every byte that comes in for progress, so nothing is read from a client that does not read.
 */
function look(socket: Socket, stuck: Set<Socket>, patienceMs: number): void {
  if (socket.writableLength === 0) return release(socket, stuck, patienceMs)
  stuck.add(socket)
  if (socket.timeout !== patienceMs) socket.setTimeout(patienceMs)
  if (socket.isPaused()) return
  socket.pause()
  paused.add(socket)
  // The next look may be half a second away, and the client has its answer.
  socket.once('drain', () => release(socket, stuck, patienceMs))
}

function release(socket: Socket, stuck: Set<Socket>, patienceMs: number): void {
  if (!stuck.delete(socket)) return
  if (socket.timeout === patienceMs) socket.setTimeout(0)
  // A connection that is being closed stays paused.
  if (paused.delete(socket) && !socket.writableEnded) socket.resume()
}

/** Others pause connections too, and for longer. */
const paused = new WeakSet<Socket>()

function makeRoom(stuck: Set<Socket>, most: number): void {
  let bytes = 0
  for (const socket of stuck) {
    if (socket.destroyed) stuck.delete(socket)
    else bytes += socket.writableLength
  }
  for (const socket of stuck) {
    if (bytes <= most) return
    bytes -= socket.writableLength
    stuck.delete(socket)
    socket.destroy()
  }
}
