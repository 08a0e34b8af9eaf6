/** A part as a submit_sm, and what its answer means. */
import type { Address, Concat, PartSubmit, SmsErrorCode, SubmitOutcome } from '../carrier.ts'
import { toSeptets } from '../gsm.ts'
import { dataCoding, esmClass, npi, Status, ton } from './protocol.ts'

/** Options by which SMSCs differ. */
export interface SubmitForm {
  /** With `payload` the SMSC gets the whole text and splits it. */
  concatenation: 'udh' | 'sar' | 'payload'
  concatRef: 8 | 16
  /**
   * The SMSC reads data coding 0 as this alphabet. Latin-1 lacks some of GSM 03.38; what it lacks cannot be sent there.
   */
  defaultAlphabet: 'gsm7' | 'latin1'
  shortCode: { ton: number; npi: number }
}

export const usualForm: SubmitForm = {
  concatenation: 'udh',
  concatRef: 8,
  defaultAlphabet: 'gsm7',
  shortCode: { ton: ton.networkSpecific, npi: npi.unknown },
}

const MAX_OCTETS = 254
const RECEIPT_WANTED = 1

/** Undefined when this SMSC has no way to say it. */
export function submitFields(part: PartSubmit, form: SubmitForm, now: Date): Record<string, unknown> | undefined {
  const text = octetsOf(part, form)
  if (text === undefined) return undefined
  const isWhole = form.concatenation === 'payload'
  const header = part.concat && form.concatenation === 'udh' ? headerOf(part.concat, form.concatRef) : undefined
  const message = header === undefined ? text : Buffer.concat([header, text])
  if (!isWhole && message.length > MAX_OCTETS) return undefined
  return {
    ...sourceOf(part.from, form),
    dest_addr_ton: ton.international,
    dest_addr_npi: npi.isdn,
    destination_addr: part.to.replace(/^\+/, ''),
    esm_class: header === undefined ? 0 : esmClass.udhIndicator,
    registered_delivery: RECEIPT_WANTED,
    validity_period: relativeTime(part.validUntil.getTime() - now.getTime()),
    data_coding: part.encoding === 'ucs2' ? dataCoding.ucs2 : dataCoding.smscDefault,
    ...(isWhole ? { short_message: Buffer.alloc(0), message_payload: message } : { short_message: message }),
    ...(part.concat && form.concatenation === 'sar' ? sarFields(part.concat) : {}),
  }
}

function octetsOf({ text, encoding }: PartSubmit, { defaultAlphabet }: SubmitForm): Buffer | undefined {
  if (encoding === 'ucs2') return Buffer.from(text, 'utf16le').swap16()
  if (defaultAlphabet === 'gsm7') return toSeptets(text)
  return /^[\0-\u00ff]*$/.test(text) ? Buffer.from(text, 'latin1') : undefined
}

/** 3GPP TS 23.040 §9.2.3.24.1 and §9.2.3.24.8 define these headers. */
const headerOf = ({ ref, total, seq }: Concat, bits: 8 | 16): Buffer =>
  bits === 8
    ? Buffer.from([5, 0x00, 3, ref & 0xff, total, seq])
    : Buffer.from([6, 0x08, 4, (ref >> 8) & 0xff, ref & 0xff, total, seq])

const sarFields = ({ ref, total, seq }: Concat): Record<string, number> => ({
  sar_msg_ref_num: ref & 0xffff,
  sar_total_segments: total,
  sar_segment_seqnum: seq,
})

function sourceOf({ kind, value }: Address, { shortCode }: SubmitForm): Record<string, unknown> {
  const address = (type: number, plan: number, written: string) => ({
    source_addr_ton: type,
    source_addr_npi: plan,
    source_addr: written,
  })
  switch (kind) {
    case 'international':
      return address(ton.international, npi.isdn, value.replace(/^\+/, ''))
    case 'alphanumeric':
      return address(ton.alphanumeric, npi.unknown, value)
    case 'short_code':
      return address(shortCode.ton, shortCode.npi, value)
  }
}

/** §7.1.1.2: from the moment that the SMSC gets it, so that no two clocks have to agree. */
function relativeTime(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  const two = (value: number): string => String(value).padStart(2, '0')
  const days = Math.min(99, Math.floor(seconds / 86_400))
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60]
  return `0000${two(days)}${clock.map(two).join('')}000R`
}

/** With `rebind` the SMSC does not take this connection for a bound one. */
export type Verdict = { outcome: SubmitOutcome; rebind?: true }

const THROTTLED_MS = 1_000

export function verdictOn(status: number, providerId: string): Verdict {
  if (status === Status.ok) return { outcome: { ok: true, providerIds: providerId === '' ? [] : [providerId] } }
  if (status === Status.throttled || status === Status.queueFull) {
    return { outcome: { ok: false, kind: 'throttled', retryAfterMs: THROTTLED_MS } }
  }
  const providerCode = `0x${status.toString(16)}`
  if (status === Status.wrongBindState) return { outcome: transient(providerCode), rebind: true }
  if (status === Status.systemError || status === Status.temporaryAppError) return { outcome: transient(providerCode) }
  return { outcome: { ok: false, kind: 'permanent', errorCode: refusals[status] ?? 'carrier_rejected', providerCode } }
}

export const transient = (providerCode?: string): SubmitOutcome => ({
  ok: false,
  kind: 'transient',
  errorCode: 'internal',
  providerCode,
})

const refusals: Readonly<Record<number, SmsErrorCode>> = {
  [Status.invalidSource]: 'unregistered_sender',
  [Status.invalidDestination]: 'invalid_number',
}
