/** Whom a project must not text. An entry is lifted by something that happened later, never removed. */
import type { Actor, ProjectContext } from '../../../core/caller.ts'
import { invalid, notFound } from '../../../core/errors.ts'
import { decodeId, encodeId, newId, type SmsProgramId, type SmsSuppressionId } from '../../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../../core/page.ts'
import { recordAudit } from '../../../events/audit.ts'
import type { Publish } from '../../../events/publish.ts'
import { scaled, SIMULATED_SUPPRESSION_MS } from '../../../sms/simulator.ts'
import type { Database, Db, Tx } from '../../../storage/postgres.ts'

import type { AddSuppression, ListSmsSuppressions, Origin, SmsSuppressionView, Suppression } from './schema.ts'
import { suppressionView } from './views.ts'

import * as store from './store/suppressions.ts'
import { type Phone, type PhoneBook, phoneFrom, phoneInFilter } from '../projects/index.ts'
import { program as findProgram } from '../registration/index.ts'

export interface SuppressionsOptions {
  db: Database
  phones: PhoneBook
  publish: Publish
  /** Of the simulator's delays. */
  timeScale: number
}

type Owner = Pick<ProjectContext, 'id' | 'workspaceId'>

export interface ToSuppress {
  phone: Phone
  phoneHmac: Buffer
  programId: SmsProgramId | null
  origin: Origin
  reason: Suppression['reason']
  note: string | null
}

export class SmsSuppressions {
  readonly #options: SuppressionsOptions
  readonly #db: Database

  constructor(options: SuppressionsOptions) {
    this.#options = options
    this.#db = options.db
  }

  async list(
    project: ProjectContext,
    query: ListSmsSuppressions,
    request: PageRequest,
  ): Promise<Page<SmsSuppressionView>> {
    const phone = await phoneInFilter('phone', query.phone)
    const filter = {
      phoneHmac: phone === undefined ? undefined : await this.#options.phones.hmac(this.#db, project.id, phone),
      programId: query.programId === undefined ? undefined : await programOf(this.#db, project, query.programId),
      status: query.status,
    }
    return page(await store.list(this.#db.reads, project.id, filter, request), request, suppressionView)
  }

  async read(project: ProjectContext, id: SmsSuppressionId): Promise<SmsSuppressionView> {
    const suppression = await store.find(this.#db.reads, project.id, id)
    if (suppression === undefined) throw notFound('SMS suppression')
    return suppressionView(suppression)
  }

  async add(
    project: ProjectContext,
    actor: Actor,
    fields: AddSuppression,
  ): Promise<{ value: SmsSuppressionView; isNew: boolean }> {
    const phone = await phoneFrom(fields.phone)
    const { scope = fields.programId ? 'program' : 'project', reason = 'manual', note = null } = fields
    if ((scope === 'program') !== (typeof fields.programId === 'string')) {
      throw invalid([{ path: '/programId', message: 'goes with the scope program, and only with it' }])
    }
    return this.#db.transaction(async (tx) => {
      const programId = fields.programId ? await programOf(tx, project, fields.programId) : null
      const phoneHmac = await this.#options.phones.hmac(tx, project.id, phone.e164)
      const wanted = { phone, phoneHmac, programId, origin: 'manual', reason, note } as const
      const { suppression, isNew } = await this.addIn(tx, project, wanted)
      if (isNew) {
        await recordAudit(tx, actor, {
          workspaceId: project.workspaceId,
          projectId: project.id,
          action: 'sms_suppression.added',
          subject: encodeId('smssp', suppression.id),
          details: { scope, reason },
        })
      }
      return { value: suppressionView(suppression), isNew }
    })
  }

  /** Whoever opts out themselves is told of; what the project does itself it knows. */
  async addIn(tx: Tx, owner: Owner, wanted: ToSuppress): Promise<{ suppression: Suppression; isNew: boolean }> {
    const { phone, phoneHmac, programId, origin, reason, note } = wanted
    const id = newId<'smssp'>()
    await store.liftExpired(tx, owner.id, phoneHmac)
    if (programId === null && (origin === 'keyword' || origin === 'carrier')) {
      await store.liftWeaker(tx, owner.id, phoneHmac)
    }
    const inserted = await store.insert(tx, {
      id,
      projectId: owner.id,
      phoneHmac,
      phone: this.#options.phones.seal('sms number', id, phone.e164),
      masked: phone.masked,
      scope: programId === null ? 'project' : 'program',
      programId,
      origin,
      reason,
      note,
      expiresAfterMs: phone.simulator === undefined ? null : scaled(SIMULATED_SUPPRESSION_MS, this.#options.timeScale),
    })
    if (inserted === undefined) {
      const present = (await store.active(tx, owner.id, phoneHmac, programId)).find(
        (one) => one.programId === programId,
      )
      if (present === undefined) throw new Error('a suppression is neither there nor can it be added')
      return { suppression: present, isNew: false }
    }
    if (origin !== 'manual') await this.#options.publish(tx, [optedOut(owner, inserted, phone)])
    return { suppression: inserted, isNew: true }
  }
}

const optedOut = ({ id, workspaceId }: Owner, { id: messageId, masked, origin }: Suppression, phone: Phone) => ({
  projectId: id,
  workspaceId,
  kind: 'sms.optedout' as const,
  messageId,
  recipient: phone.e164,
  detail: origin,
  sms: {
    masked,
    fields: {
      projectId: encodeId('prj', id),
      mode: phone.simulator === undefined ? ('live' as const) : ('test' as const),
      origin,
    },
  },
})

async function programOf(db: Db, { id }: ProjectContext, text: string): Promise<SmsProgramId> {
  const programId = decodeId('smspg', text)
  const program = programId && (await findProgram(db, id, programId))
  if (program === undefined) throw notFound('SMS program')
  return program.id
}
