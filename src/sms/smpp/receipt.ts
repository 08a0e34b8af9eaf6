/** Reads receipts in deliver_sm: by their TLVs, or by a text that every SMSC writes in its own way (Appendix B). */
import type { Receipt, ReceiptState, SmsErrorCode } from '../carrier.ts'
import { numberField, octetsField, type Pdu } from './codec.ts'
import { providerIdOf, type IdForm } from './provider-id.ts'

/** Undefined when it does not say which message it is about. */
export function readReceipt(pdu: Pdu, idForm: IdForm): Receipt | undefined {
  const text = textOf(pdu)
  const id = idTlv(pdu) ?? text['id']
  if (id === undefined || id === '') return undefined
  const state = numberField(pdu, 'message_state') ?? statesByName[text['stat']?.slice(0, 7).toUpperCase() ?? '']
  const network = networkError(pdu)
  const providerCode = network?.written ?? errorIn(text)
  const providerId = providerIdOf(id, 'receipt', idForm)
  const became = receiptStates[state ?? 0] ?? 'unknown'
  if (became !== 'undelivered') return { providerId, state: became, providerCode }
  return {
    providerId,
    state: became,
    errorCode: network?.errorCode ?? errorCodes[state ?? 0] ?? 'unknown',
    providerCode,
  }
}

/** Returns the fields without the text that the receipt quotes: that is the beginning of the recipient's message. */
function textOf(pdu: Pdu): Readonly<Record<string, string>> {
  const octets = octetsField(pdu, 'message_payload') ?? octetsField(pdu, 'short_message') ?? Buffer.alloc(0)
  // The text is read as ASCII, whatever the data coding says; if it really is UCS-2, every other octet is a NUL.
  const written = octets.subarray(0, MAX_TEXT_LENGTH).toString('latin1').replaceAll('\0', '')
  const [before = '', ...after] = written.split(/\btext:/i)
  return { ...fieldsIn(after.join(' ').slice(QUOTED)), ...fieldsIn(before) }
}

const MAX_TEXT_LENGTH = 512
/** Appendix B quotes the first twenty characters of the message. Text in there that looks like a field is none. */
const QUOTED = 20

const fieldsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/\b(id|stat|err)\s*:\s*([\x21-\x7e]{1,64})/gi)]
      .toReversed()
      .map(([, name = '', value = '']) => [name.toLowerCase(), value]),
  )

const idTlv = (pdu: Pdu): string | undefined =>
  octetsField(pdu, 'receipted_message_id')
    ?.toString('latin1')
    .replaceAll(/[^\x21-\x7e]/g, '')

/** Returns the value only when it looks like a code; anything else may be words. */
const errorIn = ({ err }: Readonly<Record<string, string>>): string | undefined =>
  err !== undefined && /^[0-9a-f]{1,10}$/i.test(err) && !/^0+$/.test(err) ? err : undefined

/** §5.3.2.31: the value has the kind of network and its code. */
function networkError(pdu: Pdu): { errorCode: SmsErrorCode | undefined; written: string } | undefined {
  const octets = octetsField(pdu, 'network_error_code')
  if (octets === undefined || octets.length < 3) return undefined
  const code = octets.readUInt16BE(1)
  return { errorCode: octets[0] === GSM_NETWORK ? mapErrors[code] : undefined, written: String(code) }
}

const GSM_NETWORK = 3

/** 3GPP TS 29.002 §17.6.6 defines these codes. */
const mapErrors: Readonly<Record<number, SmsErrorCode>> = {
  1: 'unknown_subscriber',
  5: 'unknown_subscriber',
  9: 'unknown_subscriber',
  6: 'unreachable',
  27: 'unreachable',
  31: 'unreachable',
  32: 'unreachable',
  13: 'carrier_rejected',
  21: 'carrier_rejected',
}

/** §5.2.28, and the names of Appendix B. */
const statesByName: Readonly<Record<string, number>> = {
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIV: 5,
  ACCEPTD: 6,
  UNKNOWN: 7,
  REJECTD: 8,
}

const receiptStates: readonly ReceiptState[] = [
  'unknown',
  'enroute',
  'delivered',
  'undelivered',
  'undelivered',
  'undelivered',
  'accepted',
  'unknown',
  'undelivered',
]

const errorCodes: Readonly<Record<number, SmsErrorCode>> = {
  3: 'expired',
  4: 'carrier_rejected',
  5: 'unknown',
  8: 'carrier_rejected',
}
