/** Connects to an SMSC and binds: it looks up the host, connects, starts TLS and sends the bind request. */
import { isIP, type Socket } from 'node:net'
import { dialName, secure } from '../../net/dial.ts'
import type { Dns } from '../../net/dns.ts'
import type { Egress } from '../../net/egress.ts'
import type { Codec, Pdu } from './codec.ts'
import { Link } from './link.ts'
import { INTERFACE_VERSION, Status } from './protocol.ts'

export interface BindOptions {
  host: string
  port: number
  /** TLS is undefined for plain text, e.g. inside of a tunnel. */
  tls?: { authorities?: readonly string[] | undefined } | undefined
  systemId: string
  password: string
  systemType?: string | undefined
  dns: Dns
  egress: Egress
  timeouts: SmppTimeouts
}

/** All times are in milliseconds. */
export interface SmppTimeouts {
  connect: number
  bind: number
  response: number
  enquireEvery: number
}

export interface Binding {
  /** Parts are submitted over this link. */
  transmitter: Link
  links: readonly Link[]
  closed: Promise<string>
}

export type Bound =
  | { kind: 'bound'; binding: Binding }
  /** `refused` means that the SMSC does not accept our credentials; `occupied` that it thinks we are already bound. */
  | { kind: 'failed'; why: 'unreachable' | 'refused' | 'occupied' | 'no_transceiver'; reason: string }

export interface BindRequest {
  asPair: boolean
  /** Gives up. */
  signal: AbortSignal
  onDelivered: (pdu: Pdu) => Promise<number>
}

type Role = 'bind_transceiver' | 'bind_transmitter' | 'bind_receiver'

/** One link for both directions, or a pair where the SMSC has no transceivers (they are new in SMPP 3.4). */
export async function bindTo(
  options: BindOptions,
  codec: Codec,
  { asPair, signal, onDelivered }: BindRequest,
): Promise<Bound> {
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<string>()
  const links: Link[] = []
  const roles: readonly Role[] = asPair ? ['bind_transmitter', 'bind_receiver'] : ['bind_transceiver']
  for (const role of roles) {
    const opened = await openLink(options, codec, { role, signal, onDelivered, onClosed })
    if (opened.kind === 'failed') {
      for (const link of links) link.close('the other half is missing')
      return opened
    }
    links.push(opened.link)
  }
  const [transmitter] = links
  if (transmitter === undefined) return { kind: 'failed', why: 'unreachable', reason: 'there is no connection' }
  // One without the other is of no use.
  void closed.then((reason) => links.forEach((link) => link.close(reason)))
  return { kind: 'bound', binding: { transmitter, links, closed } }
}

interface Opening extends Omit<BindRequest, 'asPair'> {
  role: Role
  onClosed: (reason: string) => void
}

type Opened = { kind: 'open'; link: Link } | Extract<Bound, { kind: 'failed' }>

async function openLink(
  options: BindOptions,
  codec: Codec,
  { role, signal, onDelivered, onClosed }: Opening,
): Promise<Opened> {
  const { systemId, password, systemType = '', timeouts } = options
  const connected = await unlessGivenUp(connectTo(options), signal)
  if (!connected.ok) return { kind: 'failed', why: 'unreachable', reason: connected.reason }
  const link = new Link(connected.socket, codec, { enquireEveryMs: timeouts.enquireEvery, onDelivered, onClosed })
  const introduction = {
    system_id: systemId,
    password,
    system_type: systemType,
    interface_version: INTERFACE_VERSION,
  }
  const giveUp = (): void => link.close('we are stopping')
  signal.addEventListener('abort', giveUp)
  if (signal.aborted) giveUp()
  const answer = await link.ask(role, introduction, { timeoutMs: timeouts.bind })
  signal.removeEventListener('abort', giveUp)
  if (answer.kind !== 'answered') {
    link.close('no answer to the bind')
    return { kind: 'failed', why: 'unreachable', reason: 'the SMSC did not answer to the bind' }
  }
  const { status, command } = answer.pdu
  if (status === Status.ok && command === `${role}_resp`) return { kind: 'open', link }
  link.close('the bind was refused')
  return {
    kind: 'failed',
    why: whyRefused(status, command, role),
    reason: `the SMSC refused to bind (0x${status.toString(16)})`,
  }
}

function whyRefused(status: number, command: string, role: Role): Extract<Bound, { kind: 'failed' }>['why'] {
  const isUnknown = command === 'generic_nack' || status === Status.invalidCommand
  if (isUnknown && role === 'bind_transceiver') return 'no_transceiver'
  if (status === Status.alreadyBound) return 'occupied'
  const isOurFault = [Status.bindFailed, Status.invalidPassword, Status.invalidSystemId].some((one) => one === status)
  return isOurFault ? 'refused' : 'unreachable'
}

type Connected = { ok: true; socket: Socket } | { ok: false; reason: string }

/** An SMSC that keeps us waiting must not keep a process from ending. A connection that still succeeds is destroyed. */
async function unlessGivenUp(connecting: Promise<Connected>, signal: AbortSignal): Promise<Connected> {
  const { promise: givenUp, resolve } = Promise.withResolvers<Connected>()
  const giveUp = (): void => resolve({ ok: false, reason: 'we are stopping' })
  signal.addEventListener('abort', giveUp)
  if (signal.aborted) giveUp()
  const first = await Promise.race([connecting, givenUp])
  signal.removeEventListener('abort', giveUp)
  if (!first.ok) void connecting.then((late) => late.ok && late.socket.destroy())
  return first
}

async function connectTo({ host, port, tls, dns, egress, timeouts }: BindOptions): Promise<Connected> {
  const dialled = await dialName({ host, port }, { dns, egress, timeoutMs: timeouts.connect })
  if (dialled.kind === 'forbidden') return { ok: false, reason: 'the egress filter does not let us go there' }
  if (dialled.kind === 'failed') return { ok: false, reason: dialled.reason }
  if (tls === undefined) return { ok: true, socket: dialled.socket }
  const verified = {
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(tls.authorities ? { ca: [...tls.authorities] } : {}),
  }
  const secured = await secure(dialled.socket, verified, timeouts.connect)
  return secured.kind === 'failed' ? { ok: false, reason: secured.reason } : { ok: true, socket: secured.socket }
}
