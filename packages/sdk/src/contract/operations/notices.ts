// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  NoticeList,
} from '../shapes/notices.ts'

export interface NoticesOperations {
  /**
   * List what people should look at, the worst first: in the project, and for workspace keys and roles in the
   * installation. Only kinds whose subject the caller can read are told.
   */
  'GET /notices': {
    params: undefined
    query: undefined
    body: undefined
    reply: NoticeList
    scope: 'stats:read'
    context: 'project'
    reads: true
  }
}
