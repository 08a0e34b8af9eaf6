import { isIP } from 'node:net'

/**
 * The portal exists under the host of PUBLIC_URL, on this machine, and under literal addresses. Any other name leads to us
 * because of a customer's link host, or because somebody points a name of theirs at us.
 */
export function isOwnHost(header: string | undefined, publicUrl: string): boolean {
  const url = header === undefined ? null : URL.parse(`http://${header}`)
  if (url === null) return false
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return name === new URL(publicUrl).hostname || name === 'localhost' || isIP(name) !== 0
}
