// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  Project,
  ProjectPage,
  CreateProject,
  ProjectUsage,
  UpdateProject,
  ProjectTrace,
  TraceProject,
} from '../shapes/projects.ts'

export interface ProjectsOperations {
  /** List the projects that the key can see. */
  'GET /projects': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?: 'active' | 'paused' | 'archived'
    }
    body: undefined
    reply: ProjectPage
    scope: 'projects:read'
    context: 'workspace'
    reads: true
  }
  /** Create a project. */
  'POST /projects': {
    params: undefined
    query: undefined
    body: CreateProject
    reply: Project
    scope: 'projects:write'
    context: 'workspace'
  }
  /** Read one project. */
  'GET /projects/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Project
    scope: 'projects:read'
    context: 'workspace'
    reads: true
  }
  /** Read how much of its quotas a project has used, today and this month. Days and months begin in UTC. */
  'GET /projects/:id/usage': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: ProjectUsage
    scope: 'projects:read'
    context: 'workspace'
    reads: true
  }
  /**
   * Rename, pause or resume a project, or change its quotas. A key that is bound to the project can only rename it.
   */
  'PATCH /projects/:id': {
    params: { id: string }
    query: undefined
    body: UpdateProject
    reply: Project
    scope: 'projects:write'
    context: 'workspace'
  }
  /** Keep what is said in SMTP also of mail that is taken, for up to an hour. */
  'POST /projects/:id/trace': {
    params: { id: string }
    query: undefined
    body: TraceProject
    reply: ProjectTrace
    scope: 'projects:write'
    context: 'workspace'
  }
  /**
   * Archive a project: it stays readable, nothing in it can be written, its scheduled mail is cancelled. Needs a
   * workspace key.
   */
  'DELETE /projects/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Project
    scope: 'projects:write'
    context: 'workspace'
    needsConfirmation: true
  }
  /** Make an archived project active again, for 30 days after it was archived. Needs a workspace key. */
  'POST /projects/:id/restore': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Project
    scope: 'projects:write'
    context: 'workspace'
  }
}
