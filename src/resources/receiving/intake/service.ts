/**
 * Takes charge of messages. What is answered with 250 is committed: the bytes once, a row for everybody whom it is for,
 * and the job that will look into it, in one transaction. Messages of several sessions share one, which is what lets
 * many small ones be taken per second: a commit waits for the disk, and that is the same wait for one and for fifty.
 */
import { createHash } from 'node:crypto'
import type { Clock } from '../../../core/clock.ts'
import { failpoint } from '../../../core/failpoint.ts'
import { encodeId, newId } from '../../../core/ids.ts'
import type { Log } from '../../../core/log.ts'
import { Batch } from '../../../dispatch/batch.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { addressKey } from '../../../mail/address.ts'
import { ownReply, type Reply } from '../../../mail/replies/reply.ts'
import type { InboundTransport } from '../../../mail/parse/trace.ts'
import type { Blobs, StagedBlob } from '../../../storage/blobs.ts'
import { isUnavailable } from '../../../storage/outage.ts'
import type { Database, Tx } from '../../../storage/postgres.ts'
import { BurstDetector, JOB_EVERY_MS } from './burst.ts'
import {
  dailyLimitReply,
  DailyLimitReached,
  domainReports as domainReportLimits,
  mailboxes,
  refuseIfFull,
  reports as reportLimits,
  sumsOf,
  type Counted,
  type DailyLimit,
} from './daily-limits.ts'
import {
  destinationsOf,
  type Addresses,
  type RecipientQuery,
  type Destination,
  type Recipient,
} from './destinations.ts'
import * as store from './store.ts'
import { DEFER_MS, processDeferred, processReceived } from './process-jobs.ts'

/** What SMTP said around a message. */
export interface Arrival {
  /** Undefined for the null sender. */
  from: { email: string } | undefined
  /** Each once. */
  to: readonly Recipient[]
  session: {
    client: { address: string }
    helo: string
    isExtended: boolean
    tls: { version: string; cipher: string } | undefined
  }
  smtpUtf8?: boolean
}

export interface IntakeOptions extends Addresses {
  db: Database
  blobs: Blobs
  clock: Clock
  log: Log
}

interface PendingMessage {
  arrival: Arrival
  content: Buffer
}

/** From this size on a message is stored by itself: it costs so much that company saves nothing. */
const LARGE_BYTES = 1024 * 1024

const paused = ownReply(450, '4.2.1', 'This mailbox takes no mail at the moment')
const keptAlready = ownReply(250, '2.0.0', 'Ok: kept already')

export class Intake {
  readonly #options: IntakeOptions
  readonly #batch: Batch<PendingMessage, Reply>
  /** Recipients that several sessions ask about in the same moment. */
  readonly #queries: Batch<RecipientQuery, Destination>
  readonly #burst: BurstDetector

  constructor(options: IntakeOptions) {
    this.#options = options
    this.#burst = new BurstDetector(options.clock)
    this.#queries = new Batch((all) => destinationsOf(options.db.reads, all, options), { most: 100, gatherMs: 0 })
    // One batch at a time: with two, each had less company, and fewer messages were taken per second.
    this.#batch = new Batch((all) => this.#storeTogether(all), {
      most: 100,
      gatherMs: 1,
      whenBusy: { from: 3, gatherMs: 2 },
    })
  }

  /** Whether mail for this address is taken, and up to what size; why not otherwise. */
  async recipient(
    recipient: Recipient,
    { client }: Pick<Arrival['session'], 'client'>,
  ): Promise<'accept' | { mostBytes: number } | Reply> {
    const destination = await this.#queries.add({ recipient, client: client.address })
    if (destination.kind === 'rejected') return destination.reply
    if (destination.isFull) return dailyLimitReply
    if (destination.kind === 'report') return { mostBytes: reportLimits.messageBytes }
    if (destination.kind === 'domain report') return { mostBytes: domainReportLimits.messageBytes }
    if (destination.kind === 'mailbox') return { mostBytes: mailboxes[destination.mailbox].messageBytes }
    return destination.isPaused ? paused : 'accept'
  }

  /** Answers when the message is where it cannot be lost, or is not wanted after all. */
  async accept(arrival: Arrival, content: Buffer): Promise<Reply> {
    const waiting = { arrival, content }
    if (content.length < LARGE_BYTES) return this.#batch.add(waiting)
    const [reply] = await this.#storeTogether([waiting])
    if (reply === undefined) throw new Error('a message without an answer')
    return reply
  }

  /** What is wrong with one of them is no fault of the others. */
  async #storeTogether(all: readonly PendingMessage[]): Promise<Reply[]> {
    try {
      return await this.#store(all)
    } catch (error) {
      const isFull = error instanceof DailyLimitReached
      if (isFull && all.length === 1) return [dailyLimitReply]
      if (all.length === 1 || isUnavailable(error)) throw error
      if (!isFull) this.#options.log.warn({ err: error, messages: all.length }, 'received messages stored one by one')
      const replies: Reply[] = []
      for (const one of all)
        replies.push(...(await this.#storeTogether([one]).catch((reason: unknown) => [this.#failed(reason)])))
      return replies
    }
  }

  #failed(error: unknown): Reply {
    this.#options.log.error({ err: error }, 'received message not stored')
    return ownReply(451, '4.3.0', 'Local error, try again later')
  }

  async #store(all: readonly PendingMessage[]): Promise<Reply[]> {
    const { db, blobs } = this.#options
    const about = all.map(({ arrival }) => `${arrival.session.helo} ${arrival.to[0]?.email}`).join()
    await failpoint('receive.before-store', about)
    const staged = await Promise.all(
      all.map(async ({ arrival, content }) => {
        const digest = createHash('sha256').update(content).digest()
        const fingerprints = fingerprintsOf(arrival, digest)
        return { arrival, size: content.length, fingerprints, blob: await blobs.stage(content) }
      }),
    )
    const replies = await db.transaction(async (tx) => {
      const answered = await this.#write(tx, staged)
      await failpoint('receive.before-commit', about)
      return answered
    })
    await failpoint('receive.after-commit', about)
    return replies
  }

  /** What does not depend on another's answer is asked at once: every wait for one is a wait for all senders here. */
  async #write(tx: Tx, all: readonly Staged[]): Promise<Reply[]> {
    const queries = all.flatMap(({ arrival: { to, session } }) =>
      to.map((recipient) => ({ recipient, client: session.client.address })),
    )
    const [destinations, fresh, blobs] = await Promise.all([
      destinationsOf(tx, queries, this.#options),
      remember(tx, all),
      this.#options.blobs.putAll(
        tx,
        all.map(({ blob }) => blob),
      ),
    ])
    const addressed = all.map((staged, at) => ({
      ...staged,
      blob: blobs[at] ?? '',
      destinations: destinations.splice(0, staged.arrival.to.length),
    }))
    const plans = addressed.map((one) => planOf(one, fresh, this.#options.hostname))
    // What is refused is not remembered: it may be welcome the next time.
    const refused = plans.flatMap((plan) => plan.refused)
    if (refused.length > 0) await store.forget(tx, refused)
    const accepted = plans.flatMap(({ message }) => message ?? [])
    if (accepted.length > 0) await this.#insert(tx, accepted)
    return plans.map(({ reply }) => reply)
  }

  async #insert(tx: Tx, accepted: readonly Accepted[]): Promise<void> {
    const { bytesPerDay } = this.#options
    const { isDeferred, needsJob } = this.#burst.count(accepted.length)
    const messages = accepted.map(({ row }) => row)
    const emails = accepted.flatMap((one) => one.emails)
    const reports = accepted.flatMap((one) => one.reports)
    const operatorMail = accepted.flatMap((one) => one.operatorMail)
    const received = sumsOf(accepted.map(countedOf), bytesPerDay)
    const [totals] = await Promise.all([
      store.insertMessages(tx, messages, { isDeferred, received }),
      ...(emails.length === 0 ? [] : [store.insertEmails(tx, emails)]),
      ...(reports.length === 0 ? [] : [store.insertReports(tx, reports)]),
      ...(operatorMail.length === 0 ? [] : [store.insertOperatorMail(tx, operatorMail)]),
      ...(isDeferred ? [] : [enqueue(tx, processReceived, { messages: messages.map(({ id }) => id) })]),
      ...(needsJob ? [enqueue(tx, processDeferred, {}, { afterMs: DEFER_MS + JOB_EVERY_MS })] : []),
    ])
    refuseIfFull(received, totals, bytesPerDay)
  }
}

interface Staged {
  arrival: Arrival
  size: number
  blob: StagedBlob
  /** One for each recipient. */
  fingerprints: readonly Buffer[]
}

interface Addressed extends Omit<Staged, 'blob'> {
  /** Where its bytes are. */
  blob: string
  /** In the order of the recipients. */
  destinations: readonly Destination[]
}

interface Accepted {
  row: store.NewMessage
  emails: store.NewEmail[]
  reports: store.NewReport[]
  operatorMail: store.NewOperatorMail[]
  limits: DailyLimit[]
}

const countedOf = ({ row: { size }, emails, limits }: Accepted): Counted => ({
  size,
  projects: [...new Set(emails.map(({ projectId }) => projectId))],
  limits: [...new Map(limits.map((limit) => [limit.owner, limit])).values()],
})

/** Of each recipient by itself: a sender that did not hear our answer may come back with some of them only. */
const fingerprintsOf = ({ from, to }: Arrival, digest: Buffer): Buffer[] =>
  to.map(({ email }) =>
    createHash('sha256')
      .update(`${from?.email ?? ''}\0${email}\0`)
      .update(digest)
      .digest(),
  )

/** Those that are new, by their hexadecimal names; each once, should two messages be the same. */
async function remember(tx: Tx, all: readonly Staged[]): Promise<Set<string>> {
  const given = new Map(all.flatMap(({ fingerprints }) => fingerprints.map((one) => [one.toString('hex'), one])))
  const rows = await store.remember(tx, [...given.values()])
  return new Set(rows.map(({ fingerprint }) => fingerprint.toString('hex')))
}

interface Plan {
  reply: Reply
  /** Undefined when there is nothing to keep. */
  message: Accepted | undefined
  /** Fingerprints of what nobody takes. */
  refused: Buffer[]
}

function planOf(
  { arrival, size, blob, fingerprints, destinations }: Addressed,
  fresh: Set<string>,
  hostname: string,
): Plan {
  const id = newId<'rcv'>()
  const row = { id, blob, size, envelopeFrom: arrival.from?.email ?? null, session: storedSession(arrival, hostname) }
  const accepted: Accepted = { row, emails: [], reports: [], operatorMail: [], limits: [] }
  const refused: Buffer[] = []
  let refusal: Reply | undefined
  for (const [at, { email }] of arrival.to.entries()) {
    const [destination, fingerprint] = [destinations[at], fingerprints[at]]
    if (destination === undefined || fingerprint === undefined) throw new Error('a recipient without a destination')
    const isNew = fresh.delete(fingerprint.toString('hex'))
    if (destination.kind !== 'rejected') {
      if (isNew) address(accepted, email, destination)
      continue
    }
    refusal ??= destination.reply
    if (isNew) refused.push(fingerprint)
  }
  const isForSomebody = accepted.emails.length + accepted.reports.length + accepted.operatorMail.length > 0
  if (isForSomebody) {
    const shown = encodeId('rcv', accepted.emails[0]?.id ?? id)
    return { reply: ownReply(250, '2.0.0', `Ok: kept as ${shown}`), message: accepted, refused }
  }
  const isWelcome = destinations.some(({ kind }) => kind !== 'rejected')
  return { reply: isWelcome ? keptAlready : (refusal ?? keptAlready), message: undefined, refused }
}

/** What the trace field in front of the message is made of. It names the recipient only if there is just one. */
function storedSession({ session, to: [first, ...others], smtpUtf8 = false }: Arrival, by: string): InboundTransport {
  const { client, helo, isExtended, tls } = session
  const name = smtpUtf8 ? 'UTF8SMTP' : isExtended ? 'ESMTP' : 'SMTP'
  return {
    address: client.address,
    helo,
    protocol: tls !== undefined && isExtended ? `${name}S` : name,
    tls: tls === undefined ? null : `${tls.version} ${tls.cipher}`,
    by,
    for: others.length === 0 ? (first?.email ?? null) : null,
  }
}

function address(
  { row: { id: messageId }, emails, reports, operatorMail, limits }: Accepted,
  recipient: string,
  destination: Exclude<Destination, { kind: 'rejected' }>,
): void {
  if (destination.kind !== 'project') limits.push(...destination.limits)
  switch (destination.kind) {
    // Also of a project that was paused since RCPT: we said yes.
    case 'project': {
      const { projectId, domainId } = destination
      const recipientKey = addressKey({ email: recipient })
      emails.push({ id: newId<'rcv'>(), projectId, domainId, messageId, recipient, recipientKey })
      return
    }
    case 'report':
      reports.push({ id: newId<'rcv'>(), messageId, ...nothingReported, ...destination.reference })
      return
    case 'domain report': {
      const { domainId, name: domainName } = destination.about
      reports.push({ id: newId<'rcv'>(), messageId, ...nothingReported, domainId, domainName })
      return
    }
    case 'mailbox':
      if (destination.mailbox === 'operator') operatorMail.push({ id: newId<'rcv'>(), messageId, recipient })
      else reports.push({ id: newId<'rcv'>(), messageId, ...nothingReported })
  }
}

const nothingReported = { emailId: null, position: null, domainId: null, domainName: null }
