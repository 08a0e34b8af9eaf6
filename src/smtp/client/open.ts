/** Finds a host of a route that accepts a session: it tries hosts in order, and the addresses of each, six in all. */
import { isIP } from 'node:net'
import type { Clock } from '../../core/clock.ts'
import { dial } from '../../net/dial.ts'
import type { Dns } from '../../net/dns.ts'
import type { Egress } from '../../net/egress.ts'
import { ownReply } from '../../mail/replies/reply.ts'
import type { Peer, Result, Timeouts } from './attempt.ts'
import type { Credentials } from './auth.ts'
import type { Capabilities } from './capabilities.ts'
import type { Encryption, Security } from './encryption.ts'
import { introduce } from './hello.ts'
import type { Peers } from './peers.ts'
import { Transcript } from './transcript.ts'
import { Wire } from './wire.ts'

export interface Route {
  /** Mail of the same key may share connections. */
  key: string
  /** Mail of the same site shares limits. */
  site: string
  hosts: readonly string[]
  port: number
  security: Security
  /** The connection uses TLS from the first byte on (RFC 8314 §3.3) instead of STARTTLS. */
  implicitTls?: boolean
  credentials?: Credentials | undefined
  source?: string | undefined
}

export interface OpenContext {
  /** The name we give in EHLO. */
  name: string
  dns: Dns
  egress: Egress
  peers: Peers
  timeouts: Timeouts
  encryption: Encryption
  clock: Clock
}

export interface Session {
  wire: Wire
  capabilities: Capabilities
  peer: Peer
  /** What was said until the server knew us. */
  opening: Transcript
}

export type Opened =
  | { kind: 'open'; session: Session }
  | { kind: 'failed'; result: Result; peer: Peer | undefined; opening?: Transcript }

type Failed = Extract<Opened, { kind: 'failed' }>

/** Each connection may take 30 seconds, so a dead site costs three minutes at most. */
const MAX_ADDRESSES = 6

export async function openSession(route: Route, avoid: ReadonlySet<string>, context: OpenContext): Promise<Opened> {
  const failures: Failed[] = []
  let tries = 0
  // All hosts are looked up at once: one after the other, ten names whose servers do not answer would take most of a
  // minute.
  const hosts = route.hosts.filter((host) => !avoid.has(host))
  const lookUps = hosts.map((host) => ({ host, lookUp: addressesOf(host, route, context.dns) }))
  for (const { host, lookUp } of lookUps) {
    const found = await lookUp
    if (found.addresses.length === 0) failures.push(lost('dns', `${host} ${found.reason}`))
    for (const address of found.addresses) {
      const opened = await openAt({ host, address }, route, context)
      if (opened.kind === 'open') return opened
      failures.push(opened)
      // The refusal holds for the host; its other addresses would refuse too.
      if (opened.result.kind === 'refused' || ++tries === MAX_ADDRESSES) break
    }
    if (tries === MAX_ADDRESSES) break
  }
  return failureToReport(failures)
}

/**
 * IPv4 addresses come first: large receivers demand more of senders over IPv6. Where there is no route to an address,
 * the next one is tried at once. A given source reaches only addresses of its own family.
 */
async function addressesOf(
  host: string,
  { source }: Route,
  dns: Dns,
): Promise<{ addresses: string[]; reason: string }> {
  if (isIP(host) !== 0) return { addresses: [host], reason: '' }
  if (host === 'localhost') return { addresses: ['127.0.0.1', '::1'], reason: '' }
  const family = source === undefined ? 0 : isIP(source)
  const answers = await Promise.all([...(family === 6 ? [] : [dns.a(host)]), ...(family === 4 ? [] : [dns.aaaa(host)])])
  const addresses = answers.flatMap((answer) => (answer.kind === 'found' ? answer.records : []))
  const unknown = answers.find((answer) => answer.kind === 'temporary')
  return { addresses, reason: unknown ? `cannot be looked up: ${unknown.reason}` : 'has no address' }
}

interface Endpoint {
  host: string
  address: string
}

async function openAt(endpoint: Endpoint, route: Route, context: OpenContext): Promise<Opened> {
  const { peers } = context
  const down = peers.down(endpoint.address)
  if (down) return returned(`${endpoint.host} is down: ${down.reason}`, down.forMs)
  const mayBePlain = route.security === 'opportunistic' && !route.implicitTls
  if (mayBePlain && peers.speaksPlainText(endpoint.host)) return openOnce(endpoint, route, context, 'never')
  const opened = await openOnce(endpoint, route, context, mayBePlain ? 'if offered' : 'demanded')
  if (!mayBePlain || opened.kind === 'open' || !isTlsFailure(opened.result)) return opened
  peers.rememberPlainText(endpoint.host)
  return openOnce(endpoint, route, context, 'never')
}

const isTlsFailure = (result: Result): boolean => result.kind === 'lost' && result.stage === 'tls'

async function openOnce(
  { host, address }: Endpoint,
  route: Route,
  context: OpenContext,
  tls: 'if offered' | 'demanded' | 'never',
): Promise<Opened> {
  const { peers, timeouts } = context
  const { port, source } = route
  const peer: Peer = { host, address, source, tls: undefined }
  const dialled = await dial({ address, port, source }, context.egress, timeouts.connect)
  if (dialled.kind === 'forbidden') return { kind: 'failed', result: forbidden(host), peer }
  if (dialled.kind === 'failed') {
    peers.rememberDown(address, dialled.reason, dialled.timedOut)
    return { ...lost('connect', dialled.reason, dialled.timedOut), peer }
  }
  const wire = new Wire(dialled.socket)
  peer.source = wire.localAddress
  const encrypt = (): Promise<string | undefined> => encryptTo(wire, peer, route, context)
  const failure = route.implicitTls ? await encrypt() : undefined
  if (failure !== undefined) return { ...lost('tls', failure), peer }
  const opening = new Transcript(() => context.clock.now())
  const introduced = await introduce(wire, {
    name: context.name,
    timeouts,
    tls: route.implicitTls ? 'never' : tls,
    encrypt,
    credentials: route.credentials,
    transcript: opening,
  })
  if (introduced.kind === 'introduced') {
    opening.shrink()
    return { kind: 'open', session: { wire, capabilities: introduced.capabilities, peer, opening } }
  }
  wire.quit()
  const { result } = introduced
  if (result.kind === 'lost' && result.stage === 'greeting') {
    peers.rememberDown(address, result.reason, result.timedOut)
  }
  return { kind: 'failed', result, peer, opening }
}

async function encryptTo(
  wire: Wire,
  peer: Peer,
  { security }: Route,
  { peers, timeouts, encryption }: OpenContext,
): Promise<string | undefined> {
  const key = `${security} ${peer.host}`
  const options = encryption.to(peer.host, security, peers.session(key))
  const secured = await wire.secure(options, timeouts.tls, (session) => peers.rememberSession(key, session))
  if (secured.kind === 'failed') {
    peers.forgetSession(key)
    return secured.reason
  }
  peer.tls = secured.protocol
  return undefined
}

/** A failure that may pass is reported before one that will not, and the failure of the best host before the others. */
function failureToReport(failures: readonly Failed[]): Failed {
  const isFinal = ({ result }: Failed): boolean =>
    result.kind === 'declined' || (result.kind === 'refused' && result.reply.code >= 500)
  const tried = failures.filter(({ result }) => result.kind !== 'returned')
  return (
    tried.find((failure) => !isFinal(failure)) ??
    failures.find(({ result }) => result.kind === 'returned') ??
    tried.find(({ result }) => result.kind === 'refused') ??
    failures[0] ??
    lost('connect', 'there is no other host to try')
  )
}

/** The reply leaves out the address: a sender must not learn what the resolver of this network says about a name. */
const forbidden = (host: string): Result => ({
  kind: 'declined',
  reply: ownReply(550, '5.4.4', `${host} is at an address to which no mail may be sent`),
})

const lost = (stage: 'dns' | 'connect' | 'tls', reason: string, timedOut = false): Failed => ({
  kind: 'failed',
  result: { kind: 'lost', stage, reason, timedOut },
  peer: undefined,
})

const returned = (reason: string, afterMs: number): Failed => ({
  kind: 'failed',
  result: { kind: 'returned', reason, afterMs },
  peer: undefined,
})
