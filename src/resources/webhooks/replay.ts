import { jobKind } from '../../jobs/define.ts'
import type { Choice } from './store/deliveries.ts'

export interface Replay {
  choice: Choice
  endedBy: string
}

export const replay = jobKind<Replay>('webhooks.replay')
