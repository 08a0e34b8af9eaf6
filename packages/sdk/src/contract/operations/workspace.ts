// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  Workspace,
  UpdateWorkspace,
} from '../shapes/workspace.ts'

export interface WorkspaceOperations {
  /** Read the workspace. */
  'GET /workspace': {
    params: undefined
    query: undefined
    body: undefined
    reply: Workspace
    scope: 'projects:read'
    context: 'workspace'
    reads: true
  }
  /** Rename the workspace, or change how careful its people have to be. Null gives a limit back to the operator. */
  'PATCH /workspace': {
    params: undefined
    query: undefined
    body: UpdateWorkspace
    reply: Workspace
    scope: 'people:write'
    context: 'workspace'
    needsConfirmation: true
  }
}
