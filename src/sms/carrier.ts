/**
 * The interface of a carrier: parts are submitted and answered, receipts and inbound messages come as events. No error
 * or log line here has the text or the number of a message.
 */
import type { Alphabet } from './segments.ts'

export interface CarrierAdapter {
  readonly kind: 'smpp' | 'http'
  readonly caps: CarrierCaps
  /** Connects and keeps connecting. Comes back at once where that takes time: `health` says how it goes. */
  start(sink: CarrierSink): Promise<void>
  submit(part: PartSubmit, signal: AbortSignal): Promise<SubmitOutcome>
  /** Asks for a part that is stuck or unknown; undefined when the carrier knows nothing either. */
  lookup?(question: LookupQuestion): Promise<Receipt | undefined>
  health(): CarrierHealth
  /** Takes nothing more, waits for what is under way, says goodbye. */
  stop(drainMs: number): Promise<void>
}

export interface CarrierCaps {
  /** Takes whole messages: one submit with all of the text, and every part has its provider id. */
  splitsItself: boolean
  /** Answers STOP by itself; a second answer from us would be one too many. */
  repliesToStop: boolean
  /** The reference in the header of a part has this many bits; they decide how much text fits. */
  concatRef: 8 | 16
  maxPartsPerSecond: number
  /** Submits that may be unanswered at a time. */
  window: number
}

export interface Address {
  kind: 'international' | 'short_code' | 'alphanumeric'
  /** E.164 with its plus, digits, or a name. */
  value: string
}

export interface PartSubmit {
  messageId: string
  partId: string
  /** The first attempt is 1. */
  attempt: number
  from: Address
  /** The number is in E.164. */
  to: string
  encoding: Alphabet
  text: string
  /** A message of one part has none. All parts of a message have the same reference. */
  concat?: Concat | undefined
  validUntil: Date
}

export interface Concat {
  ref: number
  total: number
  /** The first part is 1. */
  seq: number
}

export type SubmitOutcome =
  | { ok: true; providerIds: readonly string[]; providerSegments?: number | undefined }
  /** The carrier wants less. It is the connection that should pause, not the message. */
  | { ok: false; kind: 'throttled'; retryAfterMs: number }
  /** The carrier did not accept the part: only a `transient` one may be tried again. */
  | {
      ok: false
      kind: 'transient' | 'permanent' | 'opted_out'
      errorCode: SmsErrorCode
      providerCode?: string | undefined
    }
  /** It may have been accepted. Submitting it again could deliver and bill it twice. */
  | { ok: false; kind: 'ambiguous' }

export interface Receipt {
  /** The id is written as in `providerIds`, even where the carrier has two spellings of it. */
  providerId: string
  state: ReceiptState
  errorCode?: SmsErrorCode | undefined
  /** The code is the carrier's own. It is never its text, which may begin with the text of the message. */
  providerCode?: string | undefined
  /** The two numbers, where the carrier names them: only they can find a message whose answer never came. */
  parties?: { handset: string; ours: string } | undefined
}

/** `unknown` means that the carrier itself does not know. `enroute`, `accepted` and `unknown` change nothing. */
export type ReceiptState = 'enroute' | 'accepted' | 'unknown' | 'delivered' | 'undelivered'

export interface InboundPart {
  /** The handset, E.164 where the carrier says that it is an international number. */
  from: string
  /** This is our number. */
  to: string
  /** This part alone, read as well as that is possible. */
  text: string
  /**
   * The payload has the octets of the text: parts are joined before they are decoded, because a character may span two.
   */
  payload: Uint8Array
  alphabet: InboundAlphabet
  concat?: Concat | undefined
  /** The carrier's name for it, where it has one. */
  providerId?: string | undefined
  /** The carrier took it for STOP, START or HELP and has answered already. */
  answeredByCarrier?: boolean | undefined
}

export type InboundAlphabet = Alphabet | 'latin1' | 'utf8' | 'binary'

/** Each resolves only when what it was told is committed: the carrier forgets it then. */
export interface CarrierSink {
  receipt(receipt: Receipt): Promise<void>
  inbound(part: InboundPart): Promise<void>
  /** The answer to a submit that was given up as ambiguous. */
  answeredLate?(part: PartSubmit, outcome: SubmitOutcome): Promise<void>
}

export interface LookupQuestion {
  providerId?: string | undefined
  to: string
  from: Address
  /** Nothing before this moment is meant. */
  after: Date
  /** Without a provider id the text identifies the message, among those that are not known already. */
  text?: string | undefined
  known?: ReadonlySet<string> | undefined
}

export interface CarrierHealth {
  state: 'up' | 'connecting' | 'down' | 'misconfigured'
  since: Date
  /** The operator sees this error: it has no numbers and no texts. */
  lastError?: string | undefined
}

export const smsErrorCodes = [
  'unknown_subscriber',
  'unreachable',
  'carrier_filtered',
  'carrier_rejected',
  'invalid_number',
  'landline',
  'unregistered_sender',
  'throttled',
  'expired',
  'opted_out_at_carrier',
  'recipient_suppressed',
  'consent_missing',
  'internal',
  'unknown',
] as const

export type SmsErrorCode = (typeof smsErrorCodes)[number]
