/**
 * What a caller says of a contact, and what becomes of the contact. The rules of consent are here and nowhere else:
 * a contact begins subscribed, for only those who asked for mail are added. Who unsubscribed is not subscribed again by
 * hearing of them again, but by consent that is newer than that, or by somebody who says so explicitly.
 */
import { createHash } from 'node:crypto'
import { parseMoment } from '../../core/clock.ts'
import { DomainError, invalid, type Problem } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { addressKey, parseAddress } from '../../mail/address.ts'
import type {
  Consent,
  ConsentInput,
  Contact,
  Properties,
  PropertyValue,
  UpdateContact,
  UpsertContact,
} from './schema.ts'
import { MAX_PROPERTY_NAME_LENGTH, MAX_PROPERTIES, MAX_PROPERTY_BYTES } from './limits.ts'
import type { NewContact } from './store/contacts.ts'

/** Fields that are left out stay as they are. */
export interface Change {
  firstName?: string | null
  lastName?: string | null
  /** Null removes a property. */
  properties?: Readonly<Record<string, PropertyValue | null>>
  subscribed?: boolean
  consent?: Consent
}

export interface Given extends Change {
  /** The address as `addressKey` writes it. */
  email: string
}

/** Clocks differ a little; consent from next year would outlive every objection. */
const CLOCKS_DIFFER_MS = 5 * 60_000

/** Reads what a client says, once its shape is checked; or everything that is wrong with it. */
export function readGiven(fields: UpsertContact, now: number): { given: Given } | { problems: Problem[] } {
  const { email, optedIn, ...rest } = fields
  const problems = problemsOf(rest, now)
  const address = readAddress(email)
  if ('problem' in address) problems.push({ path: '/email', message: address.problem })
  if (problems.length > 0 || 'problem' in address) return { problems }
  const change = changeOf(rest)
  // Whoever does not opt in and is there already has changed their mind.
  return { given: { ...change, ...(optedIn === false ? { subscribed: false } : {}), email: address.email } }
}

export function readChange(fields: UpdateContact, now: number): Change {
  const problems = problemsOf(fields, now)
  if (problems.length > 0) throw invalid(problems)
  return changeOf(fields)
}

export function readAddress(text: string): { email: string } | { problem: string } {
  const parsed = parseAddress(text)
  if (!parsed.ok) return { problem: parsed.problem }
  // A contact has its names apart; one that stands here would be lost.
  if (parsed.value.name !== '') return { problem: 'must be an address without a name' }
  return { email: addressKey(parsed.value) }
}

function problemsOf({ consent, properties = {} }: UpdateContact, now: number): Problem[] {
  const problems: Problem[] = []
  if (consent?.at !== undefined) {
    const at = parseMoment(consent.at)
    if (at === undefined) problems.push({ path: '/consent/at', message: 'is not a date and time that exists' })
    else if (at.getTime() > now + CLOCKS_DIFFER_MS)
      problems.push({ path: '/consent/at', message: 'must not be in the future' })
  }
  if (Object.keys(properties).some((name) => name === '' || name.length > MAX_PROPERTY_NAME_LENGTH)) {
    problems.push({ path: '/properties', message: `must have names of 1 to ${MAX_PROPERTY_NAME_LENGTH} characters` })
  }
  return problems
}

const changeOf = ({ consent, ...rest }: UpdateContact): Change => ({
  ...(rest as Change),
  ...(consent === undefined ? {} : { consent: consentOf(consent) }),
})

const consentOf = ({ source, at, ip, userAgent, text }: ConsentInput): Consent => ({
  source: source ?? null,
  at: (at !== undefined && parseMoment(at)) || null,
  ip: ip ?? null,
  userAgent: userAgent ?? null,
  text: text ?? null,
})

/** The same evidence has the same fingerprint, whenever it is told. */
export const fingerprintOf = ({ source, at, ip, userAgent, text }: Consent): string =>
  createHash('sha256')
    .update(JSON.stringify([source, at, ip, userAgent, text]))
    .digest('hex')

/** A new contact, or why there is none. */
export function begun(given: Given): NewContact | DomainError {
  if (given.subscribed === false) {
    return new DomainError(
      'consent_required',
      'A contact can only be created opted in: leave out optedIn, or set it to true once the person has agreed.',
    )
  }
  const { email, firstName = null, lastName = null } = given
  const properties = merged({}, given.properties)
  return properties instanceof DomainError ? properties : { id: newId<'con'>(), email, firstName, lastName, properties }
}

/** The contact as it will be; itself where nothing changes. */
export function changed(present: Contact, change: Change, by: 'upsert' | 'patch'): Contact | DomainError {
  const properties = merged(present.properties, change.properties)
  if (properties instanceof DomainError) return properties
  const next = {
    ...present,
    firstName: change.firstName === undefined ? present.firstName : change.firstName,
    lastName: change.lastName === undefined ? present.lastName : change.lastName,
    subscribed: willBeSubscribed(present, change, by),
    properties,
  }
  return isSame(present, next) ? present : next
}

function willBeSubscribed(present: Contact, { subscribed, consent }: Change, by: 'upsert' | 'patch'): boolean {
  if (subscribed === false) return false
  if (present.unsubscribedAt === null) return true
  if (by === 'patch') return subscribed === true
  return consent?.at != null && consent.at > present.unsubscribedAt
}

function merged(present: Properties, change: Change['properties'] = {}): Properties | DomainError {
  const kept = Object.entries({ ...present, ...change }).filter(
    (entry): entry is [string, PropertyValue] => entry[1] !== null,
  )
  const properties = Object.fromEntries(kept)
  if (kept.length > MAX_PROPERTIES) return tooMuch(`at most ${MAX_PROPERTIES} names`)
  if (Buffer.byteLength(JSON.stringify(properties)) > MAX_PROPERTY_BYTES) {
    return tooMuch(`no more than ${MAX_PROPERTY_BYTES} bytes as JSON`)
  }
  return properties
}

const tooMuch = (most: string): DomainError =>
  invalid([{ path: '/properties', message: `must have ${most}, with those that the contact has already` }])

const isSame = (a: Contact, b: Contact): boolean =>
  a.firstName === b.firstName &&
  a.lastName === b.lastName &&
  a.subscribed === b.subscribed &&
  canonical(a.properties) === canonical(b.properties)

/** PostgreSQL keeps the names of JSON in an order of its own. */
const canonical = (properties: Properties): string =>
  JSON.stringify(Object.entries(properties).toSorted(([a], [b]) => (a < b ? -1 : 1)))
