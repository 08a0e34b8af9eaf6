import { Type, type Static } from 'typebox'
import { projectStatuses, type ProjectStatus } from '../../core/caller.ts'
import type { ProjectId, WorkspaceId } from '../../core/ids.ts'
import { IdOf, listQuery, Name, named, Nullable, PageOf, Timestamp } from '../../shapes/shapes.ts'

const QuotaLimit = Nullable(
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Recipients; null is unlimited.' }),
)

const Quota = named('Quota', Type.Object({ emailsPerDay: QuotaLimit, emailsPerMonth: QuotaLimit }))

/** A partial quota changes only what it names. */
const QuotaChange = named('QuotaChange', Type.Partial(Quota, { additionalProperties: false }))

export const ProjectView = named(
  'Project',
  Type.Object({
    id: IdOf('prj'),
    accountId: IdOf('acc'),
    name: Type.String(),
    status: Type.Enum(projectStatuses),
    quota: Quota,
    sms: named('ProjectSms', Type.Object({ invited: Type.Boolean(), live: Type.Boolean() })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    pausedAt: Nullable(Timestamp),
    archivedAt: Nullable(Timestamp),
  }),
)

export type ProjectView = Static<typeof ProjectView>

const QuotaUse = named(
  'QuotaUse',
  Type.Object({ used: Type.Integer({ description: 'Recipients so far.' }), limit: QuotaLimit, resetsAt: Timestamp }),
)

export const ProjectUsageView = named('ProjectUsage', Type.Object({ emailsPerDay: QuotaUse, emailsPerMonth: QuotaUse }))

export type ProjectUsageView = Static<typeof ProjectUsageView>

export const ProjectPage = PageOf(ProjectView)

export const ListProjects = Type.Object(
  { ...listQuery, status: Type.Optional(Type.Enum(projectStatuses)) },
  { additionalProperties: false },
)

export const CreateProject = named(
  'CreateProject',
  Type.Object({ name: Name, quota: Type.Optional(QuotaChange) }, { additionalProperties: false }),
)

export type CreateProject = Static<typeof CreateProject>

export const UpdateProject = named(
  'UpdateProject',
  Type.Object(
    {
      name: Type.Optional(Name),
      status: Type.Optional(
        Type.Enum(['active', 'paused'], { description: '`paused` holds all sending until `active`.' }),
      ),
      quota: Type.Optional(QuotaChange),
    },
    { additionalProperties: false },
  ),
)

export const TraceProject = named(
  'TraceProject',
  Type.Object({ minutes: Type.Integer({ minimum: 1, maximum: 60 }) }, { additionalProperties: false }),
)

export type TraceProject = Static<typeof TraceProject>

export const ProjectTraceView = named('ProjectTrace', Type.Object({ projectId: IdOf('prj'), until: Timestamp }))

export type ProjectTraceView = Static<typeof ProjectTraceView>

export type UpdateProject = Static<typeof UpdateProject>

export interface Project {
  id: ProjectId
  workspaceId: WorkspaceId
  name: string
  status: ProjectStatus
  emailsPerDay: number | null
  emailsPerMonth: number | null
  smsInvited: boolean
  smsLive: boolean
  createdAt: Date
  updatedAt: Date
  pausedAt: Date | null
  archivedAt: Date | null
}
