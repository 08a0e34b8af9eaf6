import { route } from '../../http/route.ts'
import { NoticeList } from './schema.ts'
import type { Notices } from './service.ts'

export const noticeRoutes = (notices: Notices) => [
  route({
    id: 'listNotices',
    method: 'GET',
    path: '/notices',
    scope: 'stats:read',
    context: 'project',
    summary:
      'List what people should look at, the worst first: in the project, and for workspace keys and roles in the installation. Only kinds whose subject the caller can read are told.',
    reply: { 200: NoticeList },
    handle: ({ caller, project }) => notices.list(caller, project),
  }),
]
