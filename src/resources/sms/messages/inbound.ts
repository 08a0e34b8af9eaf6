/** Messages that handsets send us: put together from their parts, kept, read for STOP, HELP and START, and answered. */
import { createHash } from 'node:crypto'
import type { ProjectContext } from '../../../core/caller.ts'
import { encodeId, newId, type SmsId } from '../../../core/ids.ts'
import type { Log } from '../../../core/log.ts'
import type { Publish } from '../../../events/publish.ts'
import type { InboundAlphabet, InboundPart } from '../../../sms/carrier.ts'
import { assembled, decoded, REASSEMBLY_MS, type Assembled } from '../../../sms/inbound-parts.ts'
import { readKeywordOfParts, replyTo, type KeywordReading } from '../../../sms/keywords.ts'
import { readPhone } from '../../../sms/phone.ts'
import { segment, unitsOf } from '../../../sms/segments.ts'
import type { Database, Tx } from '../../../storage/postgres.ts'
import type { Connections } from './connections.ts'
import type { OptOuts, Person } from './opt-outs.ts'

import * as store from './store/inbound.ts'
import * as messages from './store/messages.ts'
import { type Program, type Sender, records } from '../registration/index.ts'
import { suppressionStore as suppressions } from '../consents/index.ts'
import { type Phone, type PhoneBook, gates } from '../projects/index.ts'

export interface InboxOptions {
  db: Database
  phones: PhoneBook
  publish: Publish
  optOuts: OptOuts
  connections: Connections
  log: Log
  /** Told when there is something to send, and something to tell. */
  onQueued: () => void
}

/** Of a message that came in one piece. */
const NO_REF = -1
/** A confirmation that comes later than this is not sent any more. */
const REPLY_SECONDS = 300
const REPLY_LANE = 0
const AT_ONCE = 100

export class SmsInbox {
  readonly #options: InboxOptions

  constructor(options: InboxOptions) {
    this.#options = options
  }

  /** From a carrier. Returns when it is committed: the carrier forgets it then. */
  async part(connection: string, part: InboundPart): Promise<void> {
    const { db, log } = this.#options
    const sender = await records.activeSender(db, connection, part.to)
    if (sender === undefined) {
      log.warn({ connection }, 'inbound SMS for unknown sender')
      return
    }
    await this.#keep(connection, sender, part)
  }

  /** From a handset of the simulator, in answer to a message of ours. */
  async simulated(message: SmsId, text: string, id: string): Promise<void> {
    const { db, phones } = this.#options
    const found = await store.correspondence(db, message)
    const sender = found && (await records.sender(db, found.projectId, found.senderId))
    if (found === undefined || sender === undefined) return
    const from = phones.open('sms number', message, found.phone)
    const payload = Buffer.from(text)
    const part = { from, to: sender.address, text, payload, alphabet: 'utf8', providerId: id } as const
    await this.#keep(sender.connection ?? '', sender, part)
  }

  /** What waits for parts that will not come any more. */
  async sweep(): Promise<void> {
    const { db, onQueued } = this.#options
    for (;;) {
      const groups = await store.overdue(db, REASSEMBLY_MS, AT_ONCE)
      for (const group of groups) await db.transaction((tx) => this.#join(tx, group))
      if (groups.length > 0) onQueued()
      if (groups.length < AT_ONCE) break
    }
    await store.forget(db, REASSEMBLY_MS / 60_000)
  }

  async #keep(connection: string, sender: Sender, part: InboundPart): Promise<void> {
    const { db, phones, onQueued } = this.#options
    const { concat } = part
    const id = newId<'evt'>()
    await db.transaction(async (tx) => {
      const group = {
        connection,
        projectId: sender.projectId,
        senderId: sender.id,
        fromHmac: await phones.hmac(tx, sender.projectId, part.from),
        ref: concat?.ref ?? NO_REF,
        total: concat?.total ?? 1,
      }
      await store.lockGroup(tx, group)
      const row = {
        ...group,
        id,
        phone: phones.seal('sms number', id, part.from),
        seq: concat?.seq ?? 1,
        bodySha256: createHash('sha256')
          .update(part.providerId ?? '')
          .update('\0')
          .update(part.payload)
          .digest(),
        alphabet: part.alphabet,
        payload: phones.seal('sms text', id, Buffer.from(part.payload).toString('base64')),
        isAnswered: part.answeredByCarrier ?? false,
      }
      const isNamed = part.providerId !== undefined
      const insert = (isAnother: boolean): Promise<boolean> =>
        store.insert(tx, row, { bucketSeconds: REASSEMBLY_MS / 1_000, isNamed, isAnother })
      // A name is given once: a START that is told again must not undo the STOP that followed it.
      const isKept =
        (await insert(false)) || (!isNamed && (await this.#isMeantAgain(tx, sender, row, part)) && (await insert(true)))
      if (isKept) await this.#join(tx, group)
    })
    onQueued()
  }

  /**
   * Carriers say things twice, and so do people. With other words in between, or where it is a STOP that is not in
   * force, it is the person: to take that for an echo would be to go on texting.
   */
  async #isMeantAgain(tx: Tx, sender: Sender, row: store.InboundRow, part: InboundPart): Promise<boolean> {
    if (row.total > 1) return false
    const last = await store.lastSaid(tx, row)
    if (last !== undefined && !last.bodySha256.equals(row.bodySha256)) return true
    const program = sender.programId ? await records.program(tx, sender.projectId, sender.programId) : undefined
    const { keyword } = readKeywordOfParts(part.text, part.text, { mayAgree: false, extra: extraWords(program) })
    if (keyword !== 'STOP') return false
    const active = await suppressions.active(tx, sender.projectId, row.fromHmac, sender.programId)
    return active.length === 0
  }

  async #join(tx: Tx, group: store.InboundGroup): Promise<void> {
    const { phones } = this.#options
    const rows = await store.waiting(tx, group)
    const [first] = rows
    const sender = first && (await records.sender(tx, group.projectId, group.senderId))
    if (first === undefined || sender === undefined) return
    const from = phones.open('sms number', first.id, first.phone)
    const parts = rows.map((row) => this.#opened(row, from, sender.address))
    const whole = assembled(parts, first.waitedMs)
    if (whole === undefined) return
    await store.joined(
      tx,
      rows.map(({ id }) => id),
    )
    const isAnswered = rows.some((row) => row.isAnswered)
    await this.#receive(tx, sender, await phoneOf(from), whole, { isAnswered, segments: group.total, group })
  }

  #opened(row: store.StoredPart, from: string, to: string): InboundPart {
    const payload = Buffer.from(this.#options.phones.open('sms text', row.id, row.payload), 'base64')
    // Written by `#keep`.
    const alphabet = row.alphabet as InboundAlphabet
    const concat = row.ref === NO_REF ? undefined : { ref: row.ref, total: row.total, seq: row.seq }
    return { from, to, text: decoded(payload, alphabet), payload, alphabet, concat }
  }

  async #receive(
    tx: Tx,
    sender: Sender,
    phone: Phone,
    { text, firstPart, complete }: Assembled,
    { isAnswered, segments, group }: { isAnswered: boolean; segments: number; group: store.InboundGroup },
  ): Promise<void> {
    const { phones, optOuts } = this.#options
    const project = await gates(tx, sender.projectId)
    if (project === undefined) return
    const program = sender.programId ? await records.program(tx, sender.projectId, sender.programId) : undefined
    const person = { phone, phoneHmac: group.fromHmac }
    await suppressions.liftExpired(tx, project.id, person.phoneHmac)
    const active = await suppressions.active(tx, project.id, person.phoneHmac, sender.programId)
    const wasSuppressed = active.length > 0
    const extra = extraWords(program)
    const reading = readKeywordOfParts(text, firstPart, { mayAgree: wasSuppressed, extra })
    const id = newId<'sms'>()
    const { createdAt } = await messages.insertInbound(tx, {
      id,
      projectId: project.id,
      workspaceId: project.workspaceId,
      mode: sender.type === 'simulator' ? 'test' : 'live',
      keyword: reading.keyword ?? null,
      senderId: sender.id,
      programId: sender.programId,
      phoneHmac: person.phoneHmac,
      rangeHmac: await phones.rangeHmac(tx, project.id, phone.e164),
      phone: phones.seal('sms number', id, phone.e164),
      masked: phone.masked,
      ourAddress: sender.address,
      country: phone.country ?? null,
      connection: group.connection,
      units: text.length,
      segments,
      body: phones.seal('sms text', id, text),
      isIncomplete: !complete,
    })
    await this.#tell(tx, project, sender, id, reading)
    if (reading.keyword === 'STOP') {
      await optOuts.stop(tx, project, person, reading.inferred ? 'inferred' : 'keyword', id)
    }
    if (reading.keyword === 'START') await optOuts.start(tx, project, person, id)
    const situation = {
      now: project.now,
      receivedAt: createdAt,
      lastHelpAt: (await messages.lastReply(tx, project.id, person.phoneHmac, 'HELP'))?.at,
      wasSuppressed,
      answeredByCarrier: isAnswered || this.#networkAnswers(sender, reading),
    }
    const texts = await this.#texts(tx, program, project.name)
    const reply = replyTo(reading, texts, situation)
    if (reply !== undefined) await this.#reply(tx, project, sender, person, reading, reply)
  }

  /** Ids and the word, nothing else: whoever may read the text asks for it. */
  #tell(tx: Tx, project: Owner, sender: Sender, id: SmsId, { keyword }: KeywordReading): Promise<void> {
    return this.#options.publish(tx, [
      {
        projectId: project.id,
        workspaceId: project.workspaceId,
        kind: 'sms.received',
        messageId: id,
        recipient: sender.address,
        detail: '',
        sms: {
          masked: '',
          fields: {
            projectId: encodeId('prj', project.id),
            mode: sender.type === 'simulator' ? 'test' : 'live',
            direction: 'inbound',
            status: 'received',
            programId: sender.programId && encodeId('smspg', sender.programId),
            senderId: encodeId('smssn', sender.id),
            keyword: keyword ?? null,
            sequence: 1,
          },
        },
      },
    ])
  }

  /** Networks answer STOP to toll-free numbers of the United States themselves, some providers to all. */
  #networkAnswers({ type, country, connection }: Sender, { keyword }: KeywordReading): boolean {
    if (keyword === 'HELP') return false
    return (type === 'toll_free' && country === 'US') || this.#options.connections.traits(connection).repliesToStop
  }

  async #texts(tx: Tx, program: Program | undefined, projectName: string) {
    const { businessProfileId, fields } = program ?? { businessProfileId: null, fields: {} as Program['fields'] }
    const profile =
      program && businessProfileId ? await records.profile(tx, program.projectId, businessProfileId) : undefined
    return {
      brand: profile?.fields.displayName ?? projectName,
      optInMessage: fields.optInMessage ?? undefined,
      optOutMessage: fields.optOutMessage ?? undefined,
      helpMessage: fields.helpMessage ?? undefined,
    }
  }

  /** Costs the project nothing, so that nobody's STOP goes unanswered for lack of money. */
  async #reply(
    tx: Tx,
    project: Owner,
    sender: Sender,
    { phone, phoneHmac }: Person,
    reading: KeywordReading,
    text: string,
  ) {
    const { phones, connections } = this.#options
    const connection = sender.connection ?? ''
    const split = segment(text, {
      encoding: 'auto',
      transliterate: true,
      reference: connections.concatRef(connection),
    })
    if (!split.ok) return
    const id = newId<'sms'>()
    const message: messages.NewMessage = {
      id,
      projectId: project.id,
      workspaceId: project.workspaceId,
      mode: sender.type === 'simulator' ? 'test' : 'live',
      status: 'queued',
      category: 'keyword_reply',
      keyword: reading.keyword ?? null,
      request: null,
      senderId: sender.id,
      programId: sender.programId,
      phoneHmac,
      rangeHmac: await phones.rangeHmac(tx, project.id, phone.e164),
      phone: phones.seal('sms number', id, phone.e164),
      masked: phone.masked,
      ourAddress: sender.address,
      country: phone.country ?? null,
      connection,
      encoding: split.encoding,
      units: split.units,
      segments: split.parts.length,
      segmentMicros: 0n,
      currency: 'USD',
      rateId: null,
      body: phones.seal('sms text', id, split.text),
      bodySent: null,
      metadata: null,
      consentId: null,
      consentType: null,
      consentAt: null,
      consentNeeded: 0,
      quiet: null,
      concatRef:
        split.parts.length === 1
          ? null
          : await messages.nextConcatRef(tx, connection, phoneHmac, connections.concatRef(connection)),
      validSeconds: REPLY_SECONDS,
      deferredUntil: null,
      deferReason: null,
    }
    await messages.insert(tx, message)
    const parts = split.parts.map((part) => ({ id: newId<'sms'>(), units: unitsOf(part, split.encoding) }))
    await messages.insertParts(tx, message, parts, { lane: REPLY_LANE, notBefore: null })
  }
}

type Owner = Pick<ProjectContext, 'id' | 'workspaceId'>

const extraWords = (program: Program | undefined) => {
  const { optIn, optOut, help } = program?.fields.keywords ?? {}
  return { optIn, optOut, help }
}

/** Whatever a carrier calls the sender of a message: a short code has no country, and can say STOP all the same. */
async function phoneOf(from: string): Promise<Phone> {
  const reading = await readPhone(from)
  if (reading.ok) return reading
  return {
    ok: true,
    e164: from,
    country: undefined,
    callingCode: '',
    line: 'unknown',
    takesSms: true,
    masked: '*'.repeat(Math.max(0, from.length - 2)) + from.slice(-2),
    simulator: undefined,
  }
}
