import { pageRequest } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { AudiencePage, AudienceView, CreateAudience, DeletedAudience, ListAudiences, UpdateAudience } from './schema.ts'
import type { Audiences } from './service.ts'

export const audienceRoutes = (audiences: Audiences) => [
  route({
    id: 'listAudiences',
    method: 'GET',
    path: '/audiences',
    scope: 'audiences:write',
    context: 'project',
    summary: "List the project's audiences.",
    query: ListAudiences,
    reply: { 200: AudiencePage },
    handle: ({ project, query }) => audiences.list(project, pageRequest(query)),
  }),
  route({
    id: 'createAudience',
    method: 'POST',
    path: '/audiences',
    scope: 'audiences:write',
    context: 'project',
    summary: 'Create an audience.',
    body: CreateAudience,
    reply: { 201: AudienceView },
    handle: ({ project, actor, body }) => audiences.create(project, actor, body),
  }),
  route({
    id: 'getAudience',
    method: 'GET',
    path: '/audiences/:id',
    scope: 'audiences:write',
    context: 'project',
    summary: 'Read one audience, with how many contacts it has.',
    params: { id: 'aud' },
    reply: { 200: AudienceView },
    handle: ({ project, params }) => audiences.read(project, params.id),
  }),
  route({
    id: 'updateAudience',
    method: 'PATCH',
    path: '/audiences/:id',
    scope: 'audiences:write',
    context: 'project',
    summary: 'Rename or describe an audience.',
    params: { id: 'aud' },
    body: UpdateAudience,
    reply: { 200: AudienceView },
    handle: ({ project, actor, params, body }) => audiences.update(project, actor, params.id, body),
  }),
  route({
    id: 'deleteAudience',
    method: 'DELETE',
    path: '/audiences/:id',
    scope: 'audiences:write',
    context: 'project',
    summary: 'Delete an audience and all of its contacts. Refused while a broadcast to it is scheduled or being sent.',
    params: { id: 'aud' },
    reply: { 200: DeletedAudience },
    errors: ['invalid_state'],
    handle: ({ project, actor, params }) => audiences.remove(project, actor, params.id),
  }),
]
