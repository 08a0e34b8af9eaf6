/** Who agreed to be texted, and who took it back. Records are added and never changed; the newest counts. */
import { createHash } from 'node:crypto'
import { madeBy, type Actor, type ProjectContext } from '../../../core/caller.ts'
import { parseTimestamp } from '../../../core/clock.ts'
import { invalid, notFound, type Problem } from '../../../core/errors.ts'
import { fingerprintOf } from '../../../core/fingerprint.ts'
import { decodeId, encodeId, newId, type KeyId, type SmsConsentId, type SmsProgramId } from '../../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../../core/page.ts'
import { recordAudit } from '../../../events/audit.ts'
import type { Publish } from '../../../events/publish.ts'
import { timeZone } from '../../../sms/time-zones.ts'
import type { Database, Tx } from '../../../storage/postgres.ts'

import type {
  Consent,
  ConsentType,
  ConsentView,
  DetailedConsent,
  Evidence,
  ListConsents,
  RecordConsent,
} from './schema.ts'
import { consentView } from './views.ts'
import * as store from './store/consents.ts'

import * as suppressions from './store/suppressions.ts'
import { type Phone, type PhoneBook, gates, phoneFrom, phoneInFilter } from '../projects/index.ts'
import { program as findProgram } from '../registration/index.ts'

/** Clocks differ; a consent of tomorrow is none. */
const MAX_AHEAD_MS = 5 * 60_000

export interface ConsentToRecord {
  phone: Phone
  phoneHmac: Buffer
  programId: SmsProgramId
  type: ConsentType
  action: 'granted' | 'revoked'
  method: Consent['method']
  /** Null for now. */
  capturedAt: Date | null
  evidence: Evidence | null
  recipientTimezone?: string | null
  expiresAt?: Date | null
  recordedBy: KeyId | null
}

export class Consents {
  readonly #db: Database
  readonly #phones: PhoneBook
  readonly #publish: Publish

  constructor(db: Database, phones: PhoneBook, publish: Publish) {
    this.#db = db
    this.#phones = phones
    this.#publish = publish
  }

  async list(project: ProjectContext, query: ListConsents, request: PageRequest): Promise<Page<ConsentView>> {
    const phone = await phoneInFilter('phone', query.phone)
    const filter = {
      phoneHmac: phone === undefined ? undefined : await this.#phones.hmac(this.#db, project.id, phone),
      programId: query.programId === undefined ? undefined : await this.#program(this.#db, project, query.programId),
      action: query.action,
    }
    return page(await store.list(this.#db.reads, project.id, filter, request), request, consentView)
  }

  /** With what proves it; who looked is remembered. */
  read(project: ProjectContext, actor: Actor, id: SmsConsentId): Promise<DetailedConsent> {
    return this.#db.transaction(async (tx) => {
      const consent = await store.find(tx, project.id, id)
      if (consent === undefined) throw notFound('SMS consent')
      await recordAudit(tx, actor, {
        workspaceId: project.workspaceId,
        projectId: project.id,
        action: 'sms.consent_read',
        subject: encodeId('smscn', id),
      })
      const { evidence } = consent
      return {
        ...consentView(consent),
        phone: this.#phones.open('sms number', id, consent.phone),
        evidence: evidence && (JSON.parse(this.#phones.open('sms consent evidence', id, evidence)) as Evidence),
      }
    })
  }

  /** The very same consent is on record once. */
  async record(
    project: ProjectContext,
    actor: Actor,
    fields: RecordConsent,
  ): Promise<{ value: ConsentView; isNew: boolean }> {
    const phone = await phoneFrom(fields.phone)
    const capturedAt = parseTimestamp(fields.capturedAt, '/capturedAt')
    const expiresAt = fields.expiresAt ? parseTimestamp(fields.expiresAt, '/expiresAt') : null
    return this.#db.transaction(async (tx) => {
      const programId = await this.#program(tx, project, fields.programId)
      const now = (await gates(tx, project.id))?.now ?? new Date(0)
      const problems = problemsOf(fields, capturedAt, now)
      if (problems.length > 0) throw invalid(problems)
      const { consent, isNew } = await this.recordIn(tx, project, {
        phone,
        phoneHmac: await this.#phones.hmac(tx, project.id, phone.e164),
        programId,
        type: fields.type,
        action: fields.action,
        method: fields.method,
        capturedAt,
        evidence: fields.evidence ?? null,
        recipientTimezone: fields.recipientTimezone ?? null,
        expiresAt,
        recordedBy: madeBy(actor).keyId,
      })
      if (isNew) {
        await recordAudit(tx, actor, {
          workspaceId: project.workspaceId,
          projectId: project.id,
          action: 'sms_consent.recorded',
          subject: encodeId('smscn', consent.id),
          details: { type: consent.type, action: consent.action, method: consent.method },
        })
      }
      return { value: await this.#lift(tx, project, consent, isNew), isNew }
    })
  }

  async recordIn(
    tx: Tx,
    { id: projectId }: Pick<ProjectContext, 'id'>,
    wanted: ConsentToRecord,
  ): Promise<{ consent: Consent; isNew: boolean }> {
    const { phone, evidence } = wanted
    const id = newId<'smscn'>()
    const said = evidence === null ? null : JSON.stringify(evidence)
    const fingerprint = fingerprintOf({
      ...wanted,
      phone: phone.e164,
      phoneHmac: null,
      recordedBy: null,
      // What has no time of its own happens whenever it is said.
      capturedAt: wanted.capturedAt?.toISOString() ?? id,
      expiresAt: wanted.expiresAt?.toISOString() ?? null,
    })
    const inserted = await store.insert(tx, {
      id,
      projectId,
      programId: wanted.programId,
      phoneHmac: wanted.phoneHmac,
      phone: this.#phones.seal('sms number', id, phone.e164),
      masked: phone.masked,
      type: wanted.type,
      action: wanted.action,
      method: wanted.method,
      capturedAt: wanted.capturedAt,
      evidence: said === null ? null : this.#phones.seal('sms consent evidence', id, said),
      evidenceSha256: said === null ? null : createHash('sha256').update(said).digest(),
      recipientTimezone: wanted.recipientTimezone ?? null,
      expiresAt: wanted.expiresAt ?? null,
      recordedBy: wanted.recordedBy,
      fingerprint,
    })
    if (inserted !== undefined) return { consent: inserted, isNew: true }
    return { consent: await store.byFingerprint(tx, projectId, fingerprint), isNew: false }
  }

  /** What a granted consent does to those who put the number on the list; whoever texted STOP is not brought back. */
  async #lift(tx: Tx, project: ProjectContext, consent: Consent, isNew: boolean): Promise<ConsentView> {
    const view = consentView(consent)
    if (consent.action !== 'granted') return view
    const { phoneHmac, programId, capturedAt } = consent
    const lifted = isNew ? await suppressions.liftByConsent(tx, project.id, phoneHmac, programId, capturedAt) : []
    if (lifted.length > 0) await this.#publish(tx, [optedIn(project, consent, this.#phones)])
    const still = await suppressions.active(tx, project.id, phoneHmac, programId)
    return still.length > 0 ? { ...view, suppressionStillActive: true } : view
  }

  async #program(db: Parameters<typeof findProgram>[0], { id }: ProjectContext, text: string): Promise<SmsProgramId> {
    const programId = decodeId('smspg', text)
    const program = programId && (await findProgram(db, id, programId))
    if (program === undefined) throw notFound('SMS program')
    return program.id
  }
}

/** Somebody who had opted out is back. */
export const optedIn = (
  { id, workspaceId }: Pick<ProjectContext, 'id' | 'workspaceId'>,
  consent: Pick<Consent, 'id' | 'phone' | 'masked' | 'programId'>,
  phones: PhoneBook,
) => {
  const recipient = phones.open('sms number', consent.id, consent.phone)
  return {
    projectId: id,
    workspaceId,
    kind: 'sms.optedin' as const,
    messageId: consent.id,
    recipient,
    detail: '',
    sms: {
      masked: consent.masked,
      fields: {
        projectId: encodeId('prj', id),
        mode: /^\+120255501\d\d$/.test(recipient) ? ('test' as const) : ('live' as const),
        programId: encodeId('smspg', consent.programId),
      },
    },
  }
}

function problemsOf(
  { type, action, evidence, recipientTimezone }: RecordConsent,
  capturedAt: Date,
  now: Date,
): Problem[] {
  const problems: Problem[] = []
  if (capturedAt.getTime() > now.getTime() + MAX_AHEAD_MS) {
    problems.push({ path: '/capturedAt', message: 'lies in the future' })
  }
  if (recipientTimezone && timeZone(recipientTimezone) === undefined) {
    problems.push({ path: '/recipientTimezone', message: 'is not an IANA time zone' })
  }
  if (type !== 'express_written' || action !== 'granted') return problems
  if (!evidence?.disclosureText) {
    problems.push({ path: '/evidence/disclosureText', message: 'is required for a consent in writing' })
  }
  const isProven = (evidence?.sourceUrl && evidence.ipAddress) || evidence?.keywordMessageId || evidence?.documentUrl
  if (!isProven) {
    const message = 'needs sourceUrl and ipAddress, keywordMessageId, or documentUrl for a consent in writing'
    problems.push({ path: '/evidence', message })
  }
  return problems
}
