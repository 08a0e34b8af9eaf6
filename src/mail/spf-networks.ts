import ipaddr from 'ipaddr.js'
import type { Answer, Dns } from '../net/dns.ts'
import type { Network } from '../net/networks.ts'

/** RFC 7208 §4.6.4. */
const MAX_LOOKUPS = 10
const MAX_NETWORKS = 1_000

/**
 * The networks that an SPF record lets send, as far as it names them: `ip4`, `ip6`, `a`, `mx`, and what it includes. Undefined
 * when the DNS gave no answer now; empty where there is no record.
 */
export async function spfNetworks(host: string, dns: Dns): Promise<Network[] | undefined> {
  const reader = new Reader(dns)
  await reader.read(host)
  return reader.isUnanswered ? undefined : reader.networks.slice(0, MAX_NETWORKS)
}

class Reader {
  readonly networks: Network[] = []
  isUnanswered = false
  readonly #dns: Dns
  #lookups = 0

  constructor(dns: Dns) {
    this.#dns = dns
  }

  async read(host: string): Promise<void> {
    if (this.#lookups++ > MAX_LOOKUPS) return
    const texts = await this.#records(this.#dns.txt(host))
    const record = texts.find((text) => /^v=spf1(?: |$)/i.test(text))
    for (const term of (record ?? '').split(/ +/).slice(1)) await this.#follow(term, host)
  }

  async #follow(term: string, host: string): Promise<void> {
    const [, name = '', value = '', bits] =
      /^\+?(ip4|ip6|a|mx|include|redirect)(?:[:=]([^\s/%]+))?(?:\/(\d{1,3}))?(?:\/\/\d{1,3})?$/i.exec(term) ?? []
    switch (name.toLowerCase()) {
      case 'ip4':
      case 'ip6':
        return this.#add(term.replace(/^\+?ip[46]:/i, ''))
      case 'include':
      case 'redirect':
        return this.read(value)
      case 'a':
        return this.#addresses(value || host, bits)
      case 'mx':
        if (this.#lookups++ > MAX_LOOKUPS) return undefined
        for (const { exchange } of await this.#records(this.#dns.mx(value || host)))
          await this.#addresses(exchange, bits)
    }
  }

  async #addresses(host: string, bits: string | undefined): Promise<void> {
    if (this.#lookups++ > MAX_LOOKUPS) return
    for (const address of await this.#records(this.#dns.a(host))) this.#add(bits ? `${address}/${bits}` : address)
    for (const address of await this.#records(this.#dns.aaaa(host))) this.#add(address)
  }

  #add(text: string): void {
    const network = networkOf(text)
    if (network !== undefined) this.networks.push(network)
  }

  async #records<T>(asked: Promise<Answer<T>>): Promise<readonly T[]> {
    const answer = await asked
    if (answer.kind === 'temporary') this.isUnanswered = true
    return answer.kind === 'found' ? answer.records : []
  }
}

/** Of a network or of one address. */
export function networkOf(text: string): Network | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (!ipaddr.isValid(text)) return undefined
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
