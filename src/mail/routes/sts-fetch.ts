import { request, type IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { dialName, secure } from '../../net/dial.ts'
import type { Dns } from '../../net/dns.ts'
import type { Egress } from '../../net/egress.ts'

/** Returns the text of the policy of a domain; undefined when it cannot be fetched, for whatever reason. */
export type FetchPolicy = (domain: string) => Promise<string | undefined>

export interface StsFetchOptions {
  dns: Dns
  egress: Egress
  /** Certificates of authorities instead of those that Node knows. */
  authorities?: readonly string[]
  port?: number
  timeoutMs?: number
}

const TIMEOUT_MS = 5_000
/** RFC 8461 §3.3 suggests both bounds. */
const MAX_POLICY_SIZE = 65_536

/**
 * RFC 8461 §3.3: the policy is fetched over HTTPS with a verified certificate, and no redirects. Our own resolver and
 * the egress filter are used, because the owner of the recipient's domain chooses the host.
 */
export function stsFetcher({ timeoutMs = TIMEOUT_MS, ...options }: StsFetchOptions): FetchPolicy {
  return async (domain) => {
    const { promise: late, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => resolve(undefined), timeoutMs)
    const given = new AbortController()
    try {
      return await Promise.race([fetchPolicy(`mta-sts.${domain}`, { ...options, timeoutMs }, given.signal), late])
    } finally {
      clearTimeout(timer)
      given.abort()
    }
  }
}

async function fetchPolicy(
  host: string,
  options: StsFetchOptions & { timeoutMs: number },
  signal: AbortSignal,
): Promise<string | undefined> {
  const socket = await connectTo(host, options)
  if (socket === undefined) return undefined
  if (signal.aborted) socket.destroy()
  signal.addEventListener('abort', () => socket.destroy())
  return get(host, socket)
}

async function connectTo(
  host: string,
  { dns, egress, authorities, port = 443, timeoutMs }: StsFetchOptions & { timeoutMs: number },
): Promise<TLSSocket | undefined> {
  const dialled = await dialName({ host, port }, { dns, egress, timeoutMs })
  if (dialled.kind !== 'connected') return undefined
  const verified = { servername: host, ALPNProtocols: ['http/1.1'], ...(authorities ? { ca: [...authorities] } : {}) }
  const secured = await secure(dialled.socket, verified, timeoutMs)
  return secured.kind === 'secured' ? secured.socket : undefined
}

function get(host: string, socket: TLSSocket): Promise<string | undefined> {
  return new Promise((resolve) => {
    const asked = request({
      createConnection: () => socket,
      path: '/.well-known/mta-sts.txt',
      headers: { host, accept: 'text/plain', connection: 'close' },
    })
    asked.once('response', (response) => void readPolicy(response).then(resolve))
    asked.once('error', () => resolve(undefined))
    asked.once('close', () => resolve(undefined))
    asked.end()
  })
}

async function readPolicy(response: IncomingMessage): Promise<string | undefined> {
  // A redirect is not followed and everything but 200 is a failure (§3.3).
  const isText = /^text\/plain\s*(;|$)/i.test(response.headers['content-type'] ?? '')
  if (response.statusCode !== 200 || !isText) return undefined
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      size += Buffer.byteLength(chunk)
      if (size > MAX_POLICY_SIZE) return undefined
      chunks.push(Buffer.from(chunk))
    }
  } catch {
    return undefined
  }
  return Buffer.concat(chunks).toString('utf8')
}
