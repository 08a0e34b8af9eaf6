/**
 * Whether a message may be sent, asked in an order that is part of the contract: is the sender ready, is the way open,
 * may the country be reached, does the person not want it, did they agree, is it night, does it cost too much, was it
 * too often, is it paid for. Each question is asked only when the ones before it were answered well, unless somebody
 * only wants to know (a dry run): then all of them are.
 */
import type { Caller } from '../../../core/caller.ts'
import { DomainError, invalid, notFound } from '../../../core/errors.ts'
import { decodeId } from '../../../core/ids.ts'
import { grants } from '../../../core/scopes.ts'
import { presets, quietHours, type Hours } from '../../../sms/quiet-hours.ts'
import { isSimulatedConsent, isVelocityLimited, scaled, simulatedRefusal } from '../../../sms/simulator.ts'
import { timeZonesOf } from '../../../sms/time-zones.ts'
import type { Db } from '../../../storage/postgres.ts'
import type { Split, Wish } from './read-request.ts'

import * as messages from './store/messages.ts'
import { type Consent, consentStore as consents, suppressionStore as suppressions } from '../consents/index.ts'
import type { Program, Sender } from '../registration/index.ts'
import type { Wallet } from '../wallet/index.ts'
import type { Gates, Rate } from '../projects/index.ts'

/** What is known of a message that is to be sent. */
export interface Facts {
  wish: Wish
  caller: Caller
  gates: Gates
  sender: Sender
  program: Program
  wallet: Wallet
  rate: Rate | undefined
  split: Split
  price: bigint
  phoneHmac: Buffer
  rangeHmac: Buffer
}

/** What the questions found out on the way. */
export interface Findings {
  consent: { needed: number; record: Consent | null; type: string | null }
  quiet: { zones: readonly string[]; hours: Hours } | null
  deferredUntil: Date | null
}

export interface PolicyOptions {
  liveEnabled: boolean
  hasConnection: (name: string | null) => boolean
  timeScale: number
  random: () => number
}

type Question = (db: Db, facts: Facts, findings: Findings) => Promise<DomainError | undefined> | DomainError | undefined

/** Per number, and per range of a hundred numbers: who texts a whole range is milking it. */
const velocityLimits = { perHour: 5, perDay: 20, neighboursPerHour: 20 }
const USER_INITIATED_MS = 10 * 60_000
const CLOCKS_DIFFER_MS = 5 * 60_000
/** How long the simulator's night is. */
const SIMULATED_NIGHT_MS = 60_000

export class Policy {
  readonly #options: PolicyOptions

  constructor(options: PolicyOptions) {
    this.#options = options
  }

  /** All that speaks against it; of a real request the first is enough. */
  async ask(db: Db, facts: Facts, all: boolean): Promise<{ findings: Findings; refusals: DomainError[] }> {
    const findings: Findings = {
      consent: { needed: 0, record: null, type: null },
      quiet: null,
      deferredUntil: null,
    }
    const refusals: DomainError[] = []
    for (const question of this.#questions()) {
      const refusal = await question(db, facts, findings)
      if (refusal !== undefined) refusals.push(refusal)
      if (refusal !== undefined && !all) break
    }
    return { findings, refusals }
  }

  #questions(): Question[] {
    return [
      takesSms,
      isReady,
      isSameWorld,
      (_db, facts) => this.#isLive(facts),
      mayReachCountry,
      isNotSuppressed,
      hasConsented,
      (_db, facts, findings) => this.#isDay(facts, findings),
      isNotTooDear,
      isWithinQuota,
      isNotTooOften,
      canPay,
    ]
  }

  #isLive({ wish, gates, sender }: Facts): DomainError | undefined {
    if (wish.phone.simulator !== undefined) return undefined
    const { liveEnabled, hasConnection } = this.#options
    if (gates.isLive && liveEnabled && hasConnection(sender.connection)) return undefined
    return new DomainError(
      'sms_live_delivery_disabled',
      'Only numbers of the simulator, like +12025550100, can be reached until the operator enables live delivery.',
    )
  }

  #isDay({ wish, program, gates }: Facts, findings: Findings): DomainError | undefined {
    if (wish.category !== 'marketing') return undefined
    const refusal = new DomainError(
      'sms_quiet_hours',
      "It is night in the recipient's time zone: send later, or let onQuietHours be defer.",
    )
    if (wish.phone.simulator !== undefined) {
      if (simulatedRefusal(wish.phone.e164) !== 'quiet_hours') return undefined
      findings.deferredUntil = new Date(gates.now.getTime() + scaled(SIMULATED_NIGHT_MS, this.#options.timeScale))
      return wish.onQuietHours === 'reject' ? refusal : undefined
    }
    const hours = hoursOf(program)
    if (hours === undefined) return undefined
    const told = findings.consent.record?.recipientTimezone ?? undefined
    const zones = timeZonesOf({ e164: wish.phone.e164, country: wish.phone.country, told })
    findings.quiet = { zones, hours }
    const verdict = quietHours(gates.now, { zones, hours, random: this.#options.random })
    if (verdict.kind === 'allowed') return undefined
    if (verdict.kind === 'never' || wish.onQuietHours === 'reject') return refusal
    findings.deferredUntil = verdict.until
    return undefined
  }
}

/** Undefined where a program may send at any hour. */
function hoursOf({ fields: { quietHours: wanted } }: Program): Hours | undefined {
  if (wanted?.enabled === false) return undefined
  if (wanted?.preset === 'custom' && wanted.start && wanted.end) return { start: wanted.start, end: wanted.end }
  return presets[wanted?.preset === 'strict' ? 'strict' : 'federal']
}

const takesSms: Question = (_db, { wish: { phone } }) =>
  phone.takesSms && simulatedRefusal(phone.e164) !== 'not_mobile'
    ? undefined
    : new DomainError('sms_recipient_not_mobile', 'The number belongs to a kind of line that receives no SMS.')

const isReady: Question = (_db, { wish, sender, program }) => {
  if (sender.status !== 'active') {
    return new DomainError(
      'sms_sender_not_ready',
      `The sender is ${sender.status}, and must be active before it can send.`,
      { state: sender.status },
    )
  }
  if (sender.type !== 'simulator' && sender.programId !== program.id) {
    return new DomainError(
      'sms_sender_not_ready',
      'The sender belongs to another program: name one of this program in senderId.',
    )
  }
  if (program.status !== 'approved') {
    return new DomainError(
      'sms_program_not_ready',
      `The program is ${program.status}, and must be approved before it can send.`,
      { state: program.status },
    )
  }
  return program.fields.allowedCategories?.includes(wish.category)
    ? undefined
    : new DomainError('sms_category_not_allowed', `The program does not allow ${wish.category} messages.`)
}

const isSameWorld: Question = (_db, { wish, sender }) =>
  (wish.phone.simulator !== undefined) === (sender.type === 'simulator')
    ? undefined
    : new DomainError(
        'sms_simulator_mismatch',
        'Simulator senders reach simulator numbers only, and no other sender reaches those: change one of the two.',
      )

const mayReachCountry: Question = (_db, { wish: { phone }, gates, sender, rate }) => {
  const allowed = phone.simulator === undefined ? (gates.countries ?? [sender.country]) : ['US']
  return phone.country !== undefined && allowed.includes(phone.country) && rate !== undefined
    ? undefined
    : new DomainError(
        'sms_destination_not_allowed',
        "The country of the number is not on the project's list: ask the operator to add it.",
      )
}

const isNotSuppressed: Question = async (db, { wish, gates, program, phoneHmac }) => {
  const [found] = await suppressions.active(db, gates.id, phoneHmac, program.id)
  const isSimulated = simulatedRefusal(wish.phone.e164) === 'suppressed'
  if (found === undefined && !isSimulated) return undefined
  const since = (found?.createdAt ?? gates.now).toISOString()
  const recipients = [{ toMasked: wish.phone.masked, reason: found?.reason ?? 'opt_out', since }]
  return new DomainError('recipient_suppressed', 'The recipient does not want messages.', { recipients })
}

const levels = { authentication: 1, transactional: 1, marketing: 2, conversational: 0 } as const

const hasConsented: Question = async (db, facts, findings) => {
  const { wish, gates, sender, program, phoneHmac } = facts
  const pinned = await pinnedConsent(db, facts)
  if (wish.userInitiated) mustBeFresh(wish.userInitiated.requestedAt, gates.now)
  if (isSimulatedConsent(wish.phone.e164)) {
    findings.consent = { needed: 0, record: pinned ?? null, type: pinned?.type ?? 'express_written' }
    return undefined
  }
  const missing = new DomainError(
    'sms_consent_required',
    'There is no consent on record that covers this message: record it with POST /sms/consents.',
  )
  if (wish.category === 'conversational') {
    const isAnswer = await consents.wroteLately(db, gates.id, phoneHmac, sender.id)
    return isAnswer ? undefined : missing
  }
  const needed = levels[wish.category]
  if (wish.userInitiated) {
    // It is recorded as a consent of its own when the message is.
    findings.consent = { needed, record: null, type: 'express' }
    return undefined
  }
  const newest = await consents.newest(db, gates.id, phoneHmac, program.id)
  if (newest === undefined || newest.action === 'revoked' || newest.isExpired) return missing
  const record = pinned ?? newest
  const level = record.type === 'express_written' ? 2 : 1
  if (record.action === 'revoked' || level < needed) return missing
  findings.consent = { needed, record, type: record.type }
  return undefined
}

/** The one that the request names: of this number and program, or it does not exist for it. */
async function pinnedConsent(db: Db, { wish, gates, program, phoneHmac }: Facts): Promise<Consent | undefined> {
  if (wish.consentId === null) return undefined
  const id = decodeId('smscn', wish.consentId)
  const consent = id && (await consents.find(db, gates.id, id))
  if (consent === undefined) throw notFound('SMS consent')
  if (!consent.phoneHmac.equals(phoneHmac) || consent.programId !== program.id) {
    throw invalid([{ path: '/consentId', message: 'is of another number or program' }])
  }
  return consent
}

function mustBeFresh(requestedAt: Date, now: Date): void {
  const age = now.getTime() - requestedAt.getTime()
  if (age <= USER_INITIATED_MS && age >= -CLOCKS_DIFFER_MS) return
  throw invalid([{ path: '/userInitiated/requestedAt', message: 'must be at most ten minutes ago' }])
}

const isNotTooDear: Question = (_db, { wish: { maxPrice }, price }) =>
  maxPrice === null || price <= maxPrice
    ? undefined
    : new DomainError('sms_price_exceeds_max', 'The message costs more than maxPriceMicros: see priceMicros.', {
        priceMicros: Number(price),
      })

const isWithinQuota: Question = async (db, { gates, sender, wallet, split, price }) => {
  const exceeded = (quota: string, limit: number, used: number): DomainError =>
    new DomainError('quota_exceeded', `The quota ${quota} of ${limit} is used up.`, {
      quota,
      limit,
      used,
      resetsAt: wallet.tomorrow.toISOString(),
    })
  const committed = wallet.spentToday + wallet.reserved
  if (wallet.dailyCap !== null && BigInt(committed) + price > BigInt(wallet.dailyCap)) {
    return exceeded('smsMicrosPerDay', wallet.dailyCap, committed)
  }
  if (sender.dailyCap === null) return undefined
  const used = await messages.segmentsToday(db, gates.id, sender.id)
  return used + split.parts.length > sender.dailyCap ? exceeded('smsSegmentsPerDay', sender.dailyCap, used) : undefined
}

const isNotTooOften: Question = async (db, { wish, gates, phoneHmac, rangeHmac }) => {
  const { phone } = wish
  if (phone.simulator !== undefined && !isVelocityLimited(phone.e164)) return undefined
  const seen = await messages.velocity(db, gates.id, phoneHmac, rangeHmac, velocityLimits)
  const opensAt = [
    seen.inHour >= velocityLimits.perHour ? seen.hourOpensAt : null,
    seen.inDay >= velocityLimits.perDay ? seen.dayOpensAt : null,
    phone.simulator === undefined && seen.neighboursInHour >= velocityLimits.neighboursPerHour
      ? seen.neighboursOpenAt
      : null,
  ].flatMap((moment) => (moment === null ? [] : [moment.getTime()]))
  if (opensAt.length === 0) return undefined
  const retryAfter = Math.max(1, Math.ceil((Math.max(...opensAt) - gates.now.getTime()) / 1_000))
  const sentence = 'Too many messages to this number or its neighbours in a short time.'
  return new DomainError('sms_velocity_limited', sentence, { retryAfter })
}

const canPay: Question = (_db, { wish, caller, wallet, price }) => {
  const isCovered = BigInt(wallet.available) >= price && wallet.frozenAt === null
  if (isCovered && simulatedRefusal(wish.phone.e164) !== 'insufficient_funds') return undefined
  return insufficientFunds(caller, wallet, price)
}

/** How much there is is told to whoever may know it. */
export const insufficientFunds = (caller: Caller, wallet: Wallet, price: bigint): DomainError =>
  new DomainError(
    'sms_insufficient_funds',
    'The wallet does not cover the price of the message: top it up.',
    grants(caller, 'sms:billing:read') ? { requiredMicros: Number(price), availableMicros: wallet.available } : {},
  )
