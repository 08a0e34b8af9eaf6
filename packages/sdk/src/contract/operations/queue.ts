// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  Queue,
  QueueDestination,
  QueueDestinationDetail,
  RetriedDestination,
  PauseDestination,
  ResumeDestination,
} from '../shapes/queue.ts'

export interface QueueOperations {
  /**
   * List where mail of the project waits and why: what needs a look first, then the most. Counted at most every 5
   * seconds; `asOf` says when.
   */
  'GET /queue': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** `true` for those only where something is to be looked at. */
      needsLook?: 'true' | 'false'
    }
    body: undefined
    reply: Queue
    scope: 'stats:read'
    context: 'project'
    reads: true
  }
  /** Read one destination, with the answers of the last 24 hours and the hosts that gave them. */
  'GET /queue/:destination': {
    params: { destination: string }
    query: undefined
    body: undefined
    reply: QueueDestinationDetail
    scope: 'stats:read'
    context: 'project'
    reads: true
  }
  /** Try what waits for another attempt now, at the pace that the destination allows. */
  'POST /queue/:destination/retry': {
    params: { destination: string }
    query: undefined
    body: undefined
    reply: RetriedDestination
    scope: 'queue:write'
    context: 'project'
    leaves: true
  }
  /**
   * Let no mail of the project go to a destination, whether any waits for it or not. Within 2 seconds none leaves any
   * node.
   */
  'POST /queue/:destination/pause': {
    params: { destination: string }
    query: undefined
    body: PauseDestination | undefined
    reply: QueueDestination
    scope: 'queue:write'
    context: 'project'
  }
  /** Let mail go to a destination again; what waits because of the pause leaves at once. */
  'POST /queue/:destination/resume': {
    params: { destination: string }
    query: undefined
    body: ResumeDestination | undefined
    reply: QueueDestination
    scope: 'queue:write'
    context: 'project'
    leaves: true
  }
}
