import { pageRequest } from '../../http/pagination.ts'
import { createdOrFound, route } from '../../http/route.ts'
import {
  AddSuppression,
  ListSuppressions,
  RemovedSuppressionView,
  RemoveSuppression,
  RemoveSuppressionQuery,
  SuppressionPage,
  SuppressionView,
} from './schema.ts'
import type { Suppressions } from './service.ts'

export const suppressionRoutes = (suppressions: Suppressions) => [
  route({
    id: 'listSuppressions',
    method: 'GET',
    path: '/suppressions',
    scope: 'suppressions:write',
    context: 'project',
    summary: 'List the addresses that the project does not mail, and why.',
    query: ListSuppressions,
    reply: { 200: SuppressionPage },
    handle: ({ project, query }) => suppressions.list(project, query, pageRequest(query)),
  }),
  route({
    id: 'addSuppression',
    method: 'POST',
    path: '/suppressions',
    scope: 'suppressions:write',
    context: 'project',
    summary: 'Put an address on the list.',
    body: AddSuppression,
    reply: { 200: SuppressionView, 201: SuppressionView },
    handle: async ({ project, actor, body }) => createdOrFound(await suppressions.add(project, actor, body)),
  }),
  route({
    id: 'removeSuppression',
    method: 'DELETE',
    path: '/suppressions',
    scope: 'suppressions:write',
    context: 'project',
    summary: 'Take an address off the list, after the person asked for mail again.',
    query: RemoveSuppressionQuery,
    body: RemoveSuppression,
    bodyIsOptional: true,
    reply: { 200: RemovedSuppressionView },
    needsConfirmation: true,
    handle: ({ project, actor, query, body }) => suppressions.remove(project, actor, query.email, body),
  }),
]
