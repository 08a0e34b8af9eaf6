import { define, jobKind, type JobDefinition } from '../../jobs/define.ts'
import { replay } from './replay.ts'
import type { Webhooks } from './service.ts'

export const webhookJobs = (webhooks: Webhooks, retainDays: number): JobDefinition[] => [
  define(replay, (wanted, { signal }) => webhooks.replayChosen(wanted, signal)),
  define(jobKind('webhooks.forget-old'), () => webhooks.forgetOld(retainDays), { cron: '41 2 * * *' }),
]
