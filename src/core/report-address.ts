/**
 * Where reports about a domain come to: `dmarc+<token>` for a sending domain, `tls+<token>` for a receiving one, at our own
 * host. The token says which domain it is. It is in the DNS for everybody to read, so it proves nothing.
 */
export interface ReportAddress {
  kind: 'dmarc' | 'tls'
  token: string
}

export const reportAddress = ({ kind, token }: ReportAddress, hostname: string): string =>
  `${kind}+${token}@${hostname}`

/** In lower case: some servers have changed it on the way. */
export function readReportAddress(local: string): ReportAddress | undefined {
  const [, kind, token] = /^(dmarc|tls)\+([0-9a-f]{32})$/.exec(local.toLowerCase()) ?? []
  return (kind === 'dmarc' || kind === 'tls') && token !== undefined ? { kind, token } : undefined
}
