import { encodeId, type ReceivedId } from '../../core/ids.ts'
import { traceField } from '../../mail/trace.ts'

/** How a message came in, as it is stored with it. */
export interface StoredSession {
  /** Of the client; behind a load balancer, of the client behind it. */
  address: string
  helo: string
  protocol: string
  /** `TLSv1.3 TLS_AES_256_GCM_SHA384` */
  tls: string | null
  /** What we were called; absent in messages from before there was a trace field. */
  by?: string
  /** The recipient, if there was no other. */
  for?: string | null
}

/**
 * What stands in front of the bytes as they came, for whoever has the message under this id. It is made when somebody
 * reads the message: the bytes are shared by all recipients, and the id is not.
 */
export function traceOf(session: StoredSession, id: ReceivedId, at: Date): string {
  const { address, helo, protocol, by, for: recipient } = session
  if (by === undefined) return ''
  return traceField({ address, helo, protocol, by, id: encodeId('rcv', id), recipient: recipient ?? undefined, at })
}
