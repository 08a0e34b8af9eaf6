/**
 * Moves runs on that are due, many in one transaction: look at the world, decide (`advance.ts`), do it, write where
 * everybody stands. A crash anywhere before the commit leaves everything as it was, and the same runs due. Nothing here
 * waits for anybody outside, so no lease is needed: what is being moved is what the transaction has locked.
 *
 * Measured on two busy cores: one run in a transaction makes 40 of them a second, two hundred make 1,200. More at a time
 * are a little quicker still, and whoever wants to unsubscribe would wait for them. A job for each run would come up to
 * two seconds late, for jobs with a time of their own are looked for that often.
 */
import { failpoint } from '../../core/failpoint.ts'
import type { Log } from '../../core/log.ts'
import { decodeId, type ProjectId, type RunId, type TagId } from '../../core/ids.ts'
import { isUnavailable } from '../../storage/outage.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { Mailing, Mailings, NewMailingEmail } from '../emails/index.ts'
import type { Projects } from '../projects/index.ts'
import type { Tags } from '../tags/index.ts'
import { advance, type Advance, type Obstacle, type AutomationContext } from './advance.ts'
import { blocked, senderState, whyNotMail, type SenderState } from './obstacles.ts'
import { Route, type Plan, type PlannedStep } from './plan.ts'
import * as store from './store/due.ts'

export interface ExecutorOptions {
  db: Database
  mailings: Mailings
  tags: Tags
  projects: Projects
  /** Called when there is mail in the queue. */
  onQueued(): void
  log: Log
}

/** How many are moved in one transaction. */
export const AT_ONCE = 200

interface Version {
  plan: Plan
  route: Route
  sender: SenderState
}

interface Moving {
  run: store.DueRun
  person: store.Person
  version: Version
  around(obstacle?: Obstacle): AutomationContext
  done: Advance
}

export class Executor {
  readonly #options: ExecutorOptions

  constructor(options: ExecutorOptions) {
    this.#options = options
  }

  /** How many were due; when that is `AT_ONCE` there may be more. */
  async advanceDue(): Promise<number> {
    const runs = await store.due(this.#options.db, AT_ONCE)
    if (runs.length === 0) return 0
    try {
      return (await this.#advance(runs)) === 0 ? 0 : runs.length
    } catch (error) {
      if (isUnavailable(error)) throw error
      this.#options.log.warn({ err: error }, 'automation runs advanced one by one')
      for (const run of runs) await this.#advanceAlone(run)
    }
    return runs.length
  }

  /** One that cannot be moved on must not hold up the others. */
  async #advanceAlone(run: store.DueRun): Promise<void> {
    const { db, log } = this.#options
    try {
      await this.#advance([run])
    } catch (error) {
      if (isUnavailable(error)) throw error
      log.error({ err: error, run: run.id }, 'automation run not advanced')
      const obstacle: Obstacle = { problem: 'Something failed on our side.', again: 'later' }
      await db.transaction((tx) => store.move(tx, [blocked(run, run.nextStep, obstacle, NOTHING)]))
    }
  }

  /** How many of them went on: none while another process moves runs, or somebody changes these people. */
  async #advance(runs: readonly store.DueRun[]): Promise<number> {
    const { moved, emails } = await this.#options.db.transaction(async (tx) => {
      if (!(await store.takeTurn(tx))) return NONE
      const done = await this.#advanceIn(tx, runs)
      await failpoint('automations.before-commit')
      return done
    })
    await failpoint('automations.after-commit')
    if (emails > 0) this.#options.onQueued()
    return moved
  }

  async #advanceIn(tx: Tx, wanted: readonly store.DueRun[]): Promise<typeof NONE> {
    const contacts = Map.groupBy(await store.holdPeople(tx, wanted), keyOf)
    const locked = new Set((await store.lock(tx, wanted)).map(({ id }) => id))
    const runs = wanted.filter(({ id }) => locked.has(id))
    if (runs.length === 0) return NONE
    const people = new Map(runs.flatMap((run) => whomToMail(run, contacts.get(keyOf(run)) ?? [])))
    const owners = await store.holdOwners(tx, [...new Set(runs.map(({ automationId }) => automationId))])
    const ownerOf = new Map(owners.map((owner) => [owner.id, owner]))
    const [active, parked, orphans] = sorted(runs, ownerOf)
    if (parked.length > 0)
      await store.park(
        tx,
        parked.map(({ id }) => id),
      )
    const gone = [
      ...orphans.map((run) => ended(run, 'automation_deleted')),
      ...active.filter(({ id }) => !people.has(id)).map((run) => ended(run, 'contact_deleted')),
    ]
    const moving = await this.#decide(tx, active, people, ownerOf)
    await this.#applyTags(tx, moving)
    const emails = await this.#send(tx, moving)
    const moves = [...gone, ...moving.map(moveOf)]
    if (moves.length > 0) await store.move(tx, moves)
    return { moved: runs.length, emails }
  }

  async #decide(
    tx: Tx,
    runs: readonly store.DueRun[],
    people: ReadonlyMap<string, store.Person>,
    owners: ReadonlyMap<string, store.Owner>,
  ): Promise<Moving[]> {
    if (runs.length === 0) return []
    const now = await store.now(tx)
    const versions = await this.#versions(tx, runs, owners)
    const suppressed = new Set((await store.suppressed(tx, runs)).map(keyOf))
    const tags = Map.groupBy(await store.tagsOf(tx, runs), keyOf)
    const existing = await this.#existingTags(tx, runs, versions)
    return runs.flatMap((run) => {
      const [person, version] = [people.get(run.id), versions.get(versionKeyOf(run))]
      if (person === undefined) return []
      if (version === undefined) throw new Error(`${versionKeyOf(run)} has no plan`)
      const around = (obstacle?: Obstacle): AutomationContext => ({
        ...person,
        now,
        tags: new Set(tags.get(keyOf(run))?.map(({ tagId }) => tagId)),
        existingTags: existing,
        trigger: run.tagId,
        objection: objectionTo(person, suppressed.has(keyOf(run))),
        obstacle: () => obstacle ?? whyNotMail(this.#options.mailings, version.sender, person.email),
      })
      return [{ run, person, version, around, done: advance(version.route, run.nextStep, around()) }]
    })
  }

  async #versions(
    tx: Tx,
    runs: readonly store.DueRun[],
    owners: ReadonlyMap<string, store.Owner>,
  ): Promise<Map<string, Version>> {
    const byKey = new Map(runs.map((run) => [versionKeyOf(run), run]))
    const found = new Map<string, Version>()
    for (const row of await store.plans(tx, [...byKey.values()])) {
      const plan = row.plan as Plan
      const [run, owner] = [byKey.get(versionKeyOf(row)), owners.get(row.automationId)]
      if (run === undefined || owner === undefined) continue
      const project = { id: run.projectId, workspaceId: owner.workspaceId, status: owner.projectStatus }
      found.set(versionKeyOf(row), {
        plan,
        route: new Route(plan),
        sender: await senderState(this.#options.mailings, project, plan),
      })
    }
    return found
  }

  async #existingTags(
    tx: Tx,
    runs: readonly store.DueRun[],
    versions: ReadonlyMap<string, Version>,
  ): Promise<ReadonlySet<TagId>> {
    const existing = new Set<TagId>()
    for (const [project, some] of Map.groupBy(runs, ({ projectId }) => projectId)) {
      const plans = [...new Set(some.map((run) => versions.get(versionKeyOf(run))?.plan))]
      const tags = [...new Set(plans.flatMap((plan) => (plan ? tagsIn(plan.steps) : [])))]
      if (tags.length === 0) continue
      for (const { id } of await store.holdTags(tx, project, tags)) existing.add(id)
    }
    return existing
  }

  /** In one order: two who give the same people the same tags wait for each other once. */
  async #applyTags(tx: Tx, moving: readonly Moving[]): Promise<void> {
    const wishes = moving.flatMap(({ run: { projectId, email }, done }) =>
      done.effects.flatMap((effect) => (effect.kind === 'tag' ? [{ ...effect, projectId, email }] : [])),
    )
    const groups = Map.groupBy(wishes, ({ projectId, tagId, action }) => `${projectId} ${tagId} ${action}`)
    for (const [, group] of [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const [first] = group
      if (first === undefined) continue
      const emails = [...new Set(group.map(({ email }) => email))].toSorted()
      const { tags } = this.#options
      if (first.action === 'apply') await tags.applyIn(tx, first.projectId, first.tagId, emails)
      else await tags.removeIn(tx, first.projectId, first.tagId, emails)
    }
  }

  /** How many emails there are now that were not there before. */
  async #send(tx: Tx, moving: readonly Moving[]): Promise<number> {
    const sending = moving.filter(({ done }) => emailSteps(done).length > 0)
    if (sending.length === 0) return 0
    await this.#takeQuota(tx, sending)
    const steps = sending.flatMap(({ run, done }) =>
      emailSteps(done).map((step) => ({ automationId: run.automationId, version: run.version, step })),
    )
    const contents = await this.#contents(tx, sending, steps)
    const emails = sending.flatMap(({ run, person, version, done }) =>
      emailSteps(done).map((step): NewMailingEmail => {
        const contentId = contents.get(`${versionKeyOf(run)} ${step}`)
        const { plan, sender } = version
        if (contentId === undefined || plan.sender === null || sender === undefined || 'problem' in sender) {
          throw new Error(`the step ${step} of ${versionKeyOf(run)} has nothing to send`)
        }
        const origin = { runId: run.id, step }
        return { projectId: run.projectId, contentId, sender, addresses: plan.sender, contact: person, origin }
      }),
    )
    return this.#options.mailings.create(tx, emails)
  }

  /** A run that does not fit into the quota waits until there is a new one. */
  async #takeQuota(tx: Tx, sending: readonly Moving[]): Promise<void> {
    const projects = [...new Set(sending.map(({ run }) => run.projectId))].toSorted()
    const quotas = await this.#options.projects.openQuotas(tx, projects)
    for (const one of sending) {
      const refusal = quotas.take(one.run.projectId, emailSteps(one.done).length)
      if (refusal === undefined) continue
      const again = new Date(String(refusal.extra['resetsAt']))
      one.done = advance(one.version.route, one.run.nextStep, one.around({ problem: refusal.message, again }))
    }
    await quotas.write(tx)
  }

  /** The contents that the mails of these steps refer to, by version and step; made anew every day. */
  async #contents(
    tx: Tx,
    sending: readonly Moving[],
    steps: readonly store.StepKey[],
  ): Promise<ReadonlyMap<string, string>> {
    const projectOf = new Map<string, ProjectId>(sending.map(({ run }) => [run.automationId, run.projectId]))
    const unique = new Map(steps.map((step) => [`${versionKeyOf(step)} ${step.step}`, step]))
    const contents = new Map<string, string>()
    for (const row of await store.mailings(tx, [...unique.values()])) {
      const project = projectOf.get(row.automationId)
      if (project === undefined) continue
      const contentId = row.contentId ?? (await this.#options.mailings.store(tx, project, row.mailing as Mailing))
      if (row.contentId === null) await store.keepContent(tx, row, contentId)
      contents.set(`${versionKeyOf(row)} ${row.step}`, contentId)
    }
    return contents
  }
}

const NONE = { moved: 0, emails: 0 }
const NOTHING: Pick<Advance, 'results' | 'effects'> = { results: [], effects: [] }

const versionKeyOf = ({ automationId, version }: store.VersionKey): string => `${automationId} ${version}`

const keyOf = ({ projectId, email }: store.PersonKey): string => `${projectId} ${email}`

const emailSteps = ({ effects }: Pick<Advance, 'effects'>): string[] =>
  effects.flatMap((effect) => (effect.kind === 'email' ? [effect.stepId] : []))

/** Those that can go on, those that are held, and those whose automation is gone. */
function sorted(
  runs: readonly store.DueRun[],
  owners: ReadonlyMap<string, store.Owner>,
): [active: store.DueRun[], parked: store.DueRun[], orphans: store.DueRun[]] {
  const found: [store.DueRun[], store.DueRun[], store.DueRun[]] = [[], [], []]
  for (const run of runs) {
    const owner = owners.get(run.automationId)
    if (owner === undefined || owner.isDeleted) found[2].push(run)
    else found[owner.enabled && owner.projectStatus === 'active' ? 0 : 1].push(run)
  }
  return found
}

/**
 * The contact that it began with. What a tag began goes on with the first of the others where that one has left; it is
 * that person's tag in every audience.
 */
function whomToMail(run: store.DueRun, contacts: readonly store.Person[]): [[RunId, store.Person]] | [] {
  const own = contacts.find(({ id }) => id === run.contactId)
  const canGoOn = (person: store.Person): boolean => objectionTo(person, false) === undefined
  const others = run.tagId === null || (own !== undefined && canGoOn(own)) ? [] : contacts.filter(canGoOn)
  const [person = own] = others.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return person === undefined ? [] : [[run.id, person]]
}

function objectionTo({ subscribed, isLeaving }: store.Person, isSuppressed: boolean): AutomationContext['objection'] {
  if (isLeaving) return 'left_audience'
  if (!subscribed) return 'unsubscribed'
  return isSuppressed ? 'suppressed' : undefined
}

const tagsIn = (steps: readonly PlannedStep[]): TagId[] =>
  steps.flatMap((step) => {
    if (step.type === 'condition') return [...tagsIn(step.then), ...tagsIn(step.else)]
    return step.type === 'tag' ? (decodeId('tag', step.tagId) ?? []) : []
  })

const still: Omit<store.Move, 'id' | 'status'> = {
  contactId: null,
  stopReason: null,
  stepId: null,
  nextStep: null,
  dueAt: null,
  dueInMs: null,
  recalled: false,
  attempts: 0,
  problem: null,
  results: [],
  emails: 0,
  byItself: false,
}

const ended = ({ id }: store.DueRun, stopReason: NonNullable<store.Move['stopReason']>): store.Move => ({
  ...still,
  id,
  status: 'stopped',
  stopReason,
  recalled: true,
})

function moveOf({ run, person, done }: Moving): store.Move {
  const { state, results, effects } = done
  const byItself = effects.some(({ kind, ...tag }) => kind === 'tag' && 'tagId' in tag && tag.tagId === run.tagId)
  const moved = { ...still, id: run.id, contactId: person.id, results, emails: emailSteps(done).length, byItself }
  switch (state.kind) {
    case 'waiting': {
      const { stepId, nextStep, dueAt } = state
      return { ...moved, status: 'waiting', stepId, nextStep, dueAt }
    }
    case 'completed':
      return { ...moved, status: 'completed', stepId: state.stepId }
    case 'stopped': {
      const { stepId, reason } = state
      // What a run sent before it took its own tag away was meant to be sent.
      return { ...moved, status: 'stopped', stopReason: reason, stepId, recalled: reason !== 'tag_removed' }
    }
    case 'blocked':
      return { ...blocked(run, state.stepId, state.obstacle, done), contactId: person.id, byItself }
  }
}
