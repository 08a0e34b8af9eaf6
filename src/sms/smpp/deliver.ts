/** Reads what an SMSC delivers: receipts, and messages from handsets. */
import type { Concat, InboundAlphabet, InboundPart, Receipt } from '../carrier.ts'
import { concat, decoded, withoutHeader } from '../inbound-parts.ts'
import { numberField, octetsField, textField, type Pdu } from './codec.ts'
import { dataCoding, esmClass, ton } from './protocol.ts'
import type { IdForm } from './provider-id.ts'
import { readReceipt } from './receipt.ts'

export type Delivered =
  | { kind: 'receipt'; receipt: Receipt }
  | { kind: 'inbound'; part: InboundPart }
  /** The PDU is acknowledged and ignored: it does not concern us. */
  | { kind: 'nothing' }

export function readDelivered(pdu: Pdu, form: { idForm: IdForm; defaultAlphabet: 'gsm7' | 'latin1' }): Delivered {
  const kind = (numberField(pdu, 'esm_class') ?? 0) & esmClass.typeMask
  if (kind === esmClass.receipt || kind === esmClass.intermediate) {
    const receipt = readReceipt(pdu, form.idForm)
    if (receipt === undefined) return { kind: 'nothing' }
    const told = { ...receipt, parties: partiesOf(pdu) }
    // An intermediate notification is never final, whatever it says.
    return { kind: 'receipt', receipt: kind === esmClass.receipt ? told : { ...told, state: 'enroute' } }
  }
  return kind === 0 ? { kind: 'inbound', part: inboundPart(pdu, form.defaultAlphabet) } : { kind: 'nothing' }
}

/** A receipt comes back the way that the message went. */
const partiesOf = (pdu: Pdu): { handset: string; ours: string } => ({
  handset: numberOf(textField(pdu, 'source_addr'), numberField(pdu, 'source_addr_ton')),
  ours: numberOf(textField(pdu, 'destination_addr'), numberField(pdu, 'dest_addr_ton')),
})

function inboundPart(pdu: Pdu, defaultAlphabet: 'gsm7' | 'latin1'): InboundPart {
  const { payload, joined } = contentOf(pdu)
  const alphabet = alphabetOf(numberField(pdu, 'data_coding') ?? 0, defaultAlphabet)
  return {
    from: numberOf(textField(pdu, 'source_addr'), numberField(pdu, 'source_addr_ton')),
    to: numberOf(textField(pdu, 'destination_addr'), numberField(pdu, 'dest_addr_ton')),
    text: decoded(payload, alphabet),
    payload,
    alphabet,
    concat: joined ?? sarOf(pdu),
  }
}

function contentOf(pdu: Pdu): { payload: Uint8Array; joined: Concat | undefined } {
  const short = octetsField(pdu, 'short_message') ?? Buffer.alloc(0)
  const octets = short.length > 0 ? short : (octetsField(pdu, 'message_payload') ?? short)
  const hasHeader = ((numberField(pdu, 'esm_class') ?? 0) & esmClass.udhIndicator) !== 0
  // A header that is none is text: a STOP must not be lost because of it.
  const cut = hasHeader ? withoutHeader(octets) : undefined
  return { payload: Buffer.from(cut?.payload ?? octets), joined: cut?.concat }
}

function sarOf(pdu: Pdu): Concat | undefined {
  const [ref, total, seq] = ['sar_msg_ref_num', 'sar_total_segments', 'sar_segment_seqnum'].map((name) =>
    numberField(pdu, name),
  )
  if (ref === undefined || total === undefined || seq === undefined) return undefined
  return concat(ref, total, seq)
}

/** §5.2.19, and the groups of 3GPP TS 23.038 §4 that SMSCs pass on as they are. */
function alphabetOf(coding: number, defaultAlphabet: 'gsm7' | 'latin1'): InboundAlphabet {
  if (coding >= 0xf0) return (coding & 0x04) === 0 ? 'gsm7' : 'binary'
  if (coding >= 0x10 && coding < 0x40) return (['gsm7', 'binary', 'ucs2', 'gsm7'] as const)[(coding >> 2) & 3] ?? 'gsm7'
  if (coding === dataCoding.smscDefault) return defaultAlphabet
  if (coding === dataCoding.ia5 || coding === dataCoding.latin1) return 'latin1'
  return coding === dataCoding.ucs2 ? 'ucs2' : 'binary'
}

/**
 * Returns E.164 where the number can be read as such. Many SMSCs leave the type unknown; reading those as international
 * costs nothing, and otherwise a STOP would suppress a number that no message goes to.
 */
function numberOf(address: string, type: number | undefined): string {
  const digits = address.replace(/^(\+|00)/, '')
  const mayBeInternational = type === ton.international || type === ton.unknown || type === undefined
  return mayBeInternational && /^[1-9]\d{7,14}$/.test(digits) ? `+${digits}` : address
}
