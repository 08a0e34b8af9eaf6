/**
 * Looks into what was accepted: what it says, who could prove to have sent it, and, where it came back to one of our
 * return paths, what it means for the mail that we sent.
 *
 * A message is unread until it is read or, when that fails again and again, unreadable; both are final, and each tells
 * those whom the message is for, once. What is unreadable is still there to be downloaded as it came.
 */
import { newId } from '../../core/ids.ts'
import type { Log } from '../../core/log.ts'
import { readReference, type MailReference } from '../../core/mail-reference.ts'
import { Semaphore } from '../../core/semaphore.ts'
import type { TokenKeys } from '../../core/token.ts'
import { Batch } from '../../dispatch/batch.ts'
import type { Publish } from '../../events/publish.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { addressKey } from '../../mail/address.ts'
import type { AuthResults, Sender } from '../../mail/parse/authentication.ts'
import type { ParsedMessage } from '../../mail/parse/parsed-message.ts'
import type { Notice } from '../../mail/reports/notice.ts'
import type { Blobs, StagedBlob } from '../../storage/blobs.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { DomainReports } from '../domain-reports/index.ts'
import type { Deliveries } from '../emails/index.ts'
import { DEFER_MS, networkOf, processReceived } from './intake/index.ts'
import type { AttachmentRow } from './schema.ts'
import * as store from './store/processor.ts'

/** Parses what strangers wrote, in a place where it can do no harm. */
export interface MailParser {
  /** Undefined when it took too much time or memory. */
  parse(raw: Buffer, about: { envelopeFrom: string; isDomainReport: boolean }): Promise<ParsedMessage | undefined>
  authResults(raw: Buffer, sender: Sender): Promise<AuthResults>
  /** Null where no server is asked, or none answers. */
  spamScore(raw: Buffer, sender: Sender): Promise<number | null>
}

export interface ReceivedProcessorOptions {
  db: Database
  publish: Publish
  blobs: Blobs
  deliveries: Deliveries
  domainReports: DomainReports
  parser: MailParser
  tokenKeys: () => TokenKeys
  log: Log
  /** Told when there are events. */
  onEvents: () => void
}

/** A message that ended its parser so often, or made it give up, is kept as raw bytes. */
const MAX_ATTEMPTS = 3
const AT_ONCE = 8
/** Raw messages in memory; what is made of them may take as much again. */
const MAX_BYTES = 64 * 1024 * 1024
const FOUND_AT_ONCE = 100

export class ReceivedProcessor {
  readonly #options: ReceivedProcessorOptions
  readonly #bytes = new Semaphore(MAX_BYTES)
  readonly #settling: Batch<Processed, Settled>

  constructor(options: ReceivedProcessorOptions) {
    this.#options = options
    // A commit waits for the disk, and so does the server that takes mail meanwhile: few of them for many messages.
    this.#settling = new Batch((all) => this.#settleTogether(all), { most: 50, gatherMs: 10 })
  }

  /** Each for itself: one that fails is tried again later, with the job, when the others are done. */
  async processAll(ids: readonly string[]): Promise<void> {
    const unread = await store.begin(this.#options.db, ids)
    const failures: unknown[] = []
    const queue = unread.values()
    const processNext = async (): Promise<void> => {
      for (const one of queue) {
        await this.#bytes.with(one.size, () => this.#process(one)).catch((error: unknown) => failures.push(error))
      }
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, unread.length) }, processNext))
    if (failures.length > 0) throw failures[0]
  }

  /** Gives jobs to what came in a burst and has been deferred for long enough. */
  async processDeferred(): Promise<void> {
    for (let isMore = true; isMore;) {
      isMore = await this.#options.db.transaction(async (tx) => {
        const messages = (await store.takeDeferred(tx, DEFER_MS, FOUND_AT_ONCE)).map(({ id }) => id)
        if (messages.length > 0) await enqueue(tx, processReceived, { messages })
        return messages.length === FOUND_AT_ONCE
      })
    }
  }

  /** Gives a new job to what has lost its own. */
  async processLeftovers(): Promise<void> {
    const left = await store.leftUnread(this.#options.db, FOUND_AT_ONCE)
    if (left.length === 0) return
    const messages = left.map(({ id }) => id)
    await this.#options.db.transaction((tx) => enqueue(tx, processReceived, { messages }, { key: 'leftovers' }))
  }

  async #process(unread: store.Unread): Promise<void> {
    const { blobs, parser, log, onEvents } = this.#options
    const { id, attempts } = unread
    const raw = await blobs.get(unread.blob)
    if (raw === undefined) throw new Error(`the bytes of the received message ${id} are gone`)
    const isLast = attempts >= MAX_ATTEMPTS
    const envelopeFrom = unread.envelopeFrom ?? ''
    if (unread.isDomainReport) await this.#options.domainReports.prepare()
    // What has ended its parsers is not given to another one.
    const { isDomainReport } = unread
    const letter = attempts > MAX_ATTEMPTS ? undefined : await parser.parse(raw, { envelopeFrom, isDomainReport })
    if (letter === undefined && !isLast) throw new Error(`the received message ${id} could not be read`)
    if (letter === undefined) log.warn({ message: id }, 'received message unreadable, kept as raw')
    const sender = { address: unread.session.address, helo: unread.session.helo, envelopeFrom }
    const known = letter && (await this.#contents(raw, letter, sender))
    const settled = await this.#settling.add({ id, client: sender.address, letter, ...(known ?? unreadable), isLast })
    if ('failure' in settled) throw settled.failure
    if (settled.isTold) onEvents()
  }

  /** What is wrong with one of them is no fault of the others. */
  async #settleTogether(all: readonly Processed[]): Promise<Settled[]> {
    const together = await this.#settle(all).catch((failure: unknown) => ({ failure }))
    if (Array.isArray(together)) return together
    if (all.length === 1) return [together]
    const settled: Settled[] = []
    for (const one of all) settled.push(...(await this.#settleTogether([one])))
    return settled
  }

  #settle(all: readonly Processed[]): Promise<Settled[]> {
    return this.#options.db.transaction(async (tx) => {
      const rows: store.Finished[] = []
      for (const { id, letter, contents, files } of all) {
        const attachments = await keep(tx, letter, files)
        rows.push({ id, contents: contents && { ...contents, attachments } })
      }
      const finished = new Set((await store.finish(tx, rows)).map(({ id }) => id))
      for (const { id, contents } of rows) {
        const attachments = contents?.attachments ?? []
        if (finished.has(id) && attachments.length > 0) await store.insertAttachments(tx, id, attachments)
      }
      const ours = all.filter(({ id }) => finished.has(id))
      await this.#settleReports(tx, ours)
      const told = await this.#show(tx, ours)
      return all.map(({ id }) => ({ isTold: told.has(id) }))
    })
  }

  async #contents(
    raw: Buffer,
    letter: ParsedMessage,
    sender: Sender,
  ): Promise<Pick<Processed, 'contents' | 'files' | 'author'>> {
    const { parser, blobs } = this.#options
    const { headers, html, text, strippedText, attachments, notice: _, aggregate: __, ...rest } = letter
    const [{ author, ...auth }, spam, files] = await Promise.all([
      parser.authResults(raw, sender),
      parser.spamScore(raw, sender),
      Promise.all(attachments.map(({ content }) => blobs.stage(content))),
    ])
    return { contents: { letter: rest, headers, html, text, strippedText, auth, spam }, files, author }
  }

  /** Those of the messages that an endpoint is told of. */
  async #show(tx: Tx, all: readonly Processed[]): Promise<Set<string>> {
    const letters = new Map(all.map(({ id, letter }) => [id, letter]))
    const senders = all.map(({ id, letter }) => ({ id, senderKey: letter?.from ? addressKey(letter.from) : null }))
    const shown = await store.show(tx, senders)
    const detailOf = (message: string): string => {
      const letter = letters.get(message)
      return letter === undefined ? 'The message could not be read.' : (letter.subject ?? '')
    }
    await this.#options.publish(
      tx,
      shown.map(({ message, id: messageId, projectId, workspaceId, recipient }) => ({
        projectId,
        workspaceId,
        kind: 'email.received' as const,
        messageId,
        recipient,
        detail: detailOf(message),
      })),
    )
    return new Set(shown.map(({ message }) => message))
  }

  async #settleReports(tx: Tx, all: readonly Processed[]): Promise<void> {
    const found = new Map(all.map((processed) => [processed.id, processed]))
    const reports = await store.reports(tx, [...found.keys()])
    await this.#settleDomainReports(tx, reports, found)
    for (const report of reports.filter(({ domainId }) => domainId === null)) {
      const { letter, isLast = false } = found.get(report.message) ?? {}
      const outcome = letter?.notice === undefined ? 'unreadable' : await this.#record(tx, report, letter.notice)
      // In a moment our own note will be there. It is not kept for ever, though.
      if (outcome === 'early' && !isLast) throw new Error(`the report ${report.message} came before our own note`)
      await store.settleReport(tx, report.id, outcome)
    }
  }

  async #settleDomainReports(
    tx: Tx,
    reports: readonly store.ReportRow[],
    found: ReadonlyMap<string, Processed>,
  ): Promise<void> {
    const arrived = reports.flatMap(({ id, message, domainId, domainName }) => {
      const { letter, author, client = '' } = found.get(message) ?? {}
      const report = letter?.aggregate ?? { kind: 'none' as const, because: 'unreadable' }
      return domainId === null || domainName === null
        ? []
        : [{ id, domainId, domainName, report, author, network: networkOf(client) }]
    })
    if (arrived.length === 0) return
    for (const [id, outcome] of await this.#options.domainReports.record(tx, arrived)) {
      await store.settleReport(tx, id, outcome)
    }
  }

  async #record(tx: Tx, report: store.ReportRow, notice: Notice): Promise<string> {
    if (notice.kind === 'nothing') return notice.because
    const reference = this.#referenceOf(report, notice)
    if (reference === undefined) return 'no token of ours'
    const state = notice.kind === 'complaint' ? 'filteredspam' : notice.state
    const recorded = await this.#options.deliveries.recordReport(tx, reference, { state, detail: notice.detail })
    return recorded === 'recorded' ? state : recorded
  }

  /** A failure counts by the address that it came to, and by nothing that is written in it. */
  #referenceOf({ emailId, position }: store.ReportRow, notice: Notice): MailReference | undefined {
    if (emailId !== null && position !== null) return { emailId, position }
    if (notice.kind !== 'complaint' || notice.reference === undefined) return undefined
    return readReference(this.#options.tokenKeys(), 'recipient', notice.reference.toLowerCase())
  }
}

/** What was found, to be written down. */
interface Processed {
  id: string
  /** The address of the server that handed it over. */
  client: string
  letter: ParsedMessage | undefined
  contents: Omit<store.Contents, 'attachments'> | undefined
  files: readonly StagedBlob[]
  /** The domain that the message is proven to come from. */
  author: string | undefined
  isLast: boolean
}

const unreadable = { contents: undefined, files: [], author: undefined }

type Settled = { isTold: boolean } | { failure: unknown }

async function keep(tx: Tx, letter: ParsedMessage | undefined, files: readonly StagedBlob[]): Promise<AttachmentRow[]> {
  const rows: AttachmentRow[] = []
  for (const [at, { filename, contentType, contentId, disposition, content }] of (
    letter?.attachments ?? []
  ).entries()) {
    const blob = await files[at]?.put(tx)
    if (blob === undefined) throw new Error('an attachment was not staged')
    const named = { filename: filename ?? null, contentType, contentId: contentId ?? null, disposition }
    rows.push({ id: newId<'att'>(), ...named, size: content.length, blob })
  }
  return rows
}
