import { pageRequest } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { CreateProject, ListProjects, ProjectPage, ProjectView, UpdateProject } from './schema.ts'
import type { Projects } from './service.ts'

export const projectRoutes = (projects: Projects) => [
  route({
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
    method: 'PATCH',
    path: '/projects/:id',
    scope: 'projects:write',
    context: 'workspace',
    summary: 'Rename, pause or resume a project, or change its quotas.',
    params: { id: 'prj' },
    body: UpdateProject,
    reply: { 200: ProjectView },
    handle: ({ caller, actor, params, body }) => projects.update(caller, actor, params.id, body),
  }),
  route({
    method: 'DELETE',
    path: '/projects/:id',
    scope: 'projects:write',
    context: 'workspace',
    summary: 'Archive a project. It stays readable and is never written again.',
    params: { id: 'prj' },
    reply: { 200: ProjectView },
    handle: ({ caller, actor, params }) => projects.archive(caller, actor, params.id),
  }),
]
