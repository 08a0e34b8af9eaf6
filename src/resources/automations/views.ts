import { encodeId, type EmailId } from '../../core/ids.ts'
import type { Automation, AutomationProblem, AutomationSummary, Run, RunView } from './schema.ts'

export const automationSummary = (automation: Automation, problem: AutomationProblem | null): AutomationSummary => {
  const { id, name, enabled, reentry, version, definition, stats, createdAt, updatedAt } = automation
  return {
    id: encodeId('aut', id),
    name,
    ...definition,
    enabled,
    reentry,
    version,
    problem,
    stats,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

/** `emails` are those of the run, by the step that sent them. */
export const runView = (run: Run, emails: ReadonlyMap<string, EmailId>): RunView => ({
  id: encodeId('run', run.id),
  version: run.version,
  contactId: encodeId('con', run.contactId),
  email: run.email,
  status: run.status,
  stepId: run.stepId,
  nextDueAt: run.nextDueAt?.toISOString() ?? null,
  startedAt: run.startedAt.toISOString(),
  finishedAt: run.finishedAt?.toISOString() ?? null,
  stopReason: run.stopReason,
  problem: run.problem,
  results: run.results.map(({ until = null, detail = null, ...result }) => {
    const email = result.type === 'email' ? emails.get(result.stepId) : undefined
    return { ...result, until, detail, emailId: email === undefined ? null : encodeId('em', email) }
  }),
})
