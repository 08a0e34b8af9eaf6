// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  SearchResult,
  Address,
} from '../shapes/search.ts'

export interface SearchOperations {
  /**
   * Find a thing by its id, by an address or domain, or by the beginning of its name. Only what the caller could also
   * read by the routes of each kind is found. Things of `projectId` come first.
   */
  'GET /search': {
    params: undefined
    query: {
      /** An id, an address, a domain, or the beginning of a name. */
      q: string
      /** 10 if omitted. */
      limit?: number
      /** An id that starts with `prj_`. */
      projectId?: string
    }
    body: undefined
    reply: SearchResult
    scope: 'stats:read'
    context: 'workspace'
    reads: true
  }
  /**
   * Read everything that the project knows of an address, as far as the caller could also read it by the routes of each
   * kind. An address that the project has never seen has empty parts.
   */
  'GET /addresses/:email': {
    params: { email: string }
    query: undefined
    body: undefined
    reply: Address
    scope: 'stats:read'
    context: 'project'
    reads: true
  }
}
