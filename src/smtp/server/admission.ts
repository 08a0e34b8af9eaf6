/** Limits how many connections one client, and the networks around it, may have. */
import ipaddr from 'ipaddr.js'

/** Returns the canonical spelling; an IPv4-mapped IPv6 address, as sockets report it, becomes the IPv4 address. */
export const usualAddress = (address: string): string => parsed(address).toString()

export interface AdmissionLimits {
  connectionsPerClient: number
  connectionsPerNetwork: number
  connectionsPerSite: number
}

export interface Admitted {
  /** Returns how many connections the same client has at the moment. */
  count(): number
  /** The listener calls this when the client has disconnected. */
  release(): void
}

export class Admission {
  readonly #limits: AdmissionLimits
  readonly #counts = new Map<string, number>()

  constructor(limits: AdmissionLimits) {
    this.#limits = limits
  }

  /** Undefined when there are enough from there. */
  admit(address: string): Admitted | undefined {
    const places = placesOf(address, this.#limits)
    if (places.some(({ name, most }) => this.#countAt(name) >= most)) return undefined
    for (const { name } of places) this.#counts.set(name, this.#countAt(name) + 1)
    const [client] = places
    return {
      count: () => this.#countAt(client.name),
      release: () => {
        for (const { name } of places) this.#decrement(name)
      },
    }
  }

  #countAt(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  #decrement(name: string): void {
    const count = this.#countAt(name)
    if (count > 1) this.#counts.set(name, count - 1)
    else this.#counts.delete(name)
  }
}

interface Place {
  name: string
  most: number
}

/**
 * Returns the client itself and the networks that it is in. An IPv6 client can use any address of its /64, and a rented
 * server often has a /56 or a /48 of such networks.
 */
function placesOf(address: string, limits: AdmissionLimits): [client: Place, ...networks: Place[]] {
  const ip = parsed(address)
  const network = (bits: number, most: number): Place => ({ name: networkOf(ip, bits), most })
  if (ip instanceof ipaddr.IPv4) {
    return [network(32, limits.connectionsPerClient), network(24, limits.connectionsPerNetwork)]
  }
  return [
    network(64, limits.connectionsPerClient),
    network(56, limits.connectionsPerNetwork),
    network(48, limits.connectionsPerSite),
  ]
}

function networkOf(ip: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const octets = ip.toByteArray().slice(0, bits / 8)
  return `${Buffer.from(octets).toString('hex')}/${bits}`
}

const parsed = (address: string): ipaddr.IPv4 | ipaddr.IPv6 => ipaddr.process(address.replace(/%.*$/, ''))
