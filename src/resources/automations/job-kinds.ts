import type { AutomationId, ProjectId } from '../../core/ids.ts'
import { jobKind } from '../../jobs/define.ts'

/** After an automation was deleted: its runs stop. */
export const clearAutomation = jobKind<{ project: ProjectId; automation: AutomationId }>('automations.clear')

/** After an automation was enabled, or a project resumed: whoever was held goes on. */
export const resumeRuns = jobKind('automations.resume')
