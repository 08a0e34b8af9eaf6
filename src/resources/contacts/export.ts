import type { Actor, ProjectContext } from '../../core/caller.ts'
import { contentTypes, writeRow } from '../../core/csv.ts'
import type { FileContent } from '../../core/file-content.ts'
import { encodeId, type AudienceId, type ContactId, type ProjectId } from '../../core/ids.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Database } from '../../storage/postgres.ts'
import type { Audiences } from '../audiences/index.ts'
import type { ContactView, ExportContacts, ImportFormat } from './schema.ts'
import { contactView } from './views.ts'
import { exportSome } from './store/contacts.ts'

const AT_ONCE = 500

/** Exports an audience as a file that an import takes, a piece at a time, without a transaction that stays open. */
export class Exports {
  readonly #db: Database
  readonly #audiences: Audiences

  constructor(db: Database, audiences: Audiences) {
    this.#db = db
    this.#audiences = audiences
  }

  async export(
    project: ProjectContext,
    actor: Actor,
    audience: AudienceId,
    { format = 'csv' }: ExportContacts,
  ): Promise<FileContent> {
    const id = encodeId('aud', audience)
    await this.#db.transaction(async (tx) => {
      await this.#audiences.findIn(tx, project.id, audience)
      await recordAudit(tx, actor, {
        workspaceId: project.workspaceId,
        projectId: project.id,
        action: 'audience.exported',
        subject: id,
        details: { format },
      })
    })
    const content = this.#lines(project.id, audience, format)
    return { type: contentTypes[format], filename: `${id}.${format}`, content }
  }

  async *#lines(project: ProjectId, audience: AudienceId, format: ImportFormat): AsyncIterable<string> {
    if (format === 'csv') yield writeRow(columns.map(([title]) => title))
    for (let after: ContactId | null = null; ;) {
      const contacts = await exportSome(this.#db, project, audience, after, AT_ONCE)
      const last = contacts.at(-1)
      if (last === undefined) return
      yield contacts.map((contact) => lineOf(contactView(contact), format)).join('')
      if (contacts.length < AT_ONCE) return
      after = last.id
    }
  }
}

const lineOf = (contact: ContactView, format: ImportFormat): string =>
  format === 'csv' ? writeRow(columns.map(([, cell]) => cell(contact))) : `${JSON.stringify(contact)}\n`

const columns: readonly (readonly [title: string, cell: (contact: ContactView) => string | null])[] = [
  ['contactId', ({ id }) => id],
  ['email', ({ email }) => email],
  ['firstName', ({ firstName }) => firstName],
  ['lastName', ({ lastName }) => lastName],
  ['subscribed', ({ subscribed }) => String(subscribed)],
  ['tags', ({ tags }) => tags.join(';')],
  ['properties', ({ properties }) => (Object.keys(properties).length > 0 ? JSON.stringify(properties) : null)],
  ['consentSource', ({ consent }) => consent?.source ?? null],
  ['consentAt', ({ consent }) => consent?.at ?? null],
  ['consentIp', ({ consent }) => consent?.ip ?? null],
  ['consentUserAgent', ({ consent }) => consent?.userAgent ?? null],
  ['consentText', ({ consent }) => consent?.text ?? null],
  ['createdAt', ({ createdAt }) => createdAt],
  ['updatedAt', ({ updatedAt }) => updatedAt],
  ['unsubscribedAt', ({ unsubscribedAt }) => unsubscribedAt],
]
