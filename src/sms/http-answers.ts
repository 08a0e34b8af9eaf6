/** Parses the answers of a Twilio-compatible provider, and trusts none of them. */
import type { InboundPart, Receipt, ReceiptState, SmsErrorCode, SubmitOutcome } from './carrier.ts'

export interface HttpAnswer {
  status: number
  retryAfter: string | undefined
  text: string
}

const THROTTLED_MS = 1_000
const MAX_PAUSE_MS = 300_000
const TOO_MANY_REQUESTS = 20_429
const OPTED_OUT = 21_610

/** Turns the answer to a submit into an outcome. A server error does not say whether the provider kept the message. */
export function outcomeOf({ status, retryAfter, text }: HttpAnswer): SubmitOutcome {
  const body = jsonIn(text)
  const code = numberIn(body['code'])
  if (status === 429 || code === TOO_MANY_REQUESTS) {
    return { ok: false, kind: 'throttled', retryAfterMs: pauseFor(retryAfter) }
  }
  if (status >= 500) return { ok: false, kind: 'ambiguous' }
  if (status >= 200 && status < 300) return acceptance(body)
  const providerCode = code === undefined ? String(status) : String(code)
  if (code === OPTED_OUT) return { ok: false, kind: 'opted_out', errorCode: 'opted_out_at_carrier', providerCode }
  // The account, the address or a redirection is wrong: an operator has to look, and the message is not the cause.
  if (isMisconfigured(status)) return { ok: false, kind: 'transient', errorCode: 'internal', providerCode }
  return { ok: false, kind: 'permanent', errorCode: errorCodeOf(code) ?? 'carrier_rejected', providerCode }
}

export const isMisconfigured = (status: number): boolean =>
  (status >= 300 && status < 400) || [401, 403, 404, 405].includes(status)

function acceptance(body: Json): SubmitOutcome {
  const sid = idIn(body['sid'])
  // Yes, but to what? A message that cannot be asked about again is like one that was not answered.
  if (sid === undefined) return { ok: false, kind: 'ambiguous' }
  return { ok: true, providerIds: [sid], providerSegments: numberIn(body['num_segments']) }
}

function pauseFor(retryAfter: string | undefined): number {
  const seconds = retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : 0
  return Math.min(MAX_PAUSE_MS, Math.max(THROTTLED_MS, seconds * 1000))
}

/** The resource of a message, as a look-up gives it. */
export function receiptOfMessage(text: string): Receipt | undefined {
  return receiptIn(jsonIn(text))
}

/** Finds the one message in a list that has this text, was made since then, and is not known already. */
export function receiptInList(
  list: string,
  { after, text, known }: { after: Date; text: string; known: ReadonlySet<string> },
): Receipt | undefined {
  const { messages } = jsonIn(list)
  if (!Array.isArray(messages)) return undefined
  const meant = messages.map(objectIn).filter((message) => {
    const written = message['date_created']
    const madeAt = typeof written === 'string' ? Date.parse(written) : NaN
    const sid = idIn(message['sid'])
    // The provider tells seconds.
    return sid !== undefined && !known.has(sid) && message['body'] === text && madeAt >= after.getTime() - 1000
  })
  const [first] = meant
  // Two alike messages cannot be told apart.
  return meant.length === 1 && first !== undefined ? receiptIn(first) : undefined
}

function receiptIn(message: Json): Receipt | undefined {
  const providerId = idIn(message['sid'])
  return providerId === undefined ? undefined : receipt(providerId, message['status'], message['error_code'])
}

/** Parses a status callback. */
export function receiptOfCallback(parameters: URLSearchParams): Receipt | undefined {
  const providerId = idIn(parameters.get('MessageSid') ?? parameters.get('SmsSid'))
  const status = parameters.get('MessageStatus') ?? parameters.get('SmsStatus')
  if (providerId === undefined) return undefined
  const [handset, ours] = [textIn(parameters, 'To'), textIn(parameters, 'From')]
  const parties = handset && ours ? { handset, ours } : undefined
  return { ...receipt(providerId, status, parameters.get('ErrorCode')), parties }
}

function receipt(providerId: string, status: unknown, error: unknown): Receipt {
  const state = (typeof status === 'string' ? states.get(status) : undefined) ?? 'unknown'
  const code = numberIn(error)
  if (state !== 'undelivered') return { providerId, state }
  return {
    providerId,
    state,
    errorCode: errorCodeOf(code) ?? 'unknown',
    providerCode: code === undefined ? undefined : String(code),
  }
}

/** Parses a message from a handset. */
export function inboundOfCallback(parameters: URLSearchParams): InboundPart | undefined {
  const [from, to, body] = [textIn(parameters, 'From'), textIn(parameters, 'To'), textIn(parameters, 'Body')]
  if (!from || !to || body === undefined) return undefined
  const text = body.slice(0, MAX_BODY_LENGTH).toWellFormed()
  return {
    from,
    to,
    text,
    payload: Buffer.from(text),
    alphabet: 'utf8',
    providerId: idIn(parameters.get('MessageSid') ?? parameters.get('SmsSid')),
    answeredByCarrier: parameters.has('OptOutType'),
  }
}

const MAX_BODY_LENGTH = 10_000

/** Removes the characters that PostgreSQL does not store. */
const textIn = (parameters: URLSearchParams, name: string): string | undefined =>
  parameters.get(name)?.replaceAll('\0', '')

/** The states are a Map: an object also has keys like `constructor`. */
const states: ReadonlyMap<string, ReceiptState> = new Map(
  Object.entries<ReceiptState>({
    accepted: 'accepted',
    scheduled: 'accepted',
    queued: 'accepted',
    sending: 'enroute',
    sent: 'enroute',
    delivered: 'delivered',
    read: 'delivered',
    undelivered: 'undelivered',
    failed: 'undelivered',
    canceled: 'undelivered',
  }),
)

const errorCodeOf = (code: number | undefined): SmsErrorCode | undefined => errorCodes[code ?? 0]

const errorCodes: Readonly<Record<number, SmsErrorCode>> = {
  21_211: 'invalid_number',
  21_408: 'carrier_rejected',
  21_610: 'opted_out_at_carrier',
  21_614: 'landline',
  30_003: 'unreachable',
  30_005: 'unknown_subscriber',
  30_006: 'landline',
  30_007: 'carrier_filtered',
  30_008: 'unknown',
  30_034: 'unregistered_sender',
}

type Json = Readonly<Record<string, unknown>>

function jsonIn(text: string): Json {
  try {
    return objectIn(JSON.parse(text))
  } catch {
    return {}
  }
}

const objectIn = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

/** Numbers come as such and as digits. */
function numberIn(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value)
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

const idIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : undefined
