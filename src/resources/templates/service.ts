import type { ProjectContext } from '../../core/caller.ts'
import { DomainError, notFound } from '../../core/errors.ts'
import { decodeId, encodeId, newId, type ProjectId, type TemplateId } from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { Answer } from '../../http/route.ts'
import { violatedConstraint, type Database, type Db, type Tx } from '../../storage/postgres.ts'
import { TemplateContent, type FillableTemplate, type TemplateParts } from './content.ts'
import {
  templateView,
  type CreateTemplate,
  type DeletedTemplate,
  type ListTemplates,
  type PreviewTemplate,
  type PreviewView,
  type SeededView,
  type SeedTemplates,
  type Template,
  type TemplateView,
  type UpdateTemplate,
} from './schema.ts'
import { starters } from './starters/index.ts'
import * as store from './store.ts'
import { declared } from './variables.ts'

/** Every change of a template is a new version, and versions stay: an email names the one that it was made from. */
export class Templates {
  readonly #db: Database
  readonly #content = new TemplateContent()

  constructor(db: Database) {
    this.#db = db
  }

  async list({ id }: ProjectContext, { alias }: ListTemplates, request: PageRequest): Promise<Page<TemplateView>> {
    return page(await store.list(this.#db.reads, id, alias, request), request, templateView)
  }

  async read({ id: project }: ProjectContext, id: TemplateId): Promise<TemplateView> {
    return templateView(found(await store.find(this.#db.reads, project, id)))
  }

  async create({ id: project }: ProjectContext, fields: CreateTemplate): Promise<TemplateView> {
    const { name, alias = null, subject = '', html = '', text = '', variables = [] } = fields
    const complete = { name, alias, subject, html, text, variables: declared(variables) }
    this.#content.refuseBroken(complete)
    return this.#refusingTakenAlias(project, alias, () => store.insert(this.#db, project, newId<'tpl'>(), complete))
  }

  async update({ id: project }: ProjectContext, id: TemplateId, change: UpdateTemplate): Promise<TemplateView> {
    const { variables, ...rest } = change
    const complete = variables === undefined ? rest : { ...rest, variables: declared(variables) }
    // Before anything is said about the content: a template that is not there has none.
    found(await store.find(this.#db.reads, project, id))
    this.#content.refuseBroken(change)
    return this.#refusingTakenAlias(project, change.alias, () => store.update(this.#db, project, id, complete))
  }

  async remove({ id: project }: ProjectContext, id: TemplateId): Promise<DeletedTemplate> {
    if ((await store.remove(this.#db, project, id)) === undefined) throw notFound('template')
    return { id: encodeId('tpl', id), deleted: true }
  }

  async preview({ id: project }: ProjectContext, id: TemplateId, body: PreviewTemplate): Promise<PreviewView> {
    return this.fill(found(await store.find(this.#db.reads, project, id)), body.variables ?? {})
  }

  /** 201 when something was missing, else 200. */
  seed({ id: project }: ProjectContext, { reset = false }: SeedTemplates): Promise<Answer<SeededView>> {
    return this.#db.transaction(async (tx) => {
      const restored = reset ? (await store.restoreStarters(tx, project, starterRows())).length : 0
      const created = await makeMissing(tx, project)
      const data = (await store.findStarters(tx, project)).map(templateView)
      return new Answer(created > 0 ? 201 : 200, { created, restored, data })
    })
  }

  /** A new project gets the starters in the transaction that makes it. */
  async seedIn(tx: Tx, project: ProjectId): Promise<void> {
    await makeMissing(tx, project)
  }

  /** By id or alias, as a send names it. */
  async findNamed(db: Db, project: ProjectId, name: string): Promise<Template> {
    const id = decodeId('tpl', name)
    return found(id === undefined ? await store.findByAlias(db, project, name) : await store.find(db, project, id))
  }

  /** What a message made from the template says; throws `template_error` where it cannot be made. */
  fill(template: FillableTemplate, variables: Readonly<Record<string, unknown>>): TemplateParts {
    return this.#content.fill(template, variables)
  }

  async #refusingTakenAlias(
    project: ProjectId,
    alias: string | null | undefined,
    write: () => Promise<Template | undefined>,
  ): Promise<TemplateView> {
    try {
      return templateView(found(await write()))
    } catch (error) {
      if (violatedConstraint(error) !== 'templates_alias' || !alias) throw error
      const holder = await store.findByAlias(this.#db, project, alias)
      const extra = holder === undefined ? {} : { existingId: encodeId('tpl', holder.id) }
      throw new DomainError('already_exists', `The alias ${alias} is in use.`, extra)
    }
  }
}

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
