import { encodeId } from '../../core/ids.ts'
import type { Project, ProjectUsageView, ProjectView } from './schema.ts'
import type { Usage } from './store.ts'

export const projectView = (project: Project): ProjectView => ({
  id: encodeId('prj', project.id),
  accountId: encodeId('acc', project.workspaceId),
  name: project.name,
  status: project.status,
  quota: { emailsPerDay: project.emailsPerDay, emailsPerMonth: project.emailsPerMonth },
  sms: { invited: project.smsInvited, live: project.smsLive },
  createdAt: project.createdAt.toISOString(),
  updatedAt: project.updatedAt.toISOString(),
  pausedAt: project.pausedAt?.toISOString() ?? null,
  archivedAt: project.archivedAt?.toISOString() ?? null,
})

export const projectUsageView = (usage: Usage): ProjectUsageView => ({
  emailsPerDay: {
    used: usage.usedToday,
    limit: usage.emailsPerDay,
    resetsAt: usage.dayEndsAt.toISOString(),
  },
  emailsPerMonth: {
    used: usage.usedThisMonth,
    limit: usage.emailsPerMonth,
    resetsAt: usage.monthEndsAt.toISOString(),
  },
})
