/**
 * Whose an address is that a report names: ours, one of the well-known senders', or a stranger's. The DNS says so; where it
 * does not answer, the address is unknown. The name
 * of an address is written by its owner, who can write anything; it counts where the name leads back to the address.
 */
import type { Clock } from '../../core/clock.ts'
import { networkOf, spfNetworks } from '../../mail/spf-networks.ts'
import type { Dns } from '../../net/dns.ts'
import { isWithin, type Network } from '../../net/networks.ts'
import { knownSenders, senderOfHost } from './known-senders.ts'
import type { SourceKind } from './schema.ts'

export interface SourcesOptions {
  dns: Dns
  clock: Clock
  smtpHostname: string
  /** The addresses of this machine. */
  ownAddresses: readonly string[]
}

export interface Named {
  kind: SourceKind
  name: string | null
  /** The DNS gave no answer, so it is worth asking again soon. */
  isUncertain: boolean
}

const OWN_FOR_MS = 5 * 60_000
const SENDERS_FOR_MS = 6 * 60 * 60_000

export class Sources {
  readonly #options: SourcesOptions
  /** As the operator's record last said, and as the names and the machine say. */
  #own: { published: Network[]; named: Network[]; until: number } = { published: [], named: [], until: 0 }
  #refreshing: Promise<void> | undefined
  #senders: { networks: [string, Network[]][]; until: number } = { networks: [], until: 0 }

  constructor(options: SourcesOptions) {
    this.#options = options
  }

  /** Looks up where we send from; `isOurs` answers by the last look. */
  async refresh(): Promise<void> {
    if (this.#options.clock.now() < this.#own.until) return
    this.#refreshing ??= this.#look().finally(() => (this.#refreshing = undefined))
    await this.#refreshing
  }

  async #look(): Promise<void> {
    const { dns, clock, smtpHostname, ownAddresses } = this.#options
    // The operator's record of the addresses that this installation sends from.
    const [published, a, aaaa] = await Promise.all([
      spfNetworks(`_spf.${smtpHostname}`, dns),
      dns.a(smtpHostname),
      dns.aaaa(smtpHostname),
    ])
    const hosts = [a, aaaa].flatMap((answer) => (answer.kind === 'found' ? answer.records : []))
    const named = [...hosts, ...ownAddresses].map(networkOf).filter((network) => network !== undefined)
    this.#own = { published: published ?? this.#own.published, named, until: clock.now() + OWN_FOR_MS }
  }

  isOurs(address: string): boolean {
    return isWithin(address, this.#own.published) || isWithin(address, this.#own.named)
  }

  async name(address: string): Promise<Named> {
    await this.refresh()
    const { host, isUncertain } = await this.#hostOf(address)
    if (this.isOurs(address)) return { kind: 'ours', name: host ?? this.#options.smtpHostname, isUncertain }
    const sender = (host && senderOfHost(host)) ?? (await this.#senderBySpf(address))
    if (sender !== undefined) return { kind: 'known', name: sender, isUncertain: false }
    return { kind: isUncertain ? 'unknown' : 'stranger', name: host ?? null, isUncertain }
  }

  /** The name of an address, where the name has that address. */
  async #hostOf(address: string): Promise<{ host: string | undefined; isUncertain: boolean }> {
    const { dns } = this.#options
    const names = await dns.ptr(address)
    if (names.kind !== 'found') return { host: undefined, isUncertain: names.kind === 'temporary' }
    let isUncertain = false
    for (const host of names.records.slice(0, MAX_NAMES)) {
      const answer = await (address.includes(':') ? dns.aaaa(host) : dns.a(host))
      isUncertain ||= answer.kind === 'temporary'
      const leadsBack = answer.kind === 'found' && answer.records.some((one) => isSame(one, address))
      if (leadsBack && host.length <= MAX_HOST_LENGTH) return { host, isUncertain: false }
    }
    return { host: undefined, isUncertain }
  }

  async #senderBySpf(address: string): Promise<string | undefined> {
    const { dns, clock } = this.#options
    if (clock.now() >= this.#senders.until) {
      const networks: [string, Network[]][] = []
      for (const { name, spf } of knownSenders) {
        if (spf !== undefined) networks.push([name, (await spfNetworks(spf, dns)) ?? []])
      }
      this.#senders = { networks, until: clock.now() + SENDERS_FOR_MS }
    }
    return this.#senders.networks.find(([, networks]) => isWithin(address, networks))?.[0]
  }
}

const MAX_NAMES = 3
const MAX_HOST_LENGTH = 253

function isSame(one: string, other: string): boolean {
  const network = networkOf(one)
  return network !== undefined && isWithin(other, [network])
}
