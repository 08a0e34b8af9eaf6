import type { Envelope } from './envelope.ts'

/**
 * The trace field (RFC 5321 §4.4) that whoever passes the message on puts in front of it; what is kept stays as it
 * came. The client's name is what it said, its address is what we saw.
 */
export function receivedField({ session, smtpUtf8, receivedAt }: Envelope, hostname: string, id: string): string {
  const { client, helo, tls } = session
  const address = client.address.includes(':') ? `IPv6:${client.address}` : client.address
  const encryption = tls === undefined ? '' : `\r\n\t(${tls.version} ${tls.cipher})`
  return (
    `Received: from ${helo.replaceAll(/[^\w.:[\]-]/g, '?')} ([${address}])\r\n` +
    `\tby ${hostname} with ${protocolOf(session, smtpUtf8)} id ${id}${encryption};\r\n` +
    `\t${receivedAt.toUTCString().replace('GMT', '+0000')}\r\n`
  )
}

/** RFC 3848, RFC 6531 §4.3. */
function protocolOf({ isExtended, tls }: Envelope['session'], smtpUtf8: boolean): string {
  if (!isExtended) return 'SMTP'
  return `${smtpUtf8 ? 'UTF8SMTP' : 'ESMTP'}${tls === undefined ? '' : 'S'}`
}
