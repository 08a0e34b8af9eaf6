// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  Audience,
  AudiencePage,
  CreateAudience,
  UpdateAudience,
  DeletedAudience,
} from '../shapes/audiences.ts'

export interface AudiencesOperations {
  /** List the project's audiences. */
  'GET /audiences': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    body: undefined
    reply: AudiencePage
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Create an audience. */
  'POST /audiences': {
    params: undefined
    query: undefined
    body: CreateAudience
    reply: Audience
    scope: 'audiences:write'
    context: 'project'
  }
  /** Read one audience, with how many contacts it has. */
  'GET /audiences/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Audience
    scope: 'audiences:write'
    context: 'project'
    reads: true
  }
  /** Rename or describe an audience. */
  'PATCH /audiences/:id': {
    params: { id: string }
    query: undefined
    body: UpdateAudience
    reply: Audience
    scope: 'audiences:write'
    context: 'project'
  }
  /** Delete an audience and all of its contacts. Refused while a broadcast to it is scheduled or being sent. */
  'DELETE /audiences/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: DeletedAudience
    scope: 'audiences:write'
    context: 'project'
    needsConfirmation: true
  }
}
