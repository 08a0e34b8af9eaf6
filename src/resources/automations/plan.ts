import type { Address } from '../../mail/address.ts'
import type { Condition, Definition, Step } from './schema.ts'
import { delayOf } from './duration.ts'

/** A step without what it says: all that it takes to go through it. */
export type PlannedStep =
  | { id: string; type: 'email' | 'exit' }
  | { id: string; type: 'delay'; ms: number }
  | { id: string; type: 'tag'; tagId: string; action: 'apply' | 'remove' }
  | { id: string; type: 'condition'; if: Condition; then: PlannedStep[]; else: PlannedStep[] }

/** What a run needs to know of its version. */
export interface Plan {
  sender: { from: Address; replyTo: Address[] } | null
  tracking: Definition['tracking']
  steps: PlannedStep[]
}

export const plannedSteps = (steps: readonly Step[]): PlannedStep[] => steps.map(planned)

function planned(step: Step): PlannedStep {
  switch (step.type) {
    case 'email':
    case 'exit':
      return { id: step.id, type: step.type }
    case 'delay': {
      const ms = delayOf(step)
      if (typeof ms !== 'number') throw new Error(`the delay ${step.id} was not checked`)
      return { id: step.id, type: 'delay', ms }
    }
    case 'tag':
      return { id: step.id, type: 'tag', tagId: step.tagId, action: step.action }
    case 'condition':
      return {
        id: step.id,
        type: 'condition',
        if: step.if,
        then: plannedSteps(step.then),
        else: plannedSteps(step.else),
      }
  }
}

interface Place {
  step: PlannedStep
  /** What follows; null for the end. */
  after: string | null
}

/** Every step by its id, with what follows it: a branch goes on behind its condition. */
export class Route {
  readonly #places = new Map<string, Place>()
  readonly first: string | null

  constructor({ steps }: Pick<Plan, 'steps'>) {
    this.first = this.#add(steps, null)
  }

  at(id: string): Place {
    const place = this.#places.get(id)
    if (place === undefined) throw new Error(`there is no step ${id}`)
    return place
  }

  #add(steps: readonly PlannedStep[], afterAll: string | null): string | null {
    steps.forEach((step, i) => {
      const after = steps[i + 1]?.id ?? afterAll
      this.#places.set(step.id, { step, after })
      if (step.type !== 'condition') return
      this.#add(step.then, after)
      this.#add(step.else, after)
    })
    return steps[0]?.id ?? afterAll
  }
}
