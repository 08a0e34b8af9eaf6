export type { Variables } from './evaluate.ts'
export {
  MessageFiller,
  type Allowance,
  type Filling,
  type MessageParts,
  type PartName,
  type PartProblem,
} from './message.ts'
