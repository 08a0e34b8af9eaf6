import type { Socket } from 'node:net'
import { invalid, type Problem } from '../core/errors.ts'
import { encodeId, newId } from '../core/ids.ts'
import { LINGER_MS } from './closing.ts'
import { errorReply } from './errors.ts'
import { SLOW_BODY } from './streams.ts'

export const MAX_HEADER_BYTES = 16 * 1024

/** What Node's parser rejects never becomes a request; it is answered by hand and the connection closed. */
export function refuseMalformedHttp(error: Error & { code?: string }, socket: Socket): void {
  // Answered, and closed in a while: the rest of what the client sends is of no interest.
  if (socket.writableEnded) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
  const requestId = encodeId('req', newId<'req'>())
  const { status, body } = errorReply(invalid([malformedHttp(error.code)]), requestId)
  const text = JSON.stringify(body)
  socket.end(
    `HTTP/1.1 ${status} Bad Request\r\ncontent-type: application/json; charset=utf-8\r\nx-request-id: ${requestId}\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  )
}

function malformedHttp(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        path: '/headers',
        message: `must not be larger than ${MAX_HEADER_BYTES / 1024} KiB, with the address and its query: send less in them`,
      }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
    case SLOW_BODY:
      return { path: '/', message: 'did not arrive in time: send it faster, or in smaller parts' }
    default:
      return { path: '/', message: 'is not HTTP/1.1 as RFC 9112 has it: check what writes its first line and headers' }
  }
}
