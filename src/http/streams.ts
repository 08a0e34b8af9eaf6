/**
 * Bodies that are too large to be held: taken as they come, and given as they are made. What is held of them is what
 * the sockets hold.
 */
import { Readable } from 'node:stream'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, invalid } from '../core/errors.ts'
import type { FileContent } from '../core/file-content.ts'
import type { Route, Upload } from './route.ts'

/** An upload may take this long from its first byte to its last, however slow the line is. */
export const MAX_UPLOAD_MS = 3_600_000
/** Every other body may take this long; an upload that is silent for this long is given up. */
export const BODY_PATIENCE_MS = 30_000

/** The error has a code, as those of Node's parser do. */
export const SLOW_BODY = 'SLOW_BODY'

/** Refuses a body that comes in drops: a client that sends one byte a second would hold a connection for a day. */
export function endSlowBody(
  { raw }: FastifyRequest,
  patienceMs: number,
  refuse: (error: Error, socket: Socket) => void,
): void {
  if (!hasBody(raw.headers)) return
  const timer = setTimeout(() => {
    const error = Object.assign(new Error('the body did not come to its end in time'), { code: SLOW_BODY })
    if (!raw.complete) refuse(error, raw.socket)
  }, patienceMs)
  timer.unref()
  raw.once('close', () => clearTimeout(timer))
}

const hasBody = (headers: FastifyRequest['raw']['headers']): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Refuses an upload by its headers, before its first byte. */
export function refuseUpload({ headers }: FastifyRequest, { uploads, bodyLimit }: Route): void {
  const type = mediaType(headers['content-type'])
  if (!uploads.includes(type)) {
    throw new DomainError(
      'unsupported_media_type',
      `Send the body with the header "Content-Type: ${uploads.join('" or "Content-Type: ')}".`,
    )
  }
  if (Number(headers['content-length'] ?? 0) > bodyLimit) throw tooLarge(bodyLimit)
}

const mediaType = (header = ''): string => (header.split(';')[0] ?? '').trim().toLowerCase()

export const tooLarge = (limitBytes: number): DomainError =>
  new DomainError(
    'payload_too_large',
    `The body is too large: this call takes at most ${limitBytes.toLocaleString('en')} bytes.`,
    { limitBytes },
  )

export const uploadOf = ({ raw, headers }: FastifyRequest, { bodyLimit }: Route, patienceMs: number): Upload => ({
  type: mediaType(headers['content-type']),
  bytes: bounded(raw, bodyLimit, patienceMs),
})

async function* bounded(source: Readable, limit: number, patienceMs: number): AsyncIterable<Buffer> {
  let size = 0
  // The stream is not destroyed when we stop: a refused client must get its answer on this connection.
  const chunks = source.iterator({ destroyOnReturn: false })
  for (;;) {
    const next = await withPatience(chunks.next(), patienceMs)
    if (next.done === true) return
    const chunk = next.value as Buffer
    size += chunk.length
    if (size > limit) throw tooLarge(limit)
    yield chunk
  }
}

/** Only the silence of the sender counts, not what we do between two chunks. */
async function withPatience<T>(next: Promise<T>, patienceMs: number): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(brokenOff()), patienceMs)
  try {
    return await Promise.race([next, silence])
  } catch (error) {
    // Whatever ended the request, it is not complete; only the log shows this.
    throw error instanceof DomainError ? error : brokenOff()
  } finally {
    clearTimeout(timer)
  }
}

const brokenOff = (): DomainError => invalid([{ path: '/', message: 'did not come to its end: send it again' }])

/** A download is for a person to save, and for no browser to interpret: strangers may have written it. */
export function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, filename, content, headers }: FileContent,
): FastifyReply {
  const isBytes = Buffer.isBuffer(content)
  reply.headers({
    ...headers,
    'content-type': isBytes ? plainType(type) : `${type}; charset=utf-8`,
    'content-disposition': disposition(filename),
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  if (request.method === 'HEAD') return reply.code(200).send('')
  return reply.code(200).send(isBytes ? content : Readable.from(content))
}

const EVENTS = 'text/event-stream'

export const isStream = (reply: FastifyReply): boolean => reply.getHeader('content-type') === EVENTS

/**
 * Events as they happen. They are fetched from their source as fast as the client reads, so none of them waits here. The
 * connection ends with them: a client that comes back may then be led to another node.
 */
export function sendEvents(
  { method }: FastifyRequest,
  reply: FastifyReply,
  events: AsyncIterable<string>,
): FastifyReply {
  reply.code(200).headers({
    'content-type': EVENTS,
    'x-content-type-options': 'nosniff',
    connection: 'close',
    // A proxy that collects answers before it passes them on would show nothing of a stream.
    'x-accel-buffering': 'no',
  })
  const source = Readable.from(events)
  if (method !== 'HEAD') return reply.send(source)
  source.destroy()
  return reply.send('')
}

const plainType = (type: string): string =>
  /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/.test(type) ? type : 'application/octet-stream'

/** RFC 6266 §4.3 and RFC 8187: the name stands there in ASCII for old clients, and as it is for the others. */
function disposition(filename: string): string {
  const plain = filename.replaceAll(/[^\w .()+-]/g, '_')
  if (plain === filename) return `attachment; filename="${plain}"`
  const encoded = encodeURIComponent(filename.toWellFormed()).replaceAll(/[!'()*]/g, (mark) => `%${hex(mark)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

const hex = (mark: string): string => mark.charCodeAt(0).toString(16).toUpperCase()
