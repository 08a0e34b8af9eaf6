import type { AutomationId, ProjectId } from '../../core/ids.ts'
import { jobKind } from '../../jobs/define.ts'

/** Stops the runs of an automation that was deleted. */
export const clearAutomation = jobKind<{ project: ProjectId; automation: AutomationId }>('automations.clear')

/** Continues runs that were held, after an automation was enabled or a project resumed. */
export const resumeRuns = jobKind('automations.resume')
