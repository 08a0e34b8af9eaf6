import { isDeepStrictEqual } from 'node:util'
import type { Actor, Caller, ProjectContext } from '../../core/caller.ts'
import { parseMoment, type Clock } from '../../core/clock.ts'
import { invalid, MAX_USERS, notFound, type User } from '../../core/errors.ts'
import {
  encodeId,
  newId,
  type AutomationId,
  type EmailId,
  type ProjectId,
  type RunId,
  type TemplateId,
} from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { requireSending } from '../../core/roles.ts'
import { auditOf } from '../../events/audit.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { addressKey, parseAddress } from '../../mail/address.ts'
import type { Database, Db, Tx } from '../../storage/postgres.ts'
import type { Audiences } from '../audiences/index.ts'
import { releaseHeld, type Mailing, type Mailings } from '../emails/index.ts'
import type { Tags } from '../tags/index.ts'
import type { Templates } from '../templates/index.ts'
import { plannedSteps } from './plan.ts'
import { problemsOf } from './problems.ts'
import { idsOf, Reader, type Version } from './read-automation.ts'
import type { CreateAutomation, ListAutomations, UpdateAutomation } from './request-schema.ts'
import type {
  Automation,
  AutomationSummary,
  AutomationView,
  DeletedAutomation,
  ListRuns,
  Run,
  RunView,
} from './schema.ts'
import type { Simulate, SimulationView } from './simulation-schema.ts'
import { simulate, simulatedPerson } from './simulate.ts'
import * as store from './store/automations.ts'
import * as needs from './store/needs.ts'
import * as runs from './store/runs.ts'
import { automationSummary, runView } from './views.ts'
import { clearAutomation, resumeRuns } from './job-kinds.ts'

export interface AutomationsOptions {
  db: Database
  audiences: Audiences
  templates: Templates
  tags: Tags
  mailings: Mailings
  clock: Clock
}

const RECENT = 20
const AT_ONCE = 2_000

/**
 * Versions make it safe to edit what people are inside of: a run keeps the version that it started with. Whether an
 * automation is enabled, its name and who may start again are no part of a version and count at once.
 */
export class Automations {
  readonly #options: AutomationsOptions
  readonly #db: Database
  readonly #reader: Reader

  constructor(options: AutomationsOptions) {
    this.#options = options
    this.#db = options.db
    this.#reader = new Reader(options)
  }

  async list(project: ProjectContext, query: ListAutomations, request: PageRequest): Promise<Page<AutomationSummary>> {
    const found = await store.list(this.#db.reads, project.id, query.enabled, request)
    const problemOf = await problemsOf(this.#db, this.#options.mailings, project, found)
    return page(found, request, (automation) => automationSummary(automation, problemOf(automation)))
  }

  async read(project: ProjectContext, id: AutomationId): Promise<AutomationView> {
    const db = this.#db.reads
    const automation = await this.#find(db, project.id, id)
    const problemOf = await problemsOf(this.#db, this.#options.mailings, project, [automation])
    const recent = await runs.list(db, project.id, id, {}, { limit: RECENT - 1, after: null })
    const view = await this.#runViewer(db, project.id, recent)
    return { ...automationSummary(automation, problemOf(automation)), recentRuns: recent.map(view) }
  }

  async create(project: ProjectContext, actor: Actor, fields: CreateAutomation): Promise<AutomationView> {
    const version = await this.#reader.read(project, fields)
    const { name, enabled = false, reentry = 'never' } = fields
    if (enabled) await this.#requireSender(project, version)
    const id = newId<'aut'>()
    const { templates } = this.#options
    await this.#db.transaction(async (tx) => {
      if (enabled && !(await templates.hold(tx, project.id, templatesOf(version)))) throw notFound('template')
      await store.insert(tx, project.id, id, { name, enabled, reentry, ...idsOf(fields.trigger) })
      await store.insertVersion(tx, project.id, id, 1, version)
      await audit(tx, project, actor, 'automation.created', id, { name, enabled })
    })
    return this.read(project, id)
  }

  async update(
    project: ProjectContext,
    { caller, actor }: { caller: Caller; actor: Actor },
    id: AutomationId,
    change: UpdateAutomation,
  ): Promise<AutomationView> {
    for (;;) {
      const present = await this.#find(this.#db.reads, project.id, id)
      // Whoever joins an enabled automation is mailed what it says from now on.
      if (caller.type === 'person' && present.enabled && change.enabled !== false) requireSending(caller.role)
      // False when another request has made a new version meanwhile: then this one decides again.
      if (await this.#updateFrom(project, actor, present, change)) return this.read(project, id)
    }
  }

  remove(project: ProjectContext, actor: Actor, id: AutomationId): Promise<DeletedAutomation> {
    return this.#db.transaction(async (tx) => {
      const deleted = await store.markDeleted(tx, project.id, id)
      if (deleted === undefined) throw notFound('automation')
      await enqueue(tx, clearAutomation, { project: project.id, automation: id })
      await enqueue(tx, releaseHeld, {}, { key: 'automation' })
      await audit(tx, project, actor, 'automation.deleted', id, deleted)
      return { id: encodeId('aut', id), deleted: true }
    })
  }

  async runs(
    { id: project }: ProjectContext,
    id: AutomationId,
    { status, email }: ListRuns,
    request: PageRequest,
  ): Promise<Page<RunView>> {
    const address = email === undefined ? undefined : addressIn(email)
    await this.#find(this.#db.reads, project, id)
    const found = await runs.list(this.#db.reads, project, id, { status, email: address }, request)
    return page(found, request, await this.#runViewer(this.#db.reads, project, found))
  }

  /** The enabled automations that were written with a template, which therefore has to stay. */
  async usersOf(tx: Tx, project: ProjectId, template: TemplateId): Promise<User[]> {
    const found = await needs.usersOf(tx, project, template, MAX_USERS)
    return found.map(({ id, name }) => ({ type: 'automation', id: encodeId('aut', id), name }))
  }

  async simulate(project: ProjectContext, id: AutomationId, body: Simulate): Promise<SimulationView> {
    const at = body.at === undefined ? new Date(this.#options.clock.now()) : parseMoment(body.at)
    if (at === undefined) throw invalid([{ path: '/at', message: 'is not a date and time that exists' }])
    const automation = await this.#find(this.#db.reads, project.id, id)
    const person = await simulatedPerson(this.#db.reads, project, automation, body)
    const version = await this.#version(automation)
    return simulate(this.#db.reads, this.#options.mailings, project, automation, version, person, at)
  }

  /** Stops some runs of a deleted automation. Returns how many there were. */
  stopSome(tx: Tx, project: ProjectId, id: AutomationId): Promise<number> {
    return runs.stopSome(tx, project, id, AT_ONCE)
  }

  /** Releases runs that need not be held any more. Returns how many there were. */
  resumeSome(): Promise<number> {
    return runs.resumeSome(this.#db, AT_ONCE)
  }

  async foldCounts(): Promise<void> {
    await store.foldCounts(this.#db)
  }

  /** Deletes what no call can ask for any more. */
  async forgetOld(signal: AbortSignal): Promise<void> {
    await store.forgetVersions(this.#db)
    while ((await store.forgetRuns(this.#db, AT_ONCE)) === AT_ONCE) signal.throwIfAborted()
    await store.forgetDeleted(this.#db)
  }

  async #updateFrom(
    project: ProjectContext,
    actor: Actor,
    present: Automation,
    change: UpdateAutomation,
  ): Promise<boolean> {
    const current = await this.#version(present)
    const next = await this.#changed(project, current, change)
    if (change.enabled === true || (present.enabled && next !== current)) await this.#requireSender(project, next)
    if (change.enabled === true && !present.enabled) {
      await this.#reader.requireTrigger(project, next.definition.trigger)
    }
    const isNew = !isSame(current, next)
    const { id } = present
    const { templates } = this.#options
    return this.#db.transaction(async (tx) => {
      const head = {
        ...(change.name === undefined ? {} : { name: change.name }),
        ...(change.reentry === undefined ? {} : { reentry: change.reentry }),
        ...(change.enabled === undefined ? {} : { enabled: change.enabled }),
        ...(isNew ? idsOf(next.definition.trigger) : {}),
        version: isNew ? present.version + 1 : present.version,
      }
      const updated = await store.update(tx, project.id, id, present.version, head)
      if (updated === undefined) return false
      const isWhole = !updated.enabled || (await templates.hold(tx, project.id, templatesOf(next)))
      // Steps that were written before have a copy of what is gone.
      if (!isWhole && change.steps !== undefined) throw notFound('template')
      if (isNew) await store.insertVersion(tx, project.id, id, head.version, next)
      if (updated.enabled && !updated.wasEnabled) await this.#resume(tx)
      const { name, enabled, reentry } = change
      await audit(tx, project, actor, 'automation.updated', id, { name, enabled, reentry, version: head.version })
      return true
    })
  }

  /** The version as it will be; the same one where nothing is said of it. */
  async #changed(project: ProjectContext, current: Version, change: UpdateAutomation): Promise<Version> {
    const { trigger, sender, tracking, steps } = change
    if (trigger === undefined && sender === undefined && tracking === undefined && steps === undefined) return current
    const { definition } = current
    const before = definition.sender === null ? {} : { sender: definition.sender }
    return this.#reader.read(project, {
      trigger: trigger ?? definition.trigger,
      ...(sender === undefined ? before : { sender }),
      tracking: tracking ?? definition.tracking,
      ...(steps === undefined ? { kept: current } : { steps }),
    })
  }

  async #version({ projectId, id, version, definition }: Automation): Promise<Version> {
    const rows = await store.mailings(this.#db.reads, projectId, id, version)
    const mailings = new Map(rows.map(({ step, mailing }) => [step, mailing as Mailing]))
    const [first] = mailings.values()
    const { sender: given, tracking, steps } = definition
    const parsed = given === null ? undefined : parseAddress(given.from)
    const sender = parsed?.ok ? { from: parsed.value, replyTo: first?.replyTo ?? replyTo(given?.replyTo) } : null
    return { definition, mailings, plan: { sender, tracking, steps: plannedSteps(steps) } }
  }

  /** An automation that is enabled must be able to send. */
  async #requireSender(project: ProjectContext, { plan, mailings }: Version): Promise<void> {
    if (plan.sender !== null && mailings.size > 0)
      await this.#options.mailings.senderOf(project, plan.sender, undefined)
  }

  async #resume(tx: Tx): Promise<void> {
    await enqueue(tx, resumeRuns, {}, { key: 'enabled' })
    await enqueue(tx, releaseHeld, {}, { key: 'automation' })
  }

  async #find(db: Db, project: ProjectId, id: AutomationId): Promise<Automation> {
    const automation = await store.find(db, project, id)
    if (automation === undefined) throw notFound('automation')
    return automation
  }

  async #runViewer(db: Db, project: ProjectId, found: readonly Run[]): Promise<(run: Run) => RunView> {
    const ids = found.map(({ id }) => id)
    const emails = new Map<RunId, Map<string, EmailId>>()
    for (const { id, runId, step } of ids.length === 0 ? [] : await runs.emailsOf(db, project, ids)) {
      emails.set(runId, (emails.get(runId) ?? new Map<string, EmailId>()).set(step, id))
    }
    return (run) => runView(run, emails.get(run.id) ?? new Map())
  }
}

const templatesOf = ({ mailings }: Version): TemplateId[] =>
  [...mailings.values()].flatMap(({ templateId }) => templateId ?? [])

const replyTo = (text: string | null | undefined) => {
  const parsed = text == null ? undefined : parseAddress(text)
  return parsed?.ok ? [parsed.value] : []
}

const isSame = (a: Version, b: Version): boolean => a === b || isDeepStrictEqual(plain(a), plain(b))

/** A version as JSON returns it, for a comparison with what is stored. */
const plain = ({ definition, mailings }: Version): unknown =>
  JSON.parse(JSON.stringify({ definition, mailings: Object.fromEntries(mailings) }))

function addressIn(text: string): string {
  const parsed = parseAddress(text)
  if (!parsed.ok) throw invalid([{ path: '/query/email', message: parsed.problem }])
  return addressKey(parsed.value)
}

const audit = auditOf('aut')
