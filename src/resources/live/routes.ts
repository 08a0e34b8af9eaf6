import { route } from '../../http/route.ts'
import { LiveEvent, WatchLive } from './schema.ts'
import type { Live } from './service.ts'

export const liveRoutes = (live: Live) => [
  route({
    id: 'watchLive',
    method: 'GET',
    path: '/live',
    scope: 'stats:read',
    context: 'project',
    summary:
      'Watch what changes, as server-sent events: first `hello`, then a `change` for each topic as it is now, then one each time it changes. We end the stream after ten minutes: connect again. When too many are open the answer is 503.',
    query: WatchLive,
    reply: { 200: LiveEvent },
    streams: true,
    errors: ['not_found'],
    handle: ({ caller, project, query: { topics }, mayRead, admitAgain }) =>
      live.open({ caller, project, topics, mayRead, admitAgain }),
  }),
]
