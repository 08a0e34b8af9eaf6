import type { Actor, Caller, Visibility } from '../../core/caller.ts'
import { parseOptionalTimestamp } from '../../core/clock.ts'
import { contentTypes, writeRow } from '../../core/csv.ts'
import { DomainError, notFound } from '../../core/errors.ts'
import type { FileContent } from '../../core/file-content.ts'
import { decodeId, encodeId, isId, type ProjectId } from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { recordAudit } from '../../events/audit.ts'
import { onlyByIndex } from '../../storage/by-index.ts'
import type { Database } from '../../storage/postgres.ts'
import type { Projects } from '../projects/index.ts'
import type { EntryFilter, EntryRow, EntryView, ExportAudit, ExportFormat, ListAudit } from './schema.ts'
import * as store from './store.ts'
import { entryView } from './views.ts'

/** So many entries are read at a time for a file. */
const EXPORTED_AT_ONCE = 500

/** Who did what, for those who may know: all of the workspace, or what was done in the projects that they see. */
export class AuditLog {
  readonly #db: Database
  readonly #projects: Projects

  constructor(db: Database, projects: Projects) {
    this.#db = db
    this.#projects = projects
  }

  async list(caller: Caller, query: ListAudit, request: PageRequest): Promise<Page<EntryView>> {
    const filter = await this.#filterOf(caller, query)
    const { rows, further } = await this.#some(caller, filter, request)
    const { data, ...rest } = page(rows, request, (row) => row, further)
    return { data: await this.#views(caller, data), ...rest }
  }

  async export(caller: Caller, actor: Actor, { format = 'csv', ...query }: ExportAudit): Promise<FileContent> {
    const filter = await this.#filterOf(caller, query)
    const { workspaceId } = caller
    const [projectId, ...others] = filter.projects ?? []
    const subject = encodeId('acc', workspaceId)
    await this.#db.transaction((tx) =>
      recordAudit(tx, actor, {
        workspaceId,
        projectId: projectId !== undefined && others.length === 0 ? projectId : null,
        action: 'audit.exported',
        subject,
        details: { format, ...recordable(query) },
      }),
    )
    return { type: contentTypes[format], filename: `audit-log.${format}`, content: this.#lines(caller, filter, format) }
  }

  async *#lines(caller: Visibility, filter: EntryFilter, format: ExportFormat): AsyncIterable<string> {
    if (format === 'csv') yield writeRow(columns.map(([title]) => title))
    for (let after: string | null = null; ;) {
      const { rows, further } = await this.#some(caller, filter, { limit: EXPORTED_AT_ONCE, after })
      const shown = rows.slice(0, EXPORTED_AT_ONCE)
      if (shown.length > 0) yield (await this.#views(caller, shown)).map((entry) => lineOf(entry, format)).join('')
      after = rows.length > shown.length ? (shown.at(-1)?.id ?? null) : further
      if (after === null) return
    }
  }

  #some(
    { workspaceId }: Visibility,
    filter: EntryFilter,
    request: PageRequest,
  ): Promise<{ rows: EntryRow[]; further: string | null }> {
    return this.#db.transaction(async (tx) => {
      // Whatever was last counted, these statements must find their rows by their indexes.
      await tx.run(onlyByIndex)
      const rows = await store.list(tx, workspaceId, filter, request)
      if (rows.length > request.limit) return { rows, further: null }
      return { rows, further: await store.reached(tx, workspaceId, filter, request) }
    })
  }

  async #views({ workspaceId }: Visibility, rows: readonly EntryRow[]): Promise<EntryView[]> {
    const subjects = [...new Set(rows.map(({ subject }) => subject))]
    const names = await store.namesOf(this.#db.reads, workspaceId, subjects)
    return rows.map((row) => entryView(row, names))
  }

  async #filterOf(caller: Caller, query: Omit<ListAudit, 'limit' | 'cursor'>): Promise<EntryFilter> {
    const { actor, action, subject, requestId, after, before } = query
    return {
      actor: actor === undefined ? undefined : actorOf(actor),
      action: action === undefined ? undefined : actionOf(action),
      subject,
      requestId,
      projects: query.projectId === undefined ? visible(caller) : [await this.#project(caller, query.projectId)],
      after: parseOptionalTimestamp(after, '/query/after'),
      before: parseOptionalTimestamp(before, '/query/before'),
    }
  }

  /** A key that is bound to a project says so when it is asked for another; a person does not know that there is one. */
  async #project(caller: Caller, text: string): Promise<ProjectId> {
    const id = decodeId('prj', text)
    const { type, projectIds } = caller
    if (type === 'key' && projectIds !== null && (id === undefined || !projectIds.includes(id))) {
      throw new DomainError('project_not_allowed', 'This key is bound to another project: leave projectId out.')
    }
    if (id === undefined) throw notFound('project')
    return (await this.#projects.findIn(this.#db.reads, caller, id)).id
  }
}

/** The filters of a download, without texts that name nothing: a secret could have been pasted there by mistake. */
function recordable({ actor, subject, requestId, ...others }: Omit<ExportAudit, 'format'>) {
  const isName = (text: string): boolean => isId(text) || text === 'operator' || text === 'recipient'
  const names = Object.entries({ actor, subject, requestId }).filter(([, text]) => text !== undefined && isName(text))
  return { ...others, ...Object.fromEntries(names) }
}

const visible = ({ projectIds }: Visibility): readonly ProjectId[] | undefined => projectIds ?? undefined

/** A text that names no actor matches no entry. */
function actorOf(text: string): NonNullable<EntryFilter['actor']> {
  const [keyId, personId] = [decodeId('key', text), decodeId('per', text)]
  if (keyId !== undefined) return { keyId }
  return personId === undefined ? { type: text } : { personId }
}

/** `key.revoked` is one action; `key` and `key.` are all that begin so. */
const actionOf = (text: string): NonNullable<EntryFilter['action']> =>
  /\../.test(text) ? { exact: text } : { area: `${text.replace('.', '')}.` }

const lineOf = (entry: EntryView, format: ExportFormat): string =>
  format === 'csv' ? writeRow(columns.map(([, cell]) => cell(entry))) : `${JSON.stringify(entry)}\n`

const columns: readonly (readonly [title: string, cell: (entry: EntryView) => string | null])[] = [
  ['at', ({ at }) => at],
  ['actorType', ({ actor }) => actor.type],
  ['actorId', ({ actor }) => actor.id],
  ['actorName', ({ actor }) => actor.name],
  ['sentence', ({ sentence }) => sentence],
  ['action', ({ action }) => action],
  ['subject', ({ subject }) => subject],
  ['subjectName', ({ subjectName }) => subjectName],
  ['projectId', ({ projectId }) => projectId],
  ['requestId', ({ requestId }) => requestId],
  ['details', ({ details }) => (Object.keys(details).length > 0 ? JSON.stringify(details) : null)],
  ['id', ({ id }) => id],
]
