/**
 * What a run does when it is due: every step up to the next delay or the end. Nothing is read and nothing is written
 * here, so that a simulation goes through the very same lines on a clock of its own.
 *
 * Before every step the world is looked at: whoever is not subscribed any more, is suppressed, or has lost the tag that
 * it all began with, gets no further.
 */
import { decodeId, type TagId } from '../../core/ids.ts'
import { isTrue, type Asked } from './conditions.ts'
import type { Route } from './plan.ts'
import type { StepResult, StopReason } from './schema.ts'

export interface AutomationContext extends Omit<Asked, 'tags'> {
  now: Date
  /** The tags of the person; steps that apply and remove tags change it. */
  tags: Set<TagId>
  /** The tags that exist and can be applied. */
  existingTags: ReadonlySet<TagId>
  /** The tag that the run began with. */
  trigger: TagId | null
  /** The reason for which the audience or the suppression list stops the run. */
  objection: StopReason | undefined
  /** Returns what prevents mail to this person now. Called once for each email. */
  obstacle(step: string): Obstacle | undefined
}

export interface Obstacle {
  problem: string
  /** When to try again: at a time, `later` with a growing delay, or `never`. */
  again: Date | 'later' | 'never'
}

export type Effect = { kind: 'email'; stepId: string } | { kind: 'tag'; tagId: TagId; action: 'apply' | 'remove' }

export type RunState =
  | { kind: 'waiting'; stepId: string; nextStep: string | null; dueAt: Date }
  | { kind: 'blocked'; stepId: string; obstacle: Obstacle }
  | { kind: 'completed'; stepId: string | null }
  | { kind: 'stopped'; stepId: string; reason: StopReason }

export interface Advance {
  results: StepResult[]
  effects: Effect[]
  state: RunState
}

export function advance(route: Route, from: string | null, around: AutomationContext): Advance {
  const results: StepResult[] = []
  const effects: Effect[] = []
  const at = around.now.toISOString()
  let last: string | null = null
  let next = from
  const end = (state: RunState): Advance => ({ results, effects, state })
  while (next !== null) {
    const reason = whyStop(around)
    if (reason !== undefined) return end({ kind: 'stopped', stepId: next, reason })
    const { step, after } = route.at(next)
    const note = (result: StepResult['result'], more: Pick<StepResult, 'until' | 'detail'> = {}): void => {
      results.push({ stepId: step.id, type: step.type, at, result, ...more })
    }
    last = step.id
    next = after
    switch (step.type) {
      case 'email': {
        const obstacle = around.obstacle(step.id)
        if (obstacle) {
          if (obstacle.again === 'never') note('refused', { detail: obstacle.problem })
          return end({ kind: 'blocked', stepId: step.id, obstacle })
        }
        effects.push({ kind: 'email', stepId: step.id })
        note('sent')
        break
      }
      case 'delay': {
        const dueAt = new Date(around.now.getTime() + step.ms)
        note('delayed', { until: dueAt.toISOString() })
        return end({ kind: 'waiting', stepId: step.id, nextStep: after, dueAt })
      }
      case 'condition': {
        const branch = isTrue(step.if, around) ? 'then' : 'else'
        note(branch)
        next = step[branch][0]?.id ?? after
        break
      }
      case 'tag': {
        const tagId = decodeId('tag', step.tagId)
        if (tagId === undefined || !around.existingTags.has(tagId)) {
          note('skipped', { detail: 'There is no such tag any more.' })
          break
        }
        const isApplied = step.action === 'apply'
        if (around.tags.has(tagId) === isApplied) {
          note('unchanged')
          break
        }
        if (isApplied) around.tags.add(tagId)
        else around.tags.delete(tagId)
        effects.push({ kind: 'tag', tagId, action: step.action })
        note(isApplied ? 'applied' : 'removed')
        break
      }
      case 'exit':
        note('exited')
        next = null
    }
  }
  return end({ kind: 'completed', stepId: last })
}

function whyStop({ objection, trigger, tags }: AutomationContext): StopReason | undefined {
  return objection ?? (trigger !== null && !tags.has(trigger) ? 'tag_removed' : undefined)
}
