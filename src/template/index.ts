export { defaultLimits } from './budget.ts'
export type { Variables } from './evaluate.ts'
export { filterNames } from './filters/table.ts'
export {
  MessageFiller,
  type Allowance,
  type Filling,
  type MessageParts,
  type PartName,
  type PartProblem,
} from './message.ts'
export { MAX_SOURCE_LENGTH, parseTemplate } from './parse.ts'
export { render } from './render.ts'
export type { Context, Problem, Template } from './syntax.ts'
export { variablesOf } from './variables.ts'
