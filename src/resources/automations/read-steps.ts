/** Reads the steps that a client wrote: their form, in branches as at the top, what they refer to, and what mails say. */
import { randomBytes } from 'node:crypto'
import type { Problem } from '../../core/errors.ts'
import type { TagId } from '../../core/ids.ts'
import { bodyCheck } from '../../shapes/validation.ts'
import { conditionProblems } from './conditions.ts'
import { delayOf } from './duration.ts'
import { StepInput as StepShape, type EmailStepInput, type Step, type StepInput } from './schema.ts'
import { MAX_STEPS } from './states.ts'
import { tagsOf } from './step-tags.ts'

const MAX_DEPTH = 5

/** A step and where it stands in the request. */
export interface Found<T> {
  step: T
  path: string
}

export interface StepsRead {
  steps: Step[]
  emails: Found<EmailStepInput & { id: string }>[]
  /** Undefined for what is no id of a tag. */
  tags: (TagId | undefined)[]
}

/** Every step with an id; or everything that is wrong with their form. */
export function readSteps(sent: readonly StepInput[]): StepsRead | { problems: Problem[] } {
  const given = sent.map(asGiven)
  const found: Found<StepInput>[] = []
  const problems = lookThrough(given, '/steps', 1, found)
  if (found.length > MAX_STEPS) {
    problems.push({
      path: '/steps',
      message: `must not have more than ${MAX_STEPS} steps, those in branches included`,
    })
  }
  problems.push(...repeatedIds(found))
  if (problems.length > 0) return { problems }
  const ids = idsFor(found)
  const steps = given.map((step) => withIds(step, ids))
  const emails = found.flatMap(({ step, path }) =>
    step.type === 'email' ? [{ step: { ...step, id: ids.get(step) ?? '' }, path }] : [],
  )
  return { steps, emails, tags: found.flatMap(({ step }) => tagsOf(step)) }
}

const shape = bodyCheck(StepShape)

/** The step without its fields that are null and so left out; the body's own check does not look into branches. */
function asGiven(sent: StepInput): StepInput {
  const { value, problems } = shape(sent)
  const step = value as StepInput
  if (problems.length > 0 || step.type !== 'condition') return step
  const { then, else: otherwise } = step
  return { ...step, ...(then && { then: then.map(asGiven) }), ...(otherwise && { else: otherwise.map(asGiven) }) }
}

function lookThrough(steps: readonly StepInput[], at: string, depth: number, found: Found<StepInput>[]): Problem[] {
  return steps.flatMap((step, i) => {
    const path = `${at}/${i}`
    // Those at the top have been checked with the rest of the body; again is simpler than not.
    const misshapen = shape(step).problems.map((problem) => ({
      ...problem,
      path: problem.path === '/' ? path : `${path}${problem.path}`,
    }))
    if (misshapen.length > 0) return misshapen
    found.push({ step, path })
    return problemsOf(step, path, depth, found)
  })
}

function problemsOf(step: StepInput, path: string, depth: number, found: Found<StepInput>[]): Problem[] {
  if (step.type === 'delay') {
    const delay = delayOf(step)
    return typeof delay === 'number' ? [] : [{ path: `${path}${delay.path}`, message: delay.message }]
  }
  if (step.type !== 'condition') return []
  const problems = conditionProblems(step.if, `${path}/if`)
  if (depth === MAX_DEPTH) return [...problems, { path, message: `must not be nested deeper than ${MAX_DEPTH}` }]
  for (const branch of ['then', 'else'] as const) {
    problems.push(...lookThrough(step[branch] ?? [], `${path}/${branch}`, depth + 1, found))
  }
  return problems
}

function repeatedIds(found: readonly Found<StepInput>[]): Problem[] {
  const seen = new Set<string>()
  return found.flatMap(({ step: { id }, path }) => {
    if (id === undefined) return []
    if (seen.has(id)) return [{ path: `${path}/id`, message: 'is the id of another step' }]
    seen.add(id)
    return []
  })
}

/** The ids that were given, and new ones for steps without. */
function idsFor(found: readonly Found<StepInput>[]): ReadonlyMap<StepInput, string> {
  const taken = new Set(found.map(({ step }) => step.id))
  return new Map(
    found.map(({ step }) => {
      let { id } = step
      while (id === undefined || (step.id === undefined && taken.has(id))) id = `step_${randomBytes(5).toString('hex')}`
      taken.add(id)
      return [step, id]
    }),
  )
}

function withIds(step: StepInput, ids: ReadonlyMap<StepInput, string>): Step {
  const id = ids.get(step) ?? ''
  if (step.type !== 'condition') return { ...step, id }
  const branch = (steps: readonly StepInput[] = []): Step[] => steps.map((inner) => withIds(inner, ids))
  return { id, type: 'condition', if: step.if, then: branch(step.then), else: branch(step.else) }
}
