/** What a request to send says, read as far as that is possible without the database. */
import { isIP } from 'node:net'
import { parseTimestamp } from '../../../core/clock.ts'
import { DomainError, invalid, type Problem } from '../../../core/errors.ts'
import { fingerprintOf } from '../../../core/fingerprint.ts'
import { segment, unitsOf, type Segments } from '../../../sms/segments.ts'

import type { SendSms } from './schema/messages.ts'
import type { SendCategory } from './states.ts'
import { type Phone, phoneFrom } from '../projects/index.ts'

export interface Wish {
  phone: Phone
  senderId: string | null
  programId: string | null
  category: SendCategory
  body: string
  encoding: 'auto' | 'gsm7' | 'ucs2'
  transliterate: boolean
  maxSegments: number
  maxPrice: bigint | null
  validSeconds: number
  onQuietHours: 'defer' | 'reject'
  consentId: string | null
  userInitiated: { requestedAt: Date; ipAddress: string } | null
  metadata: Readonly<Record<string, string>> | null
  fingerprint: Buffer
}

/** How long a message makes sense, unless somebody says otherwise: a code is of no use after ten minutes. */
const validSeconds = { authentication: 600, transactional: 14_400, conversational: 14_400, marketing: 86_400 } as const
const MAX_SEGMENTS = 10
const MAX_BODY_LENGTH = 1_600

export async function readRequest(sent: SendSms): Promise<Wish> {
  const problems: Problem[] = []
  const { category } = sent
  if (sent.userInitiated && category !== 'authentication') {
    problems.push({ path: '/userInitiated', message: 'goes with the category authentication only' })
  }
  if (sent.userInitiated && isIP(sent.userInitiated.ipAddress) === 0) {
    problems.push({ path: '/userInitiated/ipAddress', message: 'is not an IP address' })
  }
  if (sent.body.length > MAX_BODY_LENGTH) {
    problems.push({ path: '/body', message: `must have at most ${MAX_BODY_LENGTH} characters` })
  }
  const { encoding = 'auto', transliterate = false, maxSegments = MAX_SEGMENTS } = sent
  const segments = segment(sent.body, { encoding, transliterate })
  if (!segments.ok && segments.problem !== 'not_gsm7') {
    problems.push({ path: '/body', message: bodyProblems[segments.problem] })
  }
  if (problems.length > 0) throw invalid(problems)
  const phone = await phoneFrom(sent.to)
  const said = {
    to: phone.e164,
    senderId: sent.senderId ?? null,
    programId: sent.programId ?? null,
    category,
    body: sent.body,
    encoding,
    transliterate,
    maxSegments,
    maxPriceMicros: sent.maxPriceMicros ?? null,
    validitySeconds: sent.validitySeconds ?? validSeconds[category],
    onQuietHours: sent.onQuietHours ?? ('defer' as const),
    consentId: sent.consentId ?? null,
    userInitiated: sent.userInitiated ?? null,
    metadata: sent.metadata ?? null,
  }
  return {
    ...said,
    phone,
    maxPrice: said.maxPriceMicros === null ? null : BigInt(said.maxPriceMicros),
    validSeconds: said.validitySeconds,
    userInitiated: said.userInitiated && {
      requestedAt: parseTimestamp(said.userInitiated.requestedAt, '/userInitiated/requestedAt'),
      ipAddress: said.userInitiated.ipAddress,
    },
    fingerprint: fingerprintOf(said),
  }
}

const bodyProblems = {
  empty: 'must not be empty',
  lone_surrogate: 'contains half a surrogate pair',
  control_character: 'contains a control character',
} as const

export type Split = Segments & { ok: true } & { unitsOfParts: number[] }

/** Counted and split for a connection, or the refusal. */
export function split({ body, encoding, transliterate, maxSegments }: Wish, reference: 8 | 16): Split {
  const segments = segment(body, { encoding, transliterate, reference })
  if (!segments.ok) {
    throw new DomainError(
      'sms_encoding_not_possible',
      'The text contains characters that GSM-7 does not have: let encoding be auto or ucs2.',
    )
  }
  if (segments.parts.length > maxSegments) {
    const sentence = `The text needs ${segments.parts.length} segments; ${maxSegments} are allowed.`
    throw new DomainError('sms_body_too_long', sentence, { segments: segments.parts.length, maxSegments })
  }
  return { ...segments, unitsOfParts: segments.parts.map((part) => unitsOf(part, segments.encoding)) }
}
