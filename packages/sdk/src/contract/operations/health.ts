// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  Health,
} from '../shapes/health.ts'

export interface HealthOperations {
  /** Whether this process is alive. Needs no key and does not ask the database. */
  'GET /health': {
    params: undefined
    query: undefined
    body: undefined
    reply: Health
    scope: null
    context: 'none'
    reads: true
  }
}
