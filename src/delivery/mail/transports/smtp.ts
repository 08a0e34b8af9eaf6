/** Sends mail directly to the recipient's own mail hosts. */
import type { Clock } from '../../../core/clock.ts'
import { domainOf } from '../../../mail/address.ts'
import type { Dns } from '../../../net/dns.ts'
import type { Egress } from '../../../net/egress.ts'
import { findMailHosts, type MailHosts } from '../../../mail/routes/mx.ts'
import type { Result, Timeouts } from '../../../smtp/client/attempt.ts'
import { usualTimeouts } from '../../../smtp/client/attempt.ts'
import { Encryption } from '../../../smtp/client/encryption.ts'
import { openSession, type Route } from '../../../smtp/client/open.ts'
import type { Peers } from '../../../smtp/client/peers.ts'
import { SmtpPool } from '../../../smtp/client/pool.ts'
import { stsAllows, type StsPolicy } from '../../../mail/routes/sts-policy.ts'
import { connectionsFor, siteLimits } from '../sites.ts'
import { elsewherePaused, heldBack, type Carried, type Sent, type Transport } from './transport.ts'

export interface SmtpTransportOptions {
  /** The name we give in EHLO. */
  name: string
  /** The port of the mail hosts: 25, except in tests. */
  port: number
  dns: Dns
  /** What MTA-STS demands for a domain; undefined when it demands nothing. */
  sts: { enforcedFor(domain: string): Promise<StsPolicy | undefined> }
  egress: Egress
  peers: Peers
  clock: Clock
  random: () => number
  /** How many processes share the limits of the sites. */
  processes?: () => number
  source?: string
  authorities?: readonly string[]
  timeouts?: Timeouts
  idleMs?: number
}

export type Routed = { kind: 'route'; route: Route } | { kind: 'nowhere'; result: Result }

export class SmtpTransport implements Transport {
  readonly #options: SmtpTransportOptions
  readonly #pool: SmtpPool

  constructor(options: SmtpTransportOptions) {
    const { timeouts = usualTimeouts, processes = () => 1, idleMs, peers, clock, authorities } = options
    this.#options = options
    const { name, dns, egress } = options
    const context = { name, dns, egress, peers, timeouts, encryption: new Encryption(authorities), clock }
    this.#pool = new SmtpPool({
      open: (route, avoid) => openSession(route, avoid, context),
      limits: (site) => siteLimits(site, processes()),
      growth: connectionsFor,
      peers,
      timeouts,
      clock,
      ...(idleMs === undefined ? {} : { idleMs }),
    })
  }

  async send(mail: Carried): Promise<Sent> {
    const startedAt = this.#options.clock.now()
    const routed = await this.routeTo(domainOf(mail.to))
    const took = (): number => this.#options.clock.now() - startedAt
    if (routed.kind === 'nowhere') return { result: routed.result, peer: undefined, milliseconds: took() }
    const waitMs = (await mail.admit?.(routed.route.site)) ?? 0
    if (waitMs === 'paused') return elsewherePaused(routed.route.site)
    if (waitMs > 0) return { ...heldBack(routed.route.site, waitMs), site: routed.route.site }
    const attempt = await this.#pool.send(routed.route, mail)
    return { ...attempt, milliseconds: took(), site: routed.route.site }
  }

  stop(): Promise<void> {
    return this.#pool.stop()
  }

  connectionsAt(site: string): number {
    return this.#pool.connectionsAt(site)
  }

  get connections(): number {
    return this.#pool.size
  }

  /** Finds out where the mail of a domain goes. The site is what dispatch calls the destination. */
  async routeTo(domain: string): Promise<Routed> {
    const { dns, random, sts, port, source } = this.#options
    const [found, policy] = await Promise.all([findMailHosts(domain, dns, random), sts.enforcedFor(domain)])
    switch (found.kind) {
      case 'hosts':
        return policy ? this.#underPolicy(domain, found, policy) : routed({ ...found, port, source })
      case 'permanent':
        return { kind: 'nowhere', result: { kind: 'refused', stage: 'dns', reply: found.reply } }
      case 'temporary':
        return { kind: 'nowhere', result: { kind: 'refused', stage: 'dns', reply: found.reply } }
    }
  }

  /** RFC 8461 §5: hosts that the policy does not name do not exist, and the others must show a good certificate. */
  #underPolicy(domain: string, { hosts, key, site }: MailHosts, policy: StsPolicy): Routed {
    const { port, source } = this.#options
    const allowed = hosts.filter((host) => stsAllows(policy, host))
    if (allowed.length === 0) {
      const reason = `the MTA-STS policy of ${domain} allows none of its mail hosts`
      return { kind: 'nowhere', result: { kind: 'lost', stage: 'tls', reason, timedOut: false } }
    }
    // Others may have the same hosts and another policy: they share connections only if the same hosts remain.
    const ownKey = allowed.length === hosts.length ? key : `${key} only ${allowed.toSorted().join(',')}`
    return routed({ hosts: allowed, key: ownKey, site, port, source, security: 'verified' })
  }
}

const routed = ({
  security = 'opportunistic',
  ...route
}: Omit<Route, 'security'> & { security?: Route['security'] }): Routed => ({
  kind: 'route',
  route: { ...route, security },
})
