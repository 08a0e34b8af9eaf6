/**
 * Takes a request to send to a message that is queued and paid for, in one transaction: the message, its parts, the
 * reservation and the answer that a repetition gets. A refusal writes nothing and uses no key up.
 */
import type { Caller, ProjectContext } from '../../../core/caller.ts'
import { DomainError, invalid, notFound } from '../../../core/errors.ts'
import { decodeId, encodeId, newId, type ProjectId, type SmsId } from '../../../core/ids.ts'
import type { Replayable } from '../../../storage/idempotency.ts'
import type { Database, Db, Tx } from '../../../storage/postgres.ts'
import type { Connections } from './connections.ts'

import { insufficientFunds, type Facts, type Findings, type Policy } from './policy.ts'
import { readRequest, split, type Wish } from './read-request.ts'
import type { DryRun, QueuedSms, SendSms } from './schema/messages.ts'
import { alphabetName, recipientRef } from './views.ts'

import * as store from './store/messages.ts'
import { type Program, type Sender, records } from '../registration/index.ts'
import { type Wallets, walletStore } from '../wallet/index.ts'
import type { Consent, Consents } from '../consents/index.ts'
import { type PhoneBook, gates as gatesOf, rate as rateOf } from '../projects/index.ts'

export interface AccepterOptions {
  db: Database
  phones: PhoneBook
  policy: Policy
  wallets: Wallets
  consents: Consents
  connections: Connections
  /** Told when there is something to send. */
  onQueued: () => void
}

/** Codes first, marketing last. */
const lanes = { authentication: 0, transactional: 1, conversational: 1, marketing: 2 } as const

export class SmsAccepter {
  readonly #options: AccepterOptions

  constructor(options: AccepterOptions) {
    this.#options = options
  }

  async send(project: ProjectContext, caller: Caller, key: string, sent: SendSms): Promise<Replayable<QueuedSms>> {
    const wish = await readRequest(sent)
    const { db, onQueued } = this.#options
    const outcome = await db.transaction((tx) => this.#accept(tx, project, caller, key, wish))
    onQueued()
    return outcome
  }

  async dryRun(project: ProjectContext, caller: Caller, sent: SendSms): Promise<DryRun> {
    const wish = await readRequest(sent)
    return this.#options.db.transaction((tx) => this.#dryRun(tx, project, caller, wish))
  }

  async #accept(
    tx: Tx,
    project: ProjectContext,
    caller: Caller,
    key: string,
    wish: Wish,
  ): Promise<Replayable<QueuedSms>> {
    await store.lockKey(tx, project.id, key)
    const parties = await this.#parties(tx, project.id, wish)
    const earlier = await store.byKey(tx, project.id, key)
    if (earlier !== undefined) return replayed(wish, earlier)
    // From here on nobody else of this project spends, so that what is counted stays as it is counted.
    await walletStore.lock(tx, project.id, modeOf(wish))
    const facts = await this.#facts(tx, project, caller, wish, parties)
    mustBeActive(facts)
    const { findings, refusals } = await this.#options.policy.ask(tx, facts, false)
    if (refusals[0] !== undefined) throw refusals[0]
    return this.#queue(tx, facts, findings, key)
  }

  async #dryRun(tx: Tx, project: ProjectContext, caller: Caller, wish: Wish): Promise<DryRun> {
    const facts = await this.#facts(tx, project, caller, wish, await this.#parties(tx, project.id, wish))
    const refusals = facts.gates.status === 'paused' ? [paused()] : []
    refusals.push(...(await this.#options.policy.ask(tx, facts, true)).refusals)
    return {
      dryRun: true,
      ...counted(facts),
      wouldSend: refusals.length === 0,
      refusals: refusals.map(({ code, message }) => ({ code, error: message })),
    }
  }

  /** Who sends, for what. To the simulator those that every project has, unless others are named. */
  async #parties(db: Db, project: ProjectId, wish: Wish): Promise<{ sender: Sender; program: Program }> {
    const isSimulated = wish.phone.simulator !== undefined
    const program = await this.#program(db, project, wish.programId, isSimulated)
    if (wish.senderId !== null) {
      const id = decodeId('smssn', wish.senderId)
      const sender = id && (await records.sender(db, project, id))
      if (sender === undefined) throw notFound('SMS sender')
      return { sender, program }
    }
    if (isSimulated) {
      const sender = await records.builtInSender(db, project)
      if (sender === undefined) throw notFound('SMS sender')
      return { sender, program }
    }
    const [only, another] = await records.sendersOfProgram(db, project, program.id)
    if (only === undefined || another !== undefined) {
      throw invalid([{ path: '/senderId', message: 'is required unless the program has exactly one sender' }])
    }
    return { sender: only, program }
  }

  async #program(db: Db, project: ProjectId, named: string | null, isSimulated: boolean): Promise<Program> {
    if (named === null && !isSimulated) throw invalid([{ path: '/programId', message: 'is required' }])
    const id = named === null ? undefined : decodeId('smspg', named)
    const program =
      named === null ? await records.builtInProgram(db, project) : id && (await records.program(db, project, id))
    if (program === undefined) throw notFound('SMS program')
    return program
  }

  async #facts(
    tx: Tx,
    project: ProjectContext,
    caller: Caller,
    wish: Wish,
    { sender, program }: { sender: Sender; program: Program },
  ): Promise<Facts> {
    const { phones, connections } = this.#options
    const { e164, country } = wish.phone
    const parts = split(wish, connections.concatRef(sender.connection))
    const gates = await gatesOf(tx, project.id)
    if (gates === undefined) throw notFound('project')
    const rate = country === undefined ? undefined : await rateOf(tx, country, sender.type, wish.category)
    const segmentMicros = rate === undefined ? 0n : BigInt(rate.base) + BigInt(rate.carrierFee)
    const wallet = await walletStore.find(tx, project.id, modeOf(wish))
    if (wallet === undefined) throw notFound('SMS wallet')
    return {
      wish,
      caller,
      gates,
      sender,
      program,
      wallet,
      rate,
      split: parts,
      price: segmentMicros * BigInt(parts.parts.length),
      phoneHmac: await phones.hmac(tx, project.id, e164),
      rangeHmac: await phones.rangeHmac(tx, project.id, e164),
    }
  }

  async #queue(tx: Tx, facts: Facts, findings: Findings, key: string): Promise<Replayable<QueuedSms>> {
    const { wallets, phones } = this.#options
    const { wish, gates, sender, program, wallet, rate, split: text, price, phoneHmac, rangeHmac } = facts
    const id = newId<'sms'>()
    if (!(await wallets.reserve(tx, wallet, id, price))) throw insufficientFunds(facts.caller, wallet, price)
    const consent = await this.#consent(tx, facts, findings)
    const connection = sender.connection ?? ''
    const { deferredUntil } = findings
    const segments = text.parts.length
    const message: store.NewMessage = {
      id,
      projectId: gates.id,
      workspaceId: gates.workspaceId,
      mode: modeOf(wish),
      status: deferredUntil === null ? 'queued' : 'deferred',
      category: wish.category,
      keyword: null,
      request: { key, fingerprint: wish.fingerprint },
      senderId: sender.id,
      programId: program.id,
      phoneHmac,
      rangeHmac,
      phone: phones.seal('sms number', id, wish.phone.e164),
      masked: wish.phone.masked,
      ourAddress: sender.address,
      country: wish.phone.country ?? null,
      connection,
      encoding: text.encoding,
      units: text.units,
      segments,
      segmentMicros: price / BigInt(segments),
      currency: wallet.currency,
      rateId: rate?.id ?? null,
      body: phones.seal('sms text', id, wish.body),
      bodySent: text.text === wish.body ? null : phones.seal('sms text', id, text.text),
      metadata: wish.metadata && phones.seal('sms metadata', id, JSON.stringify(wish.metadata)),
      consentId: consent?.id ?? null,
      consentType: consent?.type ?? findings.consent.type,
      consentAt: consent?.capturedAt ?? null,
      consentNeeded: findings.consent.needed,
      quiet: findings.quiet,
      concatRef: segments === 1 ? null : await this.#concatRef(tx, connection, phoneHmac),
      validSeconds: wish.validSeconds,
      deferredUntil,
      deferReason: deferredUntil === null ? null : 'quiet_hours',
    }
    const { createdAt } = await store.insert(tx, message)
    const parts = text.unitsOfParts.map((units) => ({ id: newId<'sms'>(), units }))
    await store.insertParts(tx, message, parts, { lane: lanes[wish.category], notBefore: deferredUntil })
    await store.addHappenings(tx, [
      {
        id: newId<'evt'>(),
        projectId: gates.id,
        messageId: id,
        type: message.status,
        status: message.status,
        detail: message.deferReason ?? '',
      },
    ])
    const value = answerOf(facts, message, createdAt)
    await store.keepAnswer(tx, gates.id, id, JSON.stringify(value))
    return { value, isReplay: false }
  }

  /** What the user did to ask for a code is a consent, and is kept like one. */
  async #consent(tx: Tx, { wish, gates, program, phoneHmac }: Facts, { consent }: Findings): Promise<Consent | null> {
    if (wish.userInitiated === null) return consent.record
    const recorded = await this.#options.consents.recordIn(tx, gates, {
      phone: wish.phone,
      phoneHmac,
      programId: program.id,
      type: 'express',
      action: 'granted',
      method: 'api',
      capturedAt: wish.userInitiated.requestedAt,
      evidence: { ipAddress: wish.userInitiated.ipAddress },
      recordedBy: null,
    })
    return recorded.consent
  }

  #concatRef(tx: Tx, connection: string, phoneHmac: Buffer): Promise<number> {
    return store.nextConcatRef(tx, connection, phoneHmac, this.#options.connections.concatRef(connection))
  }
}

const modeOf = ({ phone }: Wish): 'test' | 'live' => (phone.simulator === undefined ? 'live' : 'test')

const paused = (): DomainError =>
  new DomainError('project_paused', 'The project is paused and does not send: set its status to active first.')

function mustBeActive({ gates: { status, isInvited } }: Facts): void {
  if (status === 'paused') throw paused()
  // They may have changed while the request waited.
  if (status === 'archived') throw new DomainError('project_archived', 'The project is archived.')
  if (!isInvited) throw new DomainError('sms_not_invited', 'The project does not take part in the SMS beta.')
}

function replayed({ fingerprint }: Wish, earlier: { fingerprint: Buffer; answer: string }): Replayable<QueuedSms> {
  if (!earlier.fingerprint.equals(fingerprint)) {
    throw new DomainError('idempotency_mismatch', 'This idempotency key was used before, for another message.')
  }
  return { value: JSON.parse(earlier.answer) as QueuedSms, isReplay: true }
}

const counted = ({ split: { encoding, units, parts }, price, wallet: { currency } }: Facts) => ({
  encoding: alphabetName(encoding),
  units,
  segments: parts.length,
  priceMicros: Number(price),
  currency,
})

const answerOf = (facts: Facts, message: store.NewMessage & { id: SmsId }, createdAt: Date): QueuedSms => ({
  id: encodeId('sms', message.id),
  object: 'sms_message',
  mode: message.mode,
  direction: 'outbound',
  status: message.status,
  category: message.category,
  toMasked: message.masked,
  country: message.country,
  recipientRef: recipientRef(message.phoneHmac),
  senderId: encodeId('smssn', facts.sender.id),
  programId: encodeId('smspg', facts.program.id),
  ...counted(facts),
  deferredUntil: message.deferredUntil?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
})
