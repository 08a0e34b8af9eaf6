import { domainOf } from '../../mail/address.ts'
import type { Outgoing, Sent, Transport } from './transports/transport.ts'

export interface RoutingOptions {
  simulatorDomain: string
  simulator: Transport
  /** A smarthost, or the recipients' own servers. */
  outside: Transport
  /** Called whenever a domain's mail turns out to go to another site than was known. */
  learn(domain: string, site: string): void
}

/** Chooses the transport of a mail, and remembers to which site the mail of each domain went. */
export class Routing {
  readonly #options: RoutingOptions
  readonly #sites = new Map<string, string>()

  constructor(options: RoutingOptions) {
    this.#options = options
  }

  choose(to: string): Pick<Transport, 'send'> {
    const domain = domainOf(to)
    const { simulatorDomain, simulator, outside } = this.#options
    if (domain === simulatorDomain) return simulator
    return { send: (mail) => this.#sendAndLearn(outside, domain, mail) }
  }

  connectionsAt(site: string): number {
    return this.#options.outside.connectionsAt?.(site) ?? 0
  }

  async stop(): Promise<void> {
    await Promise.all([this.#options.simulator.stop(), this.#options.outside.stop()])
  }

  async #sendAndLearn(transport: Transport, domain: string, mail: Outgoing): Promise<Sent> {
    const sent = await transport.send(mail)
    if (sent.site !== undefined && this.#sites.get(domain) !== sent.site) {
      if (this.#sites.size >= MAX_REMEMBERED) this.#sites.clear()
      this.#sites.set(domain, sent.site)
      this.#options.learn(domain, sent.site)
    }
    return sent
  }
}

const MAX_REMEMBERED = 50_000
