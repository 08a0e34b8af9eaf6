import { pageRequest } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { CreateProject, ListProjects, ProjectPage, ProjectView, UpdateProject } from './schema.ts'
import { RESTORABLE_DAYS, type Projects } from './service.ts'

export const projectRoutes = (projects: Projects) => [
  route({
    id: 'listProjects',
    method: 'GET',
    path: '/projects',
    scope: 'projects:read',
    context: 'workspace',
    summary: 'List the projects that the key can see.',
    query: ListProjects,
    reply: { 200: ProjectPage },
    handle: ({ caller, query }) => projects.list(caller, query.status, pageRequest(query)),
  }),
  route({
    id: 'createProject',
    method: 'POST',
    path: '/projects',
    scope: 'projects:write',
    context: 'workspace',
    summary: 'Create a project.',
    body: CreateProject,
    reply: { 201: ProjectView },
    handle: ({ caller, actor, body }) => projects.create(caller, actor, body),
  }),
  route({
    id: 'getProject',
    method: 'GET',
    path: '/projects/:id',
    scope: 'projects:read',
    context: 'workspace',
    summary: 'Read one project.',
    params: { id: 'prj' },
    reply: { 200: ProjectView },
    handle: ({ caller, params }) => projects.read(caller, params.id),
  }),
  route({
    id: 'updateProject',
    method: 'PATCH',
    path: '/projects/:id',
    scope: 'projects:write',
    context: 'workspace',
    summary:
      'Rename, pause or resume a project, or change its quotas. A key that is bound to the project can only rename it.',
    params: { id: 'prj' },
    body: UpdateProject,
    reply: { 200: ProjectView },
    handle: ({ caller, actor, params, body }) => projects.update(caller, actor, params.id, body),
  }),
  route({
    id: 'archiveProject',
    method: 'DELETE',
    path: '/projects/:id',
    scope: 'projects:write',
    context: 'workspace',
    summary:
      'Archive a project: it stays readable, nothing in it can be written, its scheduled mail is cancelled. Needs a workspace key.',
    params: { id: 'prj' },
    needsConfirmation: true,
    reply: { 200: ProjectView },
    handle: ({ caller, actor, params }) => projects.archive(caller, actor, params.id),
  }),
  route({
    id: 'restoreProject',
    method: 'POST',
    path: '/projects/:id/restore',
    scope: 'projects:write',
    context: 'workspace',
    summary: `Make an archived project active again, for ${RESTORABLE_DAYS} days after it was archived. Needs a workspace key.`,
    params: { id: 'prj' },
    reply: { 200: ProjectView },
    errors: ['invalid_state'],
    handle: ({ caller, actor, params }) => projects.restore(caller, actor, params.id),
  }),
]
