/** What an automation needs and does not have any more, whether it is enabled or not. */
import type { ProjectContext } from '../../core/caller.ts'
import type { AutomationId } from '../../core/ids.ts'
import { domainOf, parseAddress } from '../../mail/address.ts'
import type { Database } from '../../storage/postgres.ts'
import type { Mailings } from '../emails/index.ts'
import { tagsOf } from './step-tags.ts'
import type { Automation, AutomationProblem, Step } from './schema.ts'
import * as store from './store/needs.ts'

/** The first that there is: what starts it, in whose name it sends, then its steps. */
export async function problemsOf(
  db: Database,
  mailings: Mailings,
  project: ProjectContext,
  automations: readonly Automation[],
): Promise<(automation: Automation) => AutomationProblem | null> {
  if (automations.length === 0) return () => null
  const missing = await store.missing(db.reads, project.id, {
    audiences: automations.flatMap(({ audienceId }) => audienceId ?? []),
    tags: automations.flatMap(({ tagId, definition }) => [tagId ?? [], tagsIn(definition.steps)].flat()),
  })
  const gone = new Set(missing.map(({ id }) => id))
  const lost = await store.lostTemplates(db.reads, project.id, automations)
  const lostSteps = new Map<AutomationId, string>(lost.map(({ automationId, step }) => [automationId, step]))
  const unverified = await mailings.unverified(project, automations.flatMap(senderIn))
  return (automation) => {
    const { id, audienceId, tagId, definition } = automation
    if (audienceId !== null && gone.has(audienceId)) return startsNoMore('audience')
    if (tagId !== null && gone.has(tagId)) return startsNoMore('tag')
    const [sender] = senderIn(automation)
    if (sender !== undefined && unverified.has(sender)) return cannotSend(sender)
    const tagged = allSteps(definition.steps).find((step) => tagsOf(step).some((tag) => tag && gone.has(tag)))
    if (tagged !== undefined) return withoutTag(tagged)
    const step = lostSteps.get(id)
    return step === undefined ? null : withoutTemplate(step)
  }
}

const allSteps = (steps: readonly Step[]): Step[] =>
  steps.flatMap((step) => (step.type === 'condition' ? [step, ...allSteps(step.then), ...allSteps(step.else)] : [step]))

const tagsIn = (steps: readonly Step[]) => allSteps(steps).flatMap((step) => tagsOf(step).flatMap((tag) => tag ?? []))

/** None where nothing is sent. */
function senderIn({ definition: { sender, steps } }: Automation): string[] {
  const parsed = sender === null ? undefined : parseAddress(sender.from)
  return parsed?.ok && allSteps(steps).some(({ type }) => type === 'email') ? [parsed.value.email] : []
}

const startsNoMore = (trigger: 'audience' | 'tag'): AutomationProblem => ({
  code: `${trigger}_deleted`,
  message: `The ${trigger} that starts it was deleted, so nobody starts any more. Set another trigger, or disable it.`,
})

const cannotSend = (from: string): AutomationProblem => ({
  code: 'domain_not_verified',
  message:
    `${domainOf(from)} is not a verified sending domain of this project, so its mail waits and is given up after a day. ` +
    'Verify the domain, or set another sender.',
})

const withoutTag = ({ id, type }: Step): AutomationProblem => ({
  code: 'tag_deleted',
  message:
    `The tag of the step ${id} was deleted, so ${type === 'tag' ? 'the step does nothing' : 'nobody has it'}. ` +
    'Write the steps again with another tag.',
})

const withoutTemplate = (step: string): AutomationProblem => ({
  code: 'template_deleted',
  message:
    `The template of the step ${step} was deleted. The step goes on with its own copy; write the steps again to use ` +
    'another template.',
})
