import { encodeId } from '../../core/ids.ts'
import type { Project, ProjectView } from './schema.ts'

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
