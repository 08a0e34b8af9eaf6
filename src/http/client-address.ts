import type { IncomingHttpHeaders } from 'node:http'
import ipaddr from 'ipaddr.js'
import { isWithin, type Network } from '../net/networks.ts'

/**
 * Who is at the other end. A proxy is believed only if the operator has named its network; each adds the address that
 * it was called from at the end, so what counts is the last one that is no proxy of ours. The rest anybody can write.
 */
export function clientAddress(remote: string, forwardedFor: string | undefined, proxies: readonly Network[]): string {
  if (forwardedFor === undefined || !isWithin(remote, proxies)) return remote
  const stations = forwardedFor.split(',').map((station) => withoutPort(station.trim()))
  const client = stations.findLast((station) => !isWithin(station, proxies))
  return client !== undefined && ipaddr.isValid(client) ? client : remote
}

/** Some proxies write `203.0.113.9:4711` and `[2001:db8::1]:4711`. */
const withoutPort = (station: string): string =>
  station.replace(/^\[(.+)\](?::\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')

/** A client with one IPv6 address can use all of its /64, so a /64 counts as one client. */
export function householdOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address)
  return ip instanceof ipaddr.IPv6 ? ip.parts.slice(0, 4).join(':') : ip.toString()
}

/** Proxies add these headers when they hand a request on. */
const marksOfProxies = ['forwarded', 'via', 'x-real-ip', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']

export const isForwarded = (headers: IncomingHttpHeaders): boolean =>
  marksOfProxies.some((name) => headers[name] !== undefined)
