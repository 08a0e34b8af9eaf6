/** Sends mail through a smarthost. The operator chose it, so neither the MX nor the egress filter is asked. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Clock } from '../../../core/clock.ts'
import type { Dns } from '../../../net/dns.ts'
import type { Egress } from '../../../net/egress.ts'
import { replyLine } from '../../../mail/replies/reply.ts'
import { usualTimeouts, type Result, type Timeouts } from '../../../smtp/client/attempt.ts'
import type { Credentials } from '../../../smtp/client/auth.ts'
import { Encryption } from '../../../smtp/client/encryption.ts'
import { openSession, type Route } from '../../../smtp/client/open.ts'
import type { Peers } from '../../../smtp/client/peers.ts'
import { SmtpPool } from '../../../smtp/client/pool.ts'
import { connectionsFor, siteLimits } from '../sites.ts'
import { elsewherePaused, heldBack, type Carried, type Sent, type Transport } from './transport.ts'

export interface RelayTransportOptions {
  /** `smtps://user:secret@host:465` or `smtp://user:secret@host:587`. */
  url: string
  name: string
  dns: Dns
  peers: Peers
  clock: Clock
  processes?: () => number
  source?: string
  authorities?: readonly string[]
  timeouts?: Timeouts
  idleMs?: number
}

/** The name of the site, for limits and statistics. */
export const RELAY_SITE = 'relay'

export class RelayTransport implements Transport {
  readonly #route: Route
  readonly #pool: SmtpPool

  constructor(options: RelayTransportOptions) {
    const {
      url,
      timeouts = usualTimeouts,
      processes = () => 1,
      source,
      idleMs,
      name,
      dns,
      peers,
      authorities,
    } = options
    this.#route = { ...relayRoute(url), source }
    const context = {
      name,
      dns,
      peers,
      timeouts,
      clock: options.clock,
      encryption: new Encryption(authorities),
      egress: anywhere,
    }
    this.#pool = new SmtpPool({
      open: (route, avoid) => openSession(route, avoid, context),
      limits: (site) => siteLimits(site, processes()),
      growth: connectionsFor,
      peers,
      timeouts,
      clock: options.clock,
      ...(idleMs === undefined ? {} : { idleMs }),
    })
  }

  async send(mail: Carried): Promise<Sent> {
    const waitMs = (await mail.admit?.(RELAY_SITE)) ?? 0
    if (waitMs === 'paused') return elsewherePaused(RELAY_SITE)
    if (waitMs > 0) return heldBack(RELAY_SITE, waitMs)
    const attempt = await this.#pool.send(this.#route, mail)
    return { ...attempt, result: unlessAboutUs(attempt.result), isRelayed: true }
  }

  connectionsAt(site: string): number {
    return this.#pool.connectionsAt(site)
  }

  stop(): Promise<void> {
    return this.#pool.stop()
  }
}

/**
 * What a smarthost says before it has heard of a mail, or because it does not know us (RFC 4954 §6, RFC 3207 §4), is
 * about the operator's account. All mail goes this way: none of it must be lost for what the operator can mend.
 */
function unlessAboutUs(result: Result): Result {
  if (result.kind !== 'refused') return result
  const { stage, reply } = result
  const isAboutUs = stage === 'greeting' || stage === 'ehlo' || reply.code === UNKNOWN_TO_THEM
  return isAboutUs ? { kind: 'lost', stage, reason: replyLine(reply), timedOut: false } : result
}

const UNKNOWN_TO_THEM = 530

const anywhere: Egress = { allow: [ipaddr.parseCIDR('0.0.0.0/0'), ipaddr.parseCIDR('::/0')], own: [] }

/** Mail leaves the machine encrypted, to a host that proved its name; a smarthost on the machine itself need not. */
export function relayRoute(url: string): Route {
  const { protocol, hostname, port, username, password } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const implicitTls = protocol === 'smtps:'
  const isHere = host === 'localhost' || (isIP(host) !== 0 && ipaddr.parse(host).range() === 'loopback')
  const credentials: Credentials | undefined =
    username === '' ? undefined : { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  return {
    key: RELAY_SITE,
    site: RELAY_SITE,
    hosts: [host],
    port: port === '' ? (implicitTls ? 465 : 587) : Number(port),
    security: isHere && !implicitTls ? 'opportunistic' : 'verified',
    implicitTls,
    credentials,
  }
}
