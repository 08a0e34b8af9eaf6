import { pageRequest } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { CreatedKeyView, CreateKey, KeyPage, KeyView, ListKeys, RevokedKeyView, RevokeKey } from './schema.ts'
import type { Keys } from './service.ts'

export const keyRoutes = (keys: Keys) => [
  route({
    id: 'listApiKeys',
    method: 'GET',
    path: '/api-keys',
    scope: 'api-keys:write',
    context: 'workspace',
    summary: 'List the API keys. Secrets are never shown again.',
    query: ListKeys,
    reply: { 200: KeyPage },
    handle: ({ caller, query }) => keys.list(caller, query.revoked ?? false, pageRequest(query)),
  }),
  route({
    id: 'createApiKey',
    method: 'POST',
    path: '/api-keys',
    scope: 'api-keys:write',
    context: 'workspace',
    summary: 'Create a key that can do at most what this one can. The answer holds its secret, this once.',
    body: CreateKey,
    needsConfirmation: true,
    reply: { 201: CreatedKeyView },
    handle: ({ caller, actor, body }) => keys.create(caller, actor, body),
  }),
  route({
    id: 'getApiKey',
    method: 'GET',
    path: '/api-keys/:id',
    scope: 'api-keys:write',
    context: 'workspace',
    summary: 'Read one key.',
    params: { id: 'key' },
    reply: { 200: KeyView },
    handle: ({ caller, params }) => keys.read(caller, params.id),
  }),
  route({
    id: 'revokeApiKey',
    method: 'DELETE',
    path: '/api-keys/:id',
    scope: 'api-keys:write',
    context: 'workspace',
    summary: 'Revoke a key that is no broader than this one. It stops working before this is answered.',
    params: { id: 'key' },
    query: RevokeKey,
    needsConfirmation: true,
    reply: { 200: RevokedKeyView },
    handle: ({ caller, actor, params, query }) => keys.revoke(caller, actor, params.id, query.family ?? false),
  }),
]
