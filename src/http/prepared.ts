/**
 * A page that is the same for everybody: made once, as it is and compressed, so that handing it out costs next to
 * nothing however often somebody asks.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The codings in the order in which we choose among those that a client likes equally. */
const codings = ['br', 'gzip', 'identity'] as const
type Coding = (typeof codings)[number]

export type Prepared = Record<Coding, { bytes: Buffer; tag: string }>

export async function prepare(content: string | Buffer): Promise<Prepared> {
  const plain = Buffer.from(content)
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(plain, { level: 9 }),
  ])
  // RFC 9110 §8.8.3.3: each coding is a representation of its own and needs a tag of its own.
  return {
    br: { bytes: br, tag: `"${hash}-br"` },
    gzip: { bytes: zipped, tag: `"${hash}-gzip"` },
    identity: { bytes: plain, tag: `"${hash}"` },
  }
}

/** Clients and proxies may cache the page and must revalidate it; the answer is 304 until the page changes. */
const REVALIDATED = 'public, no-cache'

export function sendPrepared(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  prepared: Prepared,
  caching = REVALIDATED,
): FastifyReply {
  const coding = codingFor(headers['accept-encoding'] ?? '')
  const { bytes, tag } = prepared[coding]
  reply.headers({ etag: tag, vary: 'accept-encoding', 'cache-control': caching })
  if (names(headers['if-none-match'] ?? '', tag)) return reply.code(304).send()
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.send(bytes)
}

/** RFC 9110 §12.5.3: the encoding that the client prefers; uncompressed if the client accepts none of ours. */
function codingFor(accepted: string): Coding {
  const weights = new Map(accepted.toLowerCase().split(',').map(weightOf))
  const weight = (coding: Coding): number =>
    weights.get(coding) ?? (coding === 'identity' ? Number.MIN_VALUE : (weights.get('*') ?? 0))
  return codings.reduce((best, coding) => (weight(coding) > weight(best) ? coding : best))
}

function weightOf(item: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = item.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return [coding, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
}

/** RFC 9110 §13.1.2: compared weakly, as proxies mark tags as weak that they have handed on. */
const names = (condition: string, tag: string): boolean =>
  condition === '*' || condition.split(',').some((each) => each.trim().replace(/^W\//, '') === tag)
