/**
 * The records that carriers want to see before anybody may send: the business, the program, the sender.
 *
 *   draft ⇄ submitted → in_review → approved | rejected       approved → suspended | expired
 *
 * The API goes from draft to submitted and back; a rejected record can be edited and is a draft again. Everything else,
 * and above all the move to active, is the operator's, who hears it from the carrier.
 */
import type { Actor, ProjectContext } from '../../../core/caller.ts'
import { DomainError, invalid, notFound } from '../../../core/errors.ts'
import {
  decodeId,
  encodeId,
  newId,
  type ProjectId,
  type SmsProfileId,
  type SmsProgramId,
  type SmsSenderId,
} from '../../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../../core/page.ts'
import { recordAudit, type AuditAction } from '../../../events/audit.ts'
import { isHours } from '../../../sms/quiet-hours.ts'
import { violatedConstraint, type Database, type Db, type Tx } from '../../../storage/postgres.ts'
import { addressProblem, lintProfile, lintProgram, lintSender, refuseIncomplete } from './lint.ts'

import type {
  CreateSender,
  ProfileView,
  ProgramFields,
  ProgramView,
  RecordStatus,
  SenderView,
  UpdateProfile,
  UpdateProgram,
  UpdateSender,
} from './schema.ts'
import { profileView, programView, senderView } from './views.ts'
import * as store from './store.ts'
import type { PhoneBook } from '../projects/index.ts'

export class SmsRecords {
  readonly #db: Database
  readonly #phones: PhoneBook

  constructor(db: Database, phones: PhoneBook) {
    this.#db = db
    this.#phones = phones
  }

  async profiles(
    { id }: ProjectContext,
    status: RecordStatus | undefined,
    request: PageRequest,
  ): Promise<Page<ProfileView>> {
    return page(await store.profiles(this.#db.reads, id, status, request), request, profileView)
  }

  async programs(
    { id }: ProjectContext,
    status: RecordStatus | undefined,
    request: PageRequest,
  ): Promise<Page<ProgramView>> {
    return page(await store.programs(this.#db.reads, id, status, request), request, programView)
  }

  async senders(
    { id }: ProjectContext,
    status: RecordStatus | undefined,
    request: PageRequest,
  ): Promise<Page<SenderView>> {
    return page(await store.senders(this.#db.reads, id, status, request), request, senderView)
  }

  async profile({ id: project }: ProjectContext, id: SmsProfileId): Promise<ProfileView> {
    return profileView(found(await store.profile(this.#db.reads, project, id), 'SMS business profile'))
  }

  async program({ id: project }: ProjectContext, id: SmsProgramId): Promise<ProgramView> {
    return programView(found(await store.program(this.#db.reads, project, id), 'SMS program'))
  }

  async sender({ id: project }: ProjectContext, id: SmsSenderId): Promise<SenderView> {
    return senderView(found(await store.sender(this.#db.reads, project, id), 'SMS sender'))
  }

  createProfile(project: ProjectContext, actor: Actor, given: Omit<UpdateProfile, 'status'>): Promise<ProfileView> {
    const { registrationNumber, ...fields } = given
    const id = newId<'smsbp'>()
    return this.#db.transaction(async (tx) => {
      const profile = await store.insertProfile(
        tx,
        project.id,
        id,
        fields,
        this.#sealed(id, registrationNumber ?? null),
      )
      await audit(tx, project, actor, 'sms_record.created', encodeId('smsbp', id))
      return profileView(profile)
    })
  }

  updateProfile(project: ProjectContext, actor: Actor, id: SmsProfileId, change: UpdateProfile): Promise<ProfileView> {
    const { status: wish, registrationNumber, ...edits } = change
    return this.#db.transaction(async (tx) => {
      const before = found(await store.lockProfile(tx, project.id, id), 'SMS business profile')
      const isEdit = Object.keys(edits).length > 0 || registrationNumber !== undefined
      const status = nextStatus(before.status, wish, isEdit)
      const fields = { ...before.fields, ...edits }
      const number = registrationNumber === undefined ? undefined : this.#sealed(id, registrationNumber)
      if (status === 'submitted' && before.status !== 'submitted') {
        const { registrationLast2 } = number ?? before
        refuseIncomplete(lintProfile({ fields, registrationLast2 }))
      }
      const profile = await store.updateProfile(tx, project.id, id, { fields, status, number })
      await auditMove(tx, project, actor, encodeId('smsbp', id), before.status, status)
      return profileView(profile)
    })
  }

  createProgram(project: ProjectContext, actor: Actor, given: Omit<UpdateProgram, 'status'>): Promise<ProgramView> {
    const { businessProfileId: profile, ...fields } = given
    const id = newId<'smspg'>()
    checkQuietHours(fields)
    return this.#db.transaction(async (tx) => {
      const businessProfileId = await this.#profileIn(tx, project.id, profile ?? null)
      const program = await store.insertProgram(tx, project.id, { id, businessProfileId, fields })
      await audit(tx, project, actor, 'sms_record.created', encodeId('smspg', id))
      return programView(program)
    })
  }

  updateProgram(project: ProjectContext, actor: Actor, id: SmsProgramId, change: UpdateProgram): Promise<ProgramView> {
    const { status: wish, businessProfileId: named, ...edits } = change
    checkQuietHours(edits)
    return this.#db.transaction(async (tx) => {
      const before = found(await store.lockProgram(tx, project.id, id), 'SMS program')
      const businessProfileId =
        named === undefined ? before.businessProfileId : await this.#profileIn(tx, project.id, named)
      const isEdit = Object.keys(edits).length > 0 || named !== undefined
      const status = nextStatus(before.status, wish, isEdit)
      const fields = { ...before.fields, ...edits }
      if (status === 'submitted' && before.status !== 'submitted') {
        const profile = businessProfileId ? await store.profile(tx, project.id, businessProfileId) : undefined
        refuseIncomplete(lintProgram({ fields, businessProfileId }, profile))
      }
      const program = await store.updateProgram(tx, project.id, id, { fields, status, businessProfileId })
      await auditMove(tx, project, actor, encodeId('smspg', id), before.status, status)
      return programView(program)
    })
  }

  createSender(project: ProjectContext, actor: Actor, given: CreateSender): Promise<SenderView> {
    const { programId: program, twoWay = false, ...fields } = given
    const id = newId<'smssn'>()
    checkAddress(fields)
    return this.#db.transaction(async (tx) => {
      const programId = await this.#programIn(tx, project.id, program ?? null)
      const sender = await unique(() => store.insertSender(tx, project.id, { ...fields, id, programId, twoWay }))
      await audit(tx, project, actor, 'sms_record.created', encodeId('smssn', id))
      return senderView(sender)
    })
  }

  updateSender(project: ProjectContext, actor: Actor, id: SmsSenderId, change: UpdateSender): Promise<SenderView> {
    const { status: wish, programId: named, ...edits } = change
    return this.#db.transaction(async (tx) => {
      const before = found(await store.lockSender(tx, project.id, id), 'SMS sender')
      const programId = named === undefined ? before.programId : await this.#programIn(tx, project.id, named)
      const status = nextStatus(before.status, wish, Object.keys(edits).length > 0 || named !== undefined)
      const after = { ...before, ...edits, programId, status }
      checkAddress(after)
      if (status === 'submitted' && before.status !== 'submitted') {
        const program = programId ? await store.program(tx, project.id, programId) : undefined
        refuseIncomplete(lintSender(after, program))
      }
      const sender = await unique(() => store.updateSender(tx, project.id, id, after))
      await auditMove(tx, project, actor, encodeId('smssn', id), before.status, status)
      return senderView(sender)
    })
  }

  #sealed(id: SmsProfileId, number: string | null): store.SealedNumber {
    if (number === null) return { registrationNumber: null, registrationLast2: null }
    const registrationNumber = this.#phones.seal('sms registration number', id, number)
    return { registrationNumber, registrationLast2: number.slice(-2) }
  }

  async #profileIn(db: Db, project: ProjectId, text: string | null): Promise<SmsProfileId | null> {
    if (text === null) return null
    const id = decodeId('smsbp', text)
    return found(id && (await store.profile(db, project, id)), 'SMS business profile').id
  }

  async #programIn(db: Db, project: ProjectId, text: string | null): Promise<SmsProgramId | null> {
    if (text === null) return null
    const id = decodeId('smspg', text)
    return found(id && (await store.program(db, project, id)), 'SMS program').id
  }
}

/** Where a record goes by a wish of the API, or why it may not. */
function nextStatus(current: RecordStatus, wish: string | undefined, isEdit: boolean): RecordStatus {
  if (wish !== undefined && wish !== 'submitted' && wish !== 'draft') {
    throw new DomainError(
      'sms_activation_not_allowed',
      'Only the operator can set this status: set submitted, or draft to change the record.',
    )
  }
  const isOpen = current === 'draft' || current === 'rejected'
  // Taken back first, edited then.
  const isTakenBack = current === 'submitted' && wish === 'draft'
  if (isEdit && !isOpen && !isTakenBack) {
    throw new DomainError('sms_record_locked', `The record is ${current} and cannot be edited.`, { state: current })
  }
  if (wish === undefined) return isEdit ? 'draft' : current
  if (!isOpen && current !== 'submitted') {
    const sentence = `The record is ${current}; it cannot become ${wish}.`
    throw new DomainError('sms_invalid_transition', sentence, { state: current })
  }
  return wish
}

function found<Row>(row: Row | undefined, thing: string): Row {
  if (row === undefined) throw notFound(thing)
  return row
}

function checkQuietHours({ quietHours }: ProgramFields): void {
  if (quietHours?.preset !== 'custom') return
  const { start = '', end = '' } = quietHours
  if (!isHours({ start, end })) throw invalid([{ path: '/quietHours', message: 'needs a start before an end' }])
}

function checkAddress(sender: Parameters<typeof addressProblem>[0]): void {
  const message = addressProblem(sender)
  if (message !== undefined) throw invalid([{ path: '/address', message }])
}

/** Twice the same address in one project; in another one it is nobody's business here. */
async function unique<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (violatedConstraint(error) === undefined) throw error
    throw new DomainError('already_exists', 'The project has a sender with this address.')
  }
}

const audit = (
  tx: Tx,
  project: ProjectContext,
  actor: Actor,
  action: AuditAction,
  subject: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> =>
  recordAudit(tx, actor, { workspaceId: project.workspaceId, projectId: project.id, action, subject, details })

const auditMove = (
  tx: Tx,
  project: ProjectContext,
  actor: Actor,
  subject: string,
  from: RecordStatus,
  to: RecordStatus,
): Promise<void> => {
  const isSubmitted = to === 'submitted' && from !== 'submitted'
  return audit(tx, project, actor, isSubmitted ? 'sms_record.submitted' : 'sms_record.updated', subject, { from, to })
}
