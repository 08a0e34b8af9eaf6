import { isIP } from 'node:net'
import { refused, understood, type Parsed } from '../../mail/parsed.ts'
import { addressesOf } from '../../net/dial.ts'
import type { Dns } from '../../net/dns.ts'
import { mayConnect, type Egress } from '../../net/egress.ts'

export interface UrlRules {
  allowHttp: boolean
  dns: Dns
  egress: Egress
}

/**
 * Whether an endpoint may be there, so that a mistake shows at once. It is no defence: names change where they lead,
 * and the connection of every attempt is checked anew.
 */
export async function checkUrl(text: string, { allowHttp, dns, egress }: UrlRules): Promise<Parsed<string>> {
  // The parser would leave them out without a word.
  if (/[\s\p{Cc}]/u.test(text)) return refused('must not contain white space')
  const url = URL.parse(text)
  if (url === null) return refused('is not a URL, like https://example.com/hook')
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    const hint = url.protocol === 'http:' ? '; plain http is for development (WEBHOOK_ALLOW_HTTP)' : ''
    return refused(`must start with https://${hint}`)
  }
  if (url.username !== '' || url.password !== '')
    return refused('must not contain credentials: check the signature of each request instead')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = await addressesOf(host, dns)
  if (addresses.every((address) => mayConnect(address, egress))) return understood(text)
  // Which address it is might tell a stranger about our network.
  const where = isIP(host) === 0 ? 'leads to an address that is' : 'is'
  return refused(`${where} not on the public internet (an operator can allow networks in EGRESS_ALLOW)`)
}
