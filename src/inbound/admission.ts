/** Who may come in: so many in all, and so many from one place. */
import ipaddr from 'ipaddr.js'
import type { Network } from '../net/egress.ts'

/** In its usual spelling; an IPv4-mapped IPv6 address, as sockets have it, is the IPv4 address. */
export const usualAddress = (address: string): string => parsed(address).toString()

export const isWithin = (networks: readonly Network[], address: string): boolean =>
  networks.some(([base, bits]) => base.kind() === parsed(address).kind() && parsed(address).match(base, bits))

export class Admission {
  readonly #most: number
  readonly #counts = new Map<string, number>()

  constructor(mostPerClient: number) {
    this.#most = mostPerClient
  }

  /** Undefined when there are enough from there; else what to call when the client has gone. */
  admit(address: string): (() => void) | undefined {
    const place = placeOf(address)
    const count = this.#counts.get(place) ?? 0
    if (count >= this.#most) return undefined
    this.#counts.set(place, count + 1)
    return () => this.#leave(place)
  }

  #leave(place: string): void {
    const count = this.#counts.get(place) ?? 0
    if (count > 1) this.#counts.set(place, count - 1)
    else this.#counts.delete(place)
  }
}

/** An IPv6 client can take any address of its /64 for every connection. */
function placeOf(address: string): string {
  const ip = parsed(address)
  return ip instanceof ipaddr.IPv6 ? ip.parts.slice(0, 4).join(':') : ip.toString()
}

const parsed = (address: string): ipaddr.IPv4 | ipaddr.IPv6 => ipaddr.process(address.replace(/%.*$/, ''))
