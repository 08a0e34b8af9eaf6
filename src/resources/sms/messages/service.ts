/** Messages as whoever may look at them sees them. A list shows nothing of whom and what; reading one is remembered. */
import type { Actor, ProjectContext } from '../../../core/caller.ts'
import { parseOptionalTimestamp } from '../../../core/clock.ts'
import { notFound } from '../../../core/errors.ts'
import { decodeId, encodeId, type SmsId } from '../../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../../core/page.ts'
import { recordAudit } from '../../../events/audit.ts'
import type { Database } from '../../../storage/postgres.ts'

import type { DetailedSms, ListSms, Opened, RedactedSms, Sms } from './schema/messages.ts'
import { detailedView, redactedView } from './views.ts'
import * as store from './store/messages.ts'
import { records } from '../registration/index.ts'
import { type PhoneBook, phoneInFilter } from '../projects/index.ts'
import { entriesOfMessage } from '../wallet/index.ts'

export class SmsMessages {
  readonly #db: Database
  readonly #phones: PhoneBook

  constructor(db: Database, phones: PhoneBook) {
    this.#db = db
    this.#phones = phones
  }

  async list(project: ProjectContext, query: ListSms, request: PageRequest): Promise<Page<RedactedSms>> {
    const phone = await phoneInFilter('recipient', query.recipient)
    const filter = {
      status: query.status,
      direction: query.direction,
      category: query.category,
      ...(await this.#parties(project, query)),
      phoneHmac: phone === undefined ? undefined : await this.#phones.hmac(this.#db, project.id, phone),
      recipientRef: query.recipientRef === undefined ? undefined : Buffer.from(query.recipientRef, 'hex'),
      createdAfter: parseOptionalTimestamp(query.createdAfter, '/query/createdAfter'),
      createdBefore: parseOptionalTimestamp(query.createdBefore, '/query/createdBefore'),
    }
    return page(await store.list(this.#db.reads, project.id, filter, request), request, redactedView)
  }

  read(project: ProjectContext, actor: Actor, id: SmsId): Promise<DetailedSms> {
    return this.#db.transaction(async (tx) => {
      const sms = await store.find(tx, project.id, id)
      if (sms === undefined) throw notFound('SMS message')
      await recordAudit(tx, actor, {
        workspaceId: project.workspaceId,
        projectId: project.id,
        action: 'sms.message_read',
        subject: encodeId('sms', id),
      })
      const entries = await entriesOfMessage(tx, project.id, id)
      return detailedView(sms, this.#opened(sms), {
        parts: await store.parts(tx, project.id, id),
        happenings: await store.happenings(tx, project.id, id),
        entries: entries.map((entry) => ({ id: entry.id, type: entry.type, amount: amountOf(entry) })),
      })
    })
  }

  #opened({ id, phone, body, bodySent, metadata }: Sms): Opened {
    return {
      phone: this.#phones.open('sms number', id, phone),
      body: body && this.#phones.open('sms text', id, body),
      bodySent: bodySent && this.#phones.open('sms text', id, bodySent),
      metadata: metadata && (JSON.parse(this.#phones.open('sms metadata', id, metadata)) as Record<string, string>),
    }
  }

  async #parties({ id: project }: ProjectContext, { programId: program, senderId: sender }: ListSms) {
    const programId = program === undefined ? undefined : decodeId('smspg', program)
    if (program !== undefined && !(programId && (await records.program(this.#db.reads, project, programId)))) {
      throw notFound('SMS program')
    }
    const senderId = sender === undefined ? undefined : decodeId('smssn', sender)
    if (sender !== undefined && !(senderId && (await records.sender(this.#db.reads, project, senderId)))) {
      throw notFound('SMS sender')
    }
    return { programId, senderId }
  }
}

const amountOf = ({ postings }: { postings: readonly { debit: number }[] }): number =>
  postings.reduce((sum, { debit }) => sum + debit, 0)
