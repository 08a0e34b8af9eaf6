import type { ProjectContext } from '../../core/caller.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { decodeId, encodeId, type TagId } from '../../core/ids.ts'
import { addressKey, parseAddress } from '../../mail/address.ts'
import type { Db } from '../../storage/postgres.ts'
import type { Mailing, Mailings } from '../emails/index.ts'
import { advance, type RunState, type AutomationContext } from './advance.ts'
import { senderState, whyNotMail } from './obstacles.ts'
import { Route } from './plan.ts'
import type { Version } from './read-automation.ts'
import type { Automation, StepResult } from './schema.ts'
import type { Simulate, SimulationView } from './simulation-schema.ts'
import * as store from './store/people.ts'

/** Goes through an automation as a run would, on a clock that jumps from delay to delay, and writes nothing. */
export async function simulate(
  db: Db,
  mailings: Mailings,
  project: ProjectContext,
  automation: Automation,
  version: Pick<Version, 'plan' | 'mailings'>,
  person: store.SimulatedPerson,
  startsAt: Date,
): Promise<SimulationView> {
  const sender = await senderState(mailings, project, version.plan)
  const tags = new Set<TagId>(person.tags)
  // As if it had just been applied.
  if (automation.tagId !== null) tags.add(automation.tagId)
  const existingTags = new Set((await store.allTags(db, project.id)).map(({ id }) => id))
  const route = new Route(version.plan)
  const results: StepResult[] = []
  let state: RunState = { kind: 'waiting', stepId: '', nextStep: route.first, dueAt: startsAt }
  let now = startsAt
  while (state.kind === 'waiting') {
    now = state.dueAt
    const around: AutomationContext = {
      ...person,
      now,
      tags,
      existingTags,
      trigger: automation.tagId,
      objection: person.subscribed ? (person.isSuppressed ? 'suppressed' : undefined) : 'unsubscribed',
      obstacle: () => whyNotMail(mailings, sender, person.email),
    }
    const step = advance(route, state.nextStep, around)
    results.push(...step.results)
    state = step.state
    if (state.kind === 'blocked' && state.obstacle.again !== 'never') {
      const { stepId, obstacle } = state
      results.push({ stepId, type: 'email', at: now.toISOString(), result: 'refused', detail: obstacle.problem })
    }
  }
  const subjectOf = async (step: string): Promise<string | null> => {
    const mailing = version.mailings.get(step)
    return mailing === undefined ? null : subject(mailings, project, mailing, person)
  }
  return {
    automationId: encodeId('aut', automation.id),
    version: automation.version,
    contactId: encodeId('con', person.id),
    email: person.email,
    status: state.kind === 'blocked' ? 'failed' : state.kind,
    stopReason: state.kind === 'blocked' ? 'error' : state.kind === 'stopped' ? state.reason : null,
    startedAt: startsAt.toISOString(),
    finishedAt: now.toISOString(),
    timeline: await Promise.all(
      results.map(async ({ until = null, detail = null, ...result }) => ({
        ...result,
        until,
        detail,
        subject: result.type === 'email' ? await subjectOf(result.stepId) : null,
      })),
    ),
  }
}

async function subject(
  mailings: Mailings,
  project: ProjectContext,
  mailing: Mailing,
  person: store.SimulatedPerson,
): Promise<string> {
  const links = { unsubscribeUrl: '#', preferencesUrl: '#' }
  return (await mailings.fill(project, mailing, person, links, person.projectName)).subject
}

/** The contact that a client names, by its id whichever it is, by its address the one that would be mailed. */
export async function simulatedPerson(
  db: Db,
  project: ProjectContext,
  { audienceId }: Automation,
  { contactId, email }: Simulate,
): Promise<store.SimulatedPerson> {
  if ((contactId === undefined) === (email === undefined)) {
    throw invalid([{ path: '/contactId', message: 'is required, unless there is an email; and not beside one' }])
  }
  const person = await store.find(db, project.id, whichOf(contactId, email), audienceId)
  if (person === undefined) throw notFound('contact')
  return person
}

function whichOf(contactId: string | undefined, email = ''): store.PersonRef {
  if (contactId !== undefined) {
    const id = decodeId('con', contactId)
    if (id === undefined) throw notFound('contact')
    return { id }
  }
  const parsed = parseAddress(email)
  if (!parsed.ok) throw invalid([{ path: '/email', message: parsed.problem }])
  return { email: addressKey(parsed.value) }
}
