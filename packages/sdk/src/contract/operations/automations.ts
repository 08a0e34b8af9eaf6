// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  AutomationPage,
  Automation,
  CreateAutomation,
  UpdateAutomation,
  DeletedAutomation,
  AutomationRunPage,
  SimulateAutomation,
  Simulation,
} from '../shapes/automations.ts'

export interface AutomationsOperations {
  /** List the project's automations. */
  'GET /automations': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      enabled?: boolean
    }
    body: undefined
    reply: AutomationPage
    scope: 'automations:write'
    context: 'project'
    reads: true
  }
  /** Create an automation. It is disabled unless the request says otherwise. */
  'POST /automations': {
    params: undefined
    query: undefined
    body: CreateAutomation
    reply: Automation
    scope: 'automations:write'
    context: 'project'
    leaves: true
  }
  /** Read one automation, with its recent runs. */
  'GET /automations/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: Automation
    scope: 'automations:write'
    context: 'project'
    reads: true
  }
  /** Change an automation, or enable or disable it. People who are inside finish the version they started. */
  'PATCH /automations/:id': {
    params: { id: string }
    query: undefined
    body: UpdateAutomation
    reply: Automation
    scope: 'automations:write'
    context: 'project'
    leaves: true
  }
  /** Delete an automation. Its runs stop, and what they have sent and is still in the queue is cancelled. */
  'DELETE /automations/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: DeletedAutomation
    scope: 'automations:write'
    context: 'project'
  }
  /** List the runs of an automation, with what each step did. */
  'GET /automations/:id/runs': {
    params: { id: string }
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?: 'waiting' | 'completed' | 'stopped' | 'failed'
      /** An email address. */
      email?: string
    }
    body: undefined
    reply: AutomationRunPage
    scope: 'automations:write'
    context: 'project'
    reads: true
  }
  /** Tell what would happen to a contact, and when, if it started now. Nothing is sent and nothing is stored. */
  'POST /automations/:id/simulate': {
    params: { id: string }
    query: undefined
    body: SimulateAutomation
    reply: Simulation
    scope: 'automations:write'
    context: 'project'
    reads: true
  }
}
