import type { AuthResults, Sender } from '../../mail/parse/authentication.ts'
import type { ParsedMessage } from '../../mail/parse/parsed-message.ts'

/** What a parser thread is started with. */
export interface ParserData {
  hostname: string
  dnsServers: readonly string[]
  /** Our own mail goes by a relay. */
  isRelayed: boolean
}

/** The bytes are a copy: a thread that is ended takes nothing of ours with it. */
export type Question =
  | { type: 'read'; bytes: Uint8Array; envelopeFrom: string; isDomainReport: boolean }
  | { type: 'authResults'; bytes: Uint8Array; sender: Sender }

export interface AnswerTo {
  read: ParsedMessage
  /** Another message blocked the thread for so long that answers of the DNS may have come too late. */
  authResults: { authResults: AuthResults; wasHeldUp: boolean }
}
