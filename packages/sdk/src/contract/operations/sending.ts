// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  Sending,
  HoldSending,
  ResumeSending,
} from '../shapes/sending.ts'

export interface SendingOperations {
  /** Read whether anything leaves the installation, and what is due. */
  'GET /sending': {
    params: undefined
    query: {
      /** `false` leaves out what is due, which has to be counted. */
      due?: boolean
    }
    body: undefined
    reply: Sending
    scope: 'stats:read'
    context: 'workspace'
    reads: true
  }
  /**
   * Let nothing leave the installation: no mail, no webhook, no SMS. Needs the workspace role owner or admin, or a
   * workspace key with full access.
   */
  'POST /sending/hold': {
    params: undefined
    query: undefined
    body: HoldSending
    reply: Sending
    scope: 'queue:write'
    context: 'workspace'
    needsConfirmation: true
  }
  /** Let everything leave again. Needs the workspace role owner or admin, or a workspace key with full access. */
  'POST /sending/resume': {
    params: undefined
    query: undefined
    body: ResumeSending | undefined
    reply: Sending
    scope: 'queue:write'
    context: 'workspace'
    leaves: true
    needsConfirmation: true
  }
}
