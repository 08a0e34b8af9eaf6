// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  LiveEvent,
} from '../shapes/live.ts'

export interface LiveOperations {
  /**
   * Watch what changes, as server-sent events: first `hello`, then a `change` for each topic as it is now, then one
   * each time it changes. We end the stream after ten minutes: connect again. When too many are open the answer is 503.
   */
  'GET /live': {
    params: undefined
    query: {
      /**
       * What to watch, at most 8, separated by commas: `overview`, `queue`, `notices`, `inbox`, `emails`, or one thing
       * by its kind and id: `email:em_…`, `broadcast:brd_…`, `import:imp_…`, `automation:aut_…`, `webhook:whk_…`,
       * `domain:dom_…`. Each needs the scope with which it could be read.
       */
      topics: string
    }
    body: undefined
    reply: LiveEvent
    streams: true
    scope: 'stats:read'
    context: 'project'
    reads: true
  }
}
