// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  ApiKey,
  ApiKeyPage,
  CreateApiKey,
  CreatedApiKey,
  RevokedApiKey,
} from '../shapes/api-keys.ts'

export interface ApiKeysOperations {
  /** List the API keys. Secrets are never shown again. */
  'GET /api-keys': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** Whether to list the revoked keys instead. */
      revoked?: boolean
    }
    body: undefined
    reply: ApiKeyPage
    scope: 'api-keys:write'
    context: 'workspace'
    reads: true
  }
  /** Create a key that can do at most what this one can. The answer holds its secret, this once. */
  'POST /api-keys': {
    params: undefined
    query: undefined
    body: CreateApiKey
    reply: CreatedApiKey
    scope: 'api-keys:write'
    context: 'workspace'
    needsConfirmation: true
  }
  /** Read one key. */
  'GET /api-keys/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: ApiKey
    scope: 'api-keys:write'
    context: 'workspace'
    reads: true
  }
  /** Revoke a key that is no broader than this one. It stops working before this is answered. */
  'DELETE /api-keys/:id': {
    params: { id: string }
    query: {
      /** Also revoke the keys that it made, and those that they made. */
      family?: boolean
    }
    body: undefined
    reply: RevokedApiKey
    scope: 'api-keys:write'
    context: 'workspace'
    needsConfirmation: true
  }
}
