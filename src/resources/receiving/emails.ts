import type { ProjectContext } from '../../core/caller.ts'
import { parseOptionalTimestamp } from '../../core/clock.ts'
import { invalid, notFound } from '../../core/errors.ts'
import type { FileContent } from '../../core/file-content.ts'
import { decodeId, encodeId, type AttachmentId, type ReceivedId, type ReceivingDomainId } from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { addressKey, parseAddress } from '../../mail/address.ts'
import { traceField } from '../../mail/parse/trace.ts'
import type { Blobs } from '../../storage/blobs.ts'
import type { Database } from '../../storage/postgres.ts'
import type { AttachmentView, ListReceived, ReceivedSummary, ReceivedView } from './schema.ts'
import { attachmentView, receivedSummary, receivedView } from './views.ts'
import { everExisted } from './store/domains.ts'
import * as store from './store/emails.ts'

export interface ReceivedEmailsOptions {
  db: Database
  blobs: Blobs
  /** How long received mail is kept. */
  days: number
}

const PURGED_AT_ONCE = 500

/** What came in for a project. It is there to be read as soon as it was looked into, or could not be. */
export class ReceivedEmails {
  readonly #db: Database
  readonly #blobs: Blobs
  readonly #days: number

  constructor({ db, blobs, days }: ReceivedEmailsOptions) {
    this.#db = db
    this.#blobs = blobs
    this.#days = days
  }

  async list(project: ProjectContext, query: ListReceived, request: PageRequest): Promise<Page<ReceivedSummary>> {
    const { to, from, domainId, receivedAfter, spf, dkim, dmarc } = query
    const filter = {
      to: to === undefined ? undefined : keyOf(to, '/query/to'),
      from: from === undefined ? undefined : keyOf(from, '/query/from'),
      domainId: domainId === undefined ? undefined : await this.#domain(project, domainId),
      receivedAfter: parseOptionalTimestamp(receivedAfter, '/query/receivedAfter'),
    }
    const { reads } = this.#db
    if (spf === undefined && dkim === undefined && dmarc === undefined) {
      return page(await store.list(reads, project.id, filter, request), request, receivedSummary)
    }
    const end = await store.lookEnds(reads, project.id, filter, request)
    const rows = await store.listByVerdicts(reads, project.id, filter, { spf, dkim, dmarc }, end, request)
    return page(rows, request, receivedSummary, end)
  }

  async read(project: ProjectContext, id: ReceivedId): Promise<ReceivedView> {
    const email = await store.find(this.#db.reads, project.id, id)
    if (email === undefined) throw notFound('received email')
    return receivedView(email)
  }

  async attachments(project: ProjectContext, id: ReceivedId, request: PageRequest): Promise<Page<AttachmentView>> {
    const { messageId } = await this.#rawOf(project, id)
    return page(await store.attachments(this.#db.reads, messageId, request), request, attachmentView)
  }

  async attachment(project: ProjectContext, id: ReceivedId, attachmentId: AttachmentId): Promise<FileContent> {
    const { messageId } = await this.#rawOf(project, id)
    const found = await store.findAttachment(this.#db.reads, messageId, attachmentId)
    if (found === undefined) throw notFound('attachment')
    const { contentType, filename, blob } = found
    return { type: contentType, filename: filename ?? 'attachment', content: await this.#bytes(blob) }
  }

  /** Our trace field, then to the byte what came in. */
  async raw(project: ProjectContext, id: ReceivedId): Promise<FileContent> {
    const { blob, session, receivedAt } = await this.#rawOf(project, id)
    const name = encodeId('rcv', id)
    const content = Buffer.concat([Buffer.from(traceField(session, name, receivedAt)), await this.#bytes(blob)])
    return { type: 'message/rfc822', filename: `${name}.eml`, content }
  }

  /** Forgets what was kept for long enough. */
  async purge(signal: AbortSignal): Promise<void> {
    await store.forgetLately(this.#db)
    await store.forgetDaily(this.#db)
    while (!signal.aborted && (await store.purge(this.#db, this.#days, PURGED_AT_ONCE)) === PURGED_AT_ONCE);
  }

  /** Those of these blobs that something received still refers to. */
  async usedBlobs(addresses: readonly string[]): Promise<string[]> {
    return (await store.usedBlobs(this.#db, addresses)).map(({ blob }) => blob)
  }

  async #rawOf(project: ProjectContext, id: ReceivedId): Promise<store.RawRow> {
    const found = await store.findRaw(this.#db.reads, project.id, id)
    if (found === undefined) throw notFound('received email')
    return found
  }

  async #domain(project: ProjectContext, text: string): Promise<ReceivingDomainId> {
    const id = decodeId('rdm', text)
    if (id === undefined || !(await everExisted(this.#db.reads, project.id, id))) throw notFound('receiving domain')
    return id
  }

  async #bytes(blob: string): Promise<Buffer> {
    const bytes = await this.#blobs.get(blob)
    if (bytes === undefined) throw new Error(`the blob ${blob} is gone`)
    return bytes
  }
}

function keyOf(email: string, path: string): string {
  const parsed = parseAddress(email)
  if (!parsed.ok) throw invalid([{ path, message: parsed.problem }])
  return addressKey(parsed.value)
}
