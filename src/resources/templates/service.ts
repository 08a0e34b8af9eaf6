import type { Actor, ProjectContext } from '../../core/caller.ts'
import { DomainError, neededBy, notFound, type User } from '../../core/errors.ts'
import { decodeId, encodeId, newId, type ProjectId, type TemplateId } from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { recordAudit, type AuditAction } from '../../events/audit.ts'
import { violatedConstraint, type Database, type Db, type Tx } from '../../storage/postgres.ts'
import type { ReadMailing } from '../../mail/compose/mailing.ts'
import type { MessageParts, Variables } from '../../template/index.ts'
import { TemplateContent, type FillableTemplate } from './content.ts'
import { askedBy, type RenderContext, type Renderer } from './renderer.ts'
import type {
  CreateTemplate,
  DeletedTemplate,
  ListTemplates,
  PreviewTemplate,
  PreviewView,
  SeededView,
  SeedTemplates,
  Template,
  TemplateView,
  UpdateTemplate,
} from './schema.ts'
import { templateView } from './views.ts'
import { starters } from './starters/index.ts'
import * as store from './store.ts'
import { declared } from './variables.ts'

/** What others say in the transaction that deletes a template. */
export interface TemplateHooks {
  /** What is about to be sent with it. Whoever plans that holds the template while planning. */
  usersOf(tx: Tx, project: ProjectId, template: TemplateId): Promise<User[]>
}

/** Every change of a template is a new version, and versions stay: an email names the one that it was made from. */
export class Templates {
  readonly #db: Database
  readonly #hooks: TemplateHooks
  readonly #content: TemplateContent

  constructor(db: Database, renderer: Renderer, hooks: TemplateHooks) {
    this.#db = db
    this.#hooks = hooks
    this.#content = new TemplateContent(renderer)
  }

  async list({ id }: ProjectContext, { alias }: ListTemplates, request: PageRequest): Promise<Page<TemplateView>> {
    return page(await store.list(this.#db.reads, id, alias, request), request, templateView)
  }

  async read({ id: project }: ProjectContext, id: TemplateId): Promise<TemplateView> {
    return templateView(found(await store.find(this.#db.reads, project, id)))
  }

  async create(context: ProjectContext, actor: Actor, fields: CreateTemplate): Promise<TemplateView> {
    const { id: project } = context
    const { name, alias = null, subject = '', html = '', text = '', variables = [] } = fields
    const complete = { name, alias, subject, html, text, variables: declared(variables) }
    await this.#content.refuseBroken({ subject, html, text }, askedBy(context))
    return this.#refusingTakenAlias(project, alias, async (tx) => {
      const template = await store.insert(tx, project, newId<'tpl'>(), complete)
      await remember(tx, context, actor, 'template.created', encodeId('tpl', template.id), { name })
      return template
    })
  }

  async update(context: ProjectContext, actor: Actor, id: TemplateId, change: UpdateTemplate): Promise<TemplateView> {
    const { id: project } = context
    const { variables, ...rest } = change
    const complete = variables === undefined ? rest : { ...rest, variables: declared(variables) }
    // Before anything is said about the content: a template that is not there has none.
    found(await store.find(this.#db.reads, project, id))
    await this.#content.refuseBroken(partsIn(change), askedBy(context))
    return this.#refusingTakenAlias(project, change.alias, async (tx) => {
      const template = await store.update(tx, project, id, complete)
      if (template === undefined) return undefined
      const details = { version: template.version, changed: Object.keys(change) }
      await remember(tx, context, actor, 'template.updated', encodeId('tpl', id), details)
      return template
    })
  }

  remove(context: ProjectContext, actor: Actor, id: TemplateId): Promise<DeletedTemplate> {
    return this.#db.transaction(async (tx) => {
      if ((await store.lock(tx, context.id, id)) === undefined) throw notFound('template')
      const users = await this.#hooks.usersOf(tx, context.id, id)
      if (users.length > 0) throw inUse(users)
      await store.remove(tx, context.id, id)
      await remember(tx, context, actor, 'template.deleted', encodeId('tpl', id))
      return { id: encodeId('tpl', id), deleted: true as const }
    })
  }

  async preview(context: ProjectContext, id: TemplateId, body: PreviewTemplate): Promise<PreviewView> {
    const template = found(await store.find(this.#db.reads, context.id, id))
    const { subject, html, text } = await this.fill(template, body.variables ?? {}, askedBy(context))
    return { subject, html, text }
  }

  seed(context: ProjectContext, actor: Actor, { reset = false }: SeedTemplates): Promise<SeededView> {
    const { id: project } = context
    return this.#db.transaction(async (tx) => {
      const restored = reset ? (await store.restoreStarters(tx, project, starterRows())).length : 0
      const created = await makeMissing(tx, project)
      if (created + restored > 0) {
        await remember(tx, context, actor, 'template.starters_made', encodeId('prj', project), { created, restored })
      }
      const data = (await store.findStarters(tx, project)).map(templateView)
      return { created, restored, data }
    })
  }

  /** A new project gets the starters in the transaction that makes it. */
  async seedIn(tx: Tx, project: ProjectId): Promise<void> {
    await makeMissing(tx, project)
  }

  /** Finds a template by its id or alias, as a send names it. */
  async findNamed(db: Db, project: ProjectId, name: string): Promise<Template> {
    const id = decodeId('tpl', name)
    return found(id === undefined ? await store.findByAlias(db, project, name) : await store.find(db, project, id))
  }

  /** Locks the templates against deletion until the transaction ends. False if one of them does not exist. */
  async hold(tx: Tx, project: ProjectId, ids: readonly TemplateId[]): Promise<boolean> {
    const wanted = new Set(ids)
    return wanted.size === 0 || (await store.hold(tx, project, [...wanted])).length === wanted.size
  }

  /** What a message made from the template says; throws `template_error` where it cannot be made. */
  fill(template: FillableTemplate, variables: Variables, context: RenderContext): Promise<MessageParts> {
    return this.#content.fill(template, variables, context)
  }

  /** The text part for html that is too long to be read at once. */
  textOf(html: string, context: RenderContext): Promise<string> {
    return this.#content.textOf(html, context)
  }

  /** What `fill` gives for mail to a contact, with all that is needed to put our marks into it. */
  fillMailing(
    template: FillableTemplate,
    variables: Variables,
    unsubscribeUrl: string,
    context: RenderContext,
  ): Promise<ReadMailing> {
    return this.#content.fillMailing(template, variables, unsubscribeUrl, context)
  }

  async #refusingTakenAlias(
    project: ProjectId,
    alias: string | null | undefined,
    write: (tx: Tx) => Promise<Template | undefined>,
  ): Promise<TemplateView> {
    try {
      return templateView(found(await this.#db.transaction(write)))
    } catch (error) {
      if (violatedConstraint(error) !== 'templates_alias' || !alias) throw error
      const holder = await store.findByAlias(this.#db, project, alias)
      const extra = holder === undefined ? {} : { existingId: encodeId('tpl', holder.id) }
      throw new DomainError('already_exists', `The alias ${alias} is in use.`, extra)
    }
  }
}

function inUse(users: readonly User[]): DomainError {
  const { sentence, usedBy } = neededBy('template', users)
  return new DomainError('in_use', sentence, { usedBy })
}

const partsIn = ({ subject = '', html = '', text = '' }: UpdateTemplate) => ({ subject, html, text })

/** Whoever can change a template changes what goes out in the project's name: who it was must be known. */
const remember = (
  tx: Tx,
  { id, workspaceId }: ProjectContext,
  actor: Actor,
  action: AuditAction,
  subject: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> => recordAudit(tx, actor, { workspaceId, projectId: id, action, subject, details })

function found(template: Template | undefined): Template {
  if (template === undefined) throw notFound('template')
  return template
}

/** How many there were to make. A starter whose alias is somebody else's by now comes without one. */
async function makeMissing(tx: Tx, project: ProjectId): Promise<number> {
  const rows = starterRows()
  const made = new Set((await store.insertStarters(tx, project, rows)).map(({ starter }) => starter))
  if (made.size === rows.length) return made.size
  const present = new Set((await store.findStarters(tx, project)).map(({ starter }) => starter))
  const nameless = rows.filter(({ starter }) => !present.has(starter)).map((row) => ({ ...row, alias: null }))
  if (nameless.length === 0) return made.size
  return made.size + (await store.insertStarters(tx, project, nameless)).length
}

/** The first is made last: lists show what is newest first. */
const starterRows = (): store.StarterFields[] =>
  starters()
    .toReversed()
    .map(({ name, alias, subject, html, text, variables }) => ({
      id: newId<'tpl'>(),
      starter: alias,
      name,
      alias,
      subject,
      html,
      text,
      variables,
    }))
