import { decodeId, type TagId } from '../../core/ids.ts'
import { tagsIn } from './conditions.ts'
import type { StepInput } from './schema.ts'

/** Undefined for what is no id of a tag. */
export function tagsOf(step: StepInput): (TagId | undefined)[] {
  if (step.type === 'tag') return [decodeId('tag', step.tagId)]
  return step.type === 'condition' ? tagsIn(step.if) : []
}
