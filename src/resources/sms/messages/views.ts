import { encodeId, type SmsEntryId } from '../../../core/ids.ts'
import type { Alphabet, DetailedSms, Happening, Opened, PartRow, RedactedSms, Sms } from './schema/messages.ts'
import { alphabets } from './states.ts'

export const alphabetName = (alphabet: Alphabet): string => alphabets[alphabet]

/** Lets customers correlate rows; without the project's key it cannot be turned back into a number. */
export const recipientRef = (phoneHmac: Buffer): string => phoneHmac.toString('hex', 0, 8)

export function redactedView(sms: Sms): RedactedSms {
  const isOut = sms.direction === 'outbound'
  return {
    id: encodeId('sms', sms.id),
    object: 'sms_message',
    mode: sms.mode,
    direction: sms.direction,
    status: sms.status,
    category: sms.category,
    keyword: sms.keyword,
    programId: sms.programId && encodeId('smspg', sms.programId),
    senderId: encodeId('smssn', sms.senderId),
    country: sms.country,
    toMasked: isOut ? sms.masked : maskedAddress(sms.ourAddress),
    fromMasked: isOut ? maskedAddress(sms.ourAddress) : sms.masked,
    recipientRef: recipientRef(sms.phoneHmac),
    encoding: sms.encoding && alphabets[sms.encoding],
    units: sms.units,
    segments: sms.segments,
    priceMicros: sms.segmentMicros * sms.segments,
    chargedMicros: sms.chargedMicros,
    currency: sms.currency,
    errorCode: sms.errorCode,
    deferredUntil: sms.status === 'deferred' ? (sms.deferredUntil?.toISOString() ?? null) : null,
    createdAt: sms.createdAt.toISOString(),
    sentAt: sms.sentAt?.toISOString() ?? null,
    finalAt: sms.finalAt?.toISOString() ?? null,
  }
}

/** Names and short codes are no secret; of a number of ours as little is shown as of anybody's. */
const maskedAddress = (address: string): string =>
  address.startsWith('+')
    ? `${address.slice(0, 2)}${'*'.repeat(Math.max(0, address.length - 4))}${address.slice(-2)}`
    : address

export function detailedView(
  sms: Sms,
  { phone, body, bodySent, metadata }: Opened,
  more: {
    parts: readonly PartRow[]
    happenings: readonly Happening[]
    entries: readonly { id: SmsEntryId; type: string; amount: number }[]
  },
): DetailedSms {
  const isOut = sms.direction === 'outbound'
  return {
    ...redactedView(sms),
    to: isOut ? phone : sms.ourAddress,
    from: isOut ? sms.ourAddress : phone,
    body,
    bodySent: bodySent ?? body,
    metadata,
    bodyPurgedAt: sms.bodyPurgedAt?.toISOString() ?? null,
    consentId: sms.consentId && encodeId('smscn', sms.consentId),
    consent:
      sms.consentType === null ? null : { type: sms.consentType, grantedAt: sms.consentAt?.toISOString() ?? null },
    parts: more.parts.map(({ state, submittedAt, finalAt, ...part }) => ({
      ...part,
      status: partStatus(state),
      submittedAt: submittedAt?.toISOString() ?? null,
      finalAt: finalAt?.toISOString() ?? null,
    })),
    events: more.happenings.map(({ at, ...happening }) => ({ ...happening, at: at.toISOString() })),
    ledger: more.entries.map(({ id, type, amount }) => ({
      entryId: encodeId('sml', id),
      type,
      amountMicros: amount,
    })),
  }
}

/** In the words that the message itself is described with. */
function partStatus(state: string): string {
  if (['held', 'waiting', 'ready', 'claimed'].includes(state)) return 'queued'
  if (state === 'in_flight') return 'submitting'
  if (state === 'unknown') return 'unconfirmed'
  return state === 'refused' || state === 'stopped' ? 'failed' : state
}
