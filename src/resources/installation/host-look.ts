/**
 * How a node that sends mail appears to the servers of others: which addresses it has, whether their names lead back to
 * the name that it greets with (RFC 5321 §2.3.5, RFC 1912 §2.1), and whether it gets out at all. Many networks block
 * port 25 without a word.
 */
import type { Socket } from 'node:net'
import { findMailHosts } from '../../mail/routes/mx.ts'
import { addressesOf, dial } from '../../net/dial.ts'
import type { Answer, Dns } from '../../net/dns.ts'
import type { Egress } from '../../net/egress.ts'
import type { HostAddress, Outgoing } from './schema.ts'

const MAX_ADDRESSES = 16

export interface NameLook {
  /** The name that the node greets with. */
  hostname: string
  /** The public addresses of this machine; behind a translator it has none, and those of its name count. */
  ownAddresses: readonly string[]
  dns: Dns
}

/** Undefined where the DNS gave no answer: then what was known before still stands. */
export async function lookAtNames({ hostname, ownAddresses, dns }: NameLook): Promise<HostAddress[] | undefined> {
  const named = await addressesNamed(hostname, dns)
  if (named === undefined) return undefined
  const all = [...new Set([...named, ...ownAddresses])].slice(0, MAX_ADDRESSES)
  const looks = await Promise.all(all.map((address) => lookAtAddress(address, hostname, named, dns)))
  return looks.every((look) => look !== undefined) ? looks : undefined
}

/** A name without a dot, or of this machine only, is none that others could look up. */
async function addressesNamed(hostname: string, dns: Dns): Promise<string[] | undefined> {
  if (!hostname.includes('.') || hostname.endsWith('.localhost')) return []
  const answers = await Promise.all([dns.a(hostname, { fresh: true }), dns.aaaa(hostname, { fresh: true })])
  const found = answers.map(recordsOf)
  return found.every((records) => records !== undefined) ? found.flat() : undefined
}

async function lookAtAddress(
  address: string,
  hostname: string,
  named: readonly string[],
  dns: Dns,
): Promise<HostAddress | undefined> {
  const names = recordsOf(await dns.ptr(address, { fresh: true }))
  if (names === undefined) return undefined
  const ptr = names.includes(hostname) ? hostname : (names[0] ?? null)
  return { address, ptr, matches: ptr === hostname && named.includes(address) }
}

function recordsOf(answer: Answer<string>): readonly string[] | undefined {
  if (answer.kind === 'temporary') return undefined
  return answer.kind === 'found' ? answer.records : []
}

export interface Probe {
  /** A domain whose mail hosts are always there. */
  domain: string
  port: number
  dns: Dns
  egress: Egress
  random: () => number
  timeoutMs: number
}

/** Two hosts with two addresses each: one of a large provider is always up, so silence of all means that we are blocked. */
const MAX_HOSTS = 2
const MAX_ADDRESSES_OF_A_HOST = 2

/** Connects as a delivery would, waits for the greeting and says goodbye. Nothing about mail or people is said. */
export async function probeOutgoing({ domain, port, dns, egress, random, timeoutMs }: Probe): Promise<Outgoing> {
  const found = await findMailHosts(domain, dns, random)
  if (found.kind !== 'hosts') return 'unknown'
  let hasFailed = false
  for (const host of found.hosts.slice(0, MAX_HOSTS)) {
    for (const address of (await addressesOf(host, dns)).slice(0, MAX_ADDRESSES_OF_A_HOST)) {
      const dialled = await dial({ address, port }, egress, timeoutMs)
      if (dialled.kind === 'connected' && (await isGreeted(dialled.socket, timeoutMs))) return 'open'
      hasFailed ||= dialled.kind !== 'forbidden'
    }
  }
  return hasFailed ? 'blocked' : 'unknown'
}

/** Some networks answer every connection to port 25 themselves and then stay silent. */
function isGreeted(socket: Socket, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isThere: boolean): void => {
      socket.removeAllListeners('data')
      socket.end('QUIT\r\n')
      socket.destroySoon()
      resolve(isThere)
    }
    socket.setTimeout(timeoutMs, () => end(false))
    socket.on('error', () => end(false))
    socket.once('close', () => resolve(false))
    socket.once('data', (chunk) => end(/^[245]\d\d[ -]/.test(chunk.toString('latin1'))))
  })
}
