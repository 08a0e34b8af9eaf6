/**
 * Opens connections to addresses, never to names: what was checked is what is connected to, and no second look-up can
 * lead somewhere else in between.
 */
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls'
import type { Dns } from './dns.ts'
import { mayConnect, type Egress } from './egress.ts'

export interface Target {
  address: string
  port: number
  /** The address we come from, where a machine has several. */
  source?: string | undefined
}

export type Dialled =
  | { kind: 'connected'; socket: Socket }
  /** The egress filter does not let us go there. Not one packet was sent. */
  | { kind: 'forbidden' }
  | { kind: 'failed'; reason: string; timedOut: boolean }

export function dial({ address, port, source }: Target, egress: Egress, timeoutMs: number): Promise<Dialled> {
  if (!mayConnect(address, egress)) return Promise.resolve({ kind: 'forbidden' })
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, noDelay: true, ...(source ? { localAddress: source } : {}) })
    const end = (dialled: Dialled): void => {
      clearTimeout(timer)
      socket.removeAllListeners('error').removeAllListeners('connect')
      if (dialled.kind !== 'connected') socket.on('error', () => {}).destroy()
      resolve(dialled)
    }
    const timer = setTimeout(
      () => end({ kind: 'failed', reason: 'nobody answered in time', timedOut: true }),
      timeoutMs,
    )
    socket.once('error', (error) => end({ kind: 'failed', reason: reasonOf(error), timedOut: isTimeout(error) }))
    // The kernel has the last word on where a socket leads.
    socket.once('connect', () =>
      end(mayConnect(socket.remoteAddress ?? '', egress) ? { kind: 'connected', socket } : { kind: 'forbidden' }),
    )
  })
}

export interface NamedTarget {
  host: string
  port: number
}

/**
 * Connects to a name, e.g. from a URL: it looks the name up and tries its addresses in turn until one answers. Each has
 * an equal share of the time that is left, so that a silent one is not the only one tried.
 */
export async function dialName(
  { host, port }: NamedTarget,
  { dns, egress, timeoutMs }: { dns: Dns; egress: Egress; timeoutMs: number },
): Promise<Dialled> {
  const deadline = performance.now() + timeoutMs
  const addresses = await addressesOf(host, dns)
  let last: Dialled = { kind: 'failed', reason: `${host} has no address`, timedOut: false }
  for (const [i, address] of addresses.entries()) {
    const share = (deadline - performance.now()) / (addresses.length - i)
    last = await dial({ address, port }, egress, Math.max(1, share))
    if (last.kind === 'connected') return last
  }
  return last
}

/** Returns all addresses of a host, whether or not the egress filter allows them. Empty when none is known. */
export async function addressesOf(host: string, dns: Dns): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  // RFC 6761 §6.3: the DNS is not asked for localhost.
  if (/(^|\.)localhost\.?$/i.test(host)) return ['127.0.0.1', '::1']
  const answers = await Promise.all([dns.a(host), dns.aaaa(host)])
  return answers.flatMap((answer) => (answer.kind === 'found' ? answer.records : []))
}

export type Secured = { kind: 'secured'; socket: TLSSocket } | { kind: 'failed'; reason: string }

/** TLS on an open connection. A failure leaves nothing that could be used: the connection is closed. */
export function secure(plain: Socket, options: ConnectionOptions, timeoutMs: number): Promise<Secured> {
  return new Promise((resolve) => {
    const socket = connectTls({ ...options, socket: plain })
    const end = (secured: Secured): void => {
      clearTimeout(timer)
      socket.removeAllListeners('error').removeAllListeners('secureConnect').removeAllListeners('close')
      if (secured.kind === 'failed') {
        socket.on('error', () => {}).destroy()
        plain.on('error', () => {}).destroy()
      }
      resolve(secured)
    }
    const timer = setTimeout(() => end({ kind: 'failed', reason: 'no TLS handshake in time' }), timeoutMs)
    socket.once('error', (error) => end({ kind: 'failed', reason: reasonOf(error) }))
    socket.once('close', () => end({ kind: 'failed', reason: 'closed during the TLS handshake' }))
    socket.once('secureConnect', () => end({ kind: 'secured', socket }))
  })
}

/** One line that means something to an operator: the system's code where there is one. */
export function reasonOf(error: Error): string {
  const code = 'code' in error && error.code !== undefined ? String(error.code) : ''
  // The message of the error names addresses of our own network, and the sender of the mail can read this text.
  if ('syscall' in error && error.syscall === 'connect') return words[code] ?? `the connection failed (${code})`
  return words[code] ?? (code === '' ? error.message : `${error.message.split('\n')[0] ?? ''} (${code})`)
}

const isTimeout = (error: Error): boolean => 'code' in error && error.code === 'ETIMEDOUT'

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed',
  ETIMEDOUT: 'nobody answered in time',
  EHOSTUNREACH: 'no route to that host',
  ENETUNREACH: 'no route to that network',
  EADDRNOTAVAIL: 'we do not have the address to send from',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate comes from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate comes from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate comes from an unknown authority',
  UND_ERR_SOCKET: 'the connection ended without an answer',
  // A status of 1xx where none may be: undici checks itself, and gives up.
  ERR_ASSERTION: 'the answer makes no sense',
  UND_ERR_HEADERS_OVERFLOW: 'the header of the answer is too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is not as long as it says',
}
