import { randomFillSync } from 'node:crypto'

/** The prefix tells a person what an id names; the rest is a UUIDv7, so ids sort by the time they were made. */
export const idPrefixes = {
  acc: 'workspace',
  prj: 'project',
  key: 'API key',
  per: 'person',
  ses: 'session',
  inv: 'invitation',
  psk: 'passkey',
  log: 'audit entry',
  dom: 'sending domain',
  em: 'email',
  bat: 'batch',
  tpl: 'template',
  sup: 'suppression',
  aud: 'audience',
  con: 'contact',
  imp: 'import',
  tag: 'tag',
  att: 'attachment',
  brd: 'broadcast',
  aut: 'automation',
  run: 'automation run',
  whk: 'webhook endpoint',
  whd: 'webhook delivery',
  rdm: 'receiving domain',
  rcv: 'received email',
  sms: 'SMS message',
  smsbp: 'SMS business profile',
  smspg: 'SMS program',
  smssn: 'SMS sender',
  smscn: 'SMS consent',
  smssp: 'SMS suppression',
  sml: 'SMS ledger entry',
  smtu: 'SMS top-up',
  evt: 'event',
  req: 'request',
} as const

export type IdPrefix = keyof typeof idPrefixes

/** A UUID as PostgreSQL stores it, marked with what it names. On the wire it is written by `encodeId`. */
export type Id<P extends IdPrefix> = string & { readonly names: P }

export type WorkspaceId = Id<'acc'>
export type ProjectId = Id<'prj'>
export type KeyId = Id<'key'>
export type PersonId = Id<'per'>
export type SessionId = Id<'ses'>
export type InvitationId = Id<'inv'>
export type PasskeyId = Id<'psk'>
export type DomainId = Id<'dom'>
export type EmailId = Id<'em'>
export type BatchId = Id<'bat'>
export type TemplateId = Id<'tpl'>
export type SuppressionId = Id<'sup'>
export type AudienceId = Id<'aud'>
export type ContactId = Id<'con'>
export type ImportId = Id<'imp'>
export type TagId = Id<'tag'>
export type BroadcastId = Id<'brd'>
export type AutomationId = Id<'aut'>
export type RunId = Id<'run'>
export type WebhookId = Id<'whk'>
export type WebhookDeliveryId = Id<'whd'>
export type AttachmentId = Id<'att'>
export type ReceivingDomainId = Id<'rdm'>
export type ReceivedId = Id<'rcv'>
export type SmsId = Id<'sms'>
export type SmsProfileId = Id<'smsbp'>
export type SmsProgramId = Id<'smspg'>
export type SmsSenderId = Id<'smssn'>
export type SmsConsentId = Id<'smscn'>
export type SmsSuppressionId = Id<'smssp'>
export type SmsEntryId = Id<'sml'>
export type SmsTopUpId = Id<'smtu'>
export type EventId = Id<'evt'>

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

export const newId = <P extends IdPrefix>(): Id<P> => ownIds(Date.now()) as Id<P>

/** No id is after this one. */
export const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The time in an id may differ this much from the one that stands beside it, as the clocks of two machines do. */
const CLOCKS_DIFFER_MS = 60_000

/** The ids of a stretch of time, for lists that are newest first: they are below `first`, and not below `last`. */
export const idsBetween = (from: number | undefined, to: number | undefined): { first: string; last: string } => ({
  first: to === undefined ? MAX_ID : lowestIdAt(to + CLOCKS_DIFFER_MS),
  last: lowestIdAt(from === undefined ? 0 : from - CLOCKS_DIFFER_MS),
})

/** No id that was made at this moment, or later, sorts before it. */
const lowestIdAt = (ms: number): string =>
  asUuid(Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0').padEnd(32, '0'))

/** The moment at which an id was made, in milliseconds since the epoch. */
export const timeOfId = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

/** Returns `prj_` and 26 characters of Crockford base32, which is the TypeID form of a UUID. */
export function encodeId<P extends IdPrefix>(prefix: P, id: Id<P>): string {
  let text = `${prefix}_`
  // 26 × 5 bits hold 130, so two zero bits come first. Digit by digit; a BigInt was four times slower.
  let bits = 0
  let count = 2
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i)
    if (code === DASH) continue
    bits = ((bits << 4) | (code <= NINE ? code - 48 : code - 87)) & 0x1ff
    count += 4
    if (count >= 5) {
      count -= 5
      text += alphabet[(bits >> count) & 31]
    }
  }
  return text
}

const DASH = 45
const NINE = 57

/** Undefined for anything that `encodeId` with this prefix could not have written. */
export function decodeId<P extends IdPrefix>(prefix: P, text: string): Id<P> | undefined {
  // 26 × 5 bits hold 130; the first character may therefore be 7 at most, else it is no 128-bit number.
  if (!text.startsWith(`${prefix}_`) || !/^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text.slice(prefix.length + 1))) {
    return undefined
  }
  let value = 0n
  for (const character of text.slice(prefix.length + 1)) value = (value << 5n) | BigInt(alphabet.indexOf(character))
  return asUuid(value.toString(16).padStart(32, '0')) as Id<P>
}

/** Whether a text is an id of any kind. */
export const isId = (text: string): boolean =>
  Object.keys(idPrefixes).some((prefix) => decodeId(prefix as IdPrefix, text) !== undefined)

export const idPattern = (prefix: IdPrefix): string => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`

/**
 * Makes UUIDv7s of the times that it is given. They never go backwards, not even within a millisecond: the 12 bits behind
 * the time count up.
 */
export function idSource(): (now: number) => string {
  let lastTime = 0
  let sequence = 0
  return (now) => {
    if (now > lastTime) {
      lastTime = now
      sequence = 0
    } else if (++sequence > 0xfff) {
      lastTime++
      sequence = 0
    }
    const bytes = takeRandom(16)
    bytes.writeUIntBE(lastTime, 0, 6)
    bytes.writeUInt16BE(0x7000 | sequence, 6)
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
    return asUuid(bytes.toString('hex'))
  }
}

const ownIds = idSource()

/** Returns the usual spelling of 16 bytes. */
export const asUuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`

// Asking the kernel for 16 bytes at a time costs more than the rest of an id; 4 KiB at a time costs nothing.
const pool = Buffer.alloc(4096)
let taken = pool.length
function takeRandom(size: number): Buffer {
  if (taken + size > pool.length) {
    randomFillSync(pool)
    taken = 0
  }
  taken += size
  return Buffer.from(pool.subarray(taken - size, taken))
}
